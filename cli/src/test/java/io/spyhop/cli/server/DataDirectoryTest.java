package io.spyhop.cli.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataDirectoryTest {
  @TempDir private Path dir;

  @Test
  void isMadeWhereItIsMissing() throws IOException {
    DataDirectory made = DataDirectory.of(dir.resolve("a/b"));
    assertThat(made.root()).isDirectory();
    assertThat(made.isTemporary()).isFalse();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made.root())))
        .isEqualTo("rwx------");
  }

  @Test
  void aFileIsNone() throws IOException {
    Path file = Files.createFile(dir.resolve("file"));
    assertThatThrownBy(() -> DataDirectory.of(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is not a directory");
  }

  @Test
  void whatIsNotOursIsRefused() throws IOException {
    Files.createFile(dir.resolve("letter"));
    assertThatThrownBy(() -> DataDirectory.of(dir))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("holds something that is none of ours");
    assertThatThrownBy(() -> DataDirectory.empty(dir))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is not empty");
    assertThat(dir).isDirectoryContaining("glob:**letter");
    Files.createFile(dir.resolve("lock"));
    assertThat(DataDirectory.of(dir).root()).isEqualTo(dir);
  }

  @Test
  void aTemporaryOneGoesWithItsContents() throws IOException {
    DataDirectory temporary = DataDirectory.temporary();
    Files.createDirectories(temporary.root().resolve("x/y"));
    Files.writeString(temporary.log(), "line");
    temporary.delete();
    assertThat(temporary.root()).doesNotExist();
    temporary.delete();
  }

  @Test
  void isUsedByOneAtATime() throws IOException {
    DataDirectory shared = DataDirectory.of(dir);
    DirectoryLock lock = DirectoryLock.of(shared);
    assertThatThrownBy(() -> DirectoryLock.of(shared))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("another HBase runs in");
    lock.close();
    DirectoryLock.of(shared).close();
  }
}
