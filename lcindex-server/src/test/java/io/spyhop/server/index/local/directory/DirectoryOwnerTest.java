package io.spyhop.server.index.local.directory;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shared directories without a mark are taken over if they are of the version before. */
class DirectoryOwnerTest {
  private static final String KNOWN = "0123456789abcdef0123456789abcdef";
  private static final String GONE = KNOWN.replace('0', '1');

  @TempDir java.nio.file.Path dir;
  private DirectoryOwner owner;

  @BeforeEach
  void create() throws IOException {
    Configuration conf = HBaseConfiguration.create();
    FileSystem fs = FileSystem.getLocal(conf).getRaw();
    HBaseRoot hbase =
        new HBaseRoot(conf) {
          @Override
          List<Path> directories() {
            return List.of();
          }

          @Override
          Set<String> regionsAndArchived() {
            return Set.of(KNOWN);
          }
        };
    Path root = fs.makeQualified(new Path(dir.toString()));
    owner = new DirectoryOwner(fs, root, root, true, hbase);
  }

  private void file(String region, String name) throws IOException {
    Files.createFile(Files.createDirectories(dir.resolve(region)).resolve(name));
  }

  /** A parent that was split an hour ago: the sweep kept its files, the archive did not. */
  @Test
  void regionsThatAreGoneDoNotMatterBesideKnownOnes() throws IOException {
    file(GONE, "hfile.index.01234567.ifile");
    file(KNOWN, "hfile.index.01234567.ifile");
    assertThatCode(owner::requireOursOrFree).doesNotThrowAnyException();
  }

  @Test
  void unknownRegionsAloneAreNotOurs() throws IOException {
    file(GONE, "hfile.index.01234567.ifile");
    assertThatThrownBy(owner::requireOursOrFree)
        .hasMessageContainingAll(
            GONE, "a region that this cluster does not have", ServerDirectory.ROOT);
  }

  @Test
  void otherFilesAreNotOursBesideKnownRegionsEither() throws IOException {
    file(KNOWN, "hfile.index.01234567.ifile");
    file(GONE, "notes.txt");
    assertThatThrownBy(owner::requireOursOrFree)
        .hasMessageContainingAll(GONE, "which Spyhop has not written");
  }
}
