package io.spyhop.server.ddl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.server.testing.QuickFiles;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Notes are whole, at whatever time they are read. */
class NoteFilesTest {
  private static final int MOST = 2_000;
  private static final int TIMES = 100;

  @TempDir private Path directory;
  private NoteFiles files;

  @BeforeEach
  void open() throws IOException {
    FileSystem fs = QuickFiles.open();
    files =
        new NoteFiles(
            fs, new org.apache.hadoop.fs.Path(directory.resolve("notes").toUri().toString()), MOST);
  }

  @Test
  void nothingIsThereAtFirst() throws IOException {
    assertThat(files.names()).isEmpty();
    assertThat(files.has("a")).isFalse();
    assertThatThrownBy(() -> files.read("a")).isInstanceOf(FileNotFoundException.class);
    files.delete("a");
  }

  @Test
  void theLastOneCounts() throws IOException {
    files.write("a", new byte[] {1, 2, 3});
    files.write("a", new byte[] {4});
    files.write("b", new byte[0]);
    Files.write(directory.resolve("notes").resolve("c.tmp"), new byte[] {5});
    assertThat(files.read("a")).containsExactly(4);
    assertThat(files.names()).containsExactlyInAnyOrder("a", "b");
    files.delete("a");
    assertThat(files.names()).containsExactly("b");
  }

  @Test
  void aLongOneIsDamaged() throws IOException {
    files.write("a", new byte[MOST]);
    assertThat(files.read("a")).hasSize(MOST);
    files.write("a", new byte[MOST + 1]);
    assertThatThrownBy(() -> files.read("a"))
        .isInstanceOf(CorruptFrameException.class)
        .hasMessageContaining("has more than 2000 bytes");
  }

  /** Each has its length in all its bytes. */
  @Test
  void oneThatIsReplacedMeanwhileIsWhole() throws IOException {
    AtomicBoolean over = new AtomicBoolean();
    CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> write(over));
    int read = 0;
    while (!over.get()) {
      try {
        byte[] found = files.read("a");
        assertThat(found).containsOnly((byte) found.length).hasSizeLessThanOrEqualTo(TIMES);
        read++;
      } catch (FileNotFoundException e) {
        assertThat(e).as("a local file system deletes it first").hasMessageContaining("a");
      }
    }
    writer.join();
    assertThat(read).isPositive();
  }

  private void write(AtomicBoolean over) {
    try {
      for (int i = 1; i <= TIMES; i++) {
        byte[] note = new byte[1 + i * 7 % TIMES];
        Arrays.fill(note, (byte) note.length);
        files.write("a", note);
      }
    } catch (IOException e) {
      throw new CompletionException(e);
    } finally {
      over.set(true);
    }
  }
}
