package io.spyhop.server.index.local.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.ClusterId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nobody but the server's user reads index files, or puts others in their place. */
class LocalRightsTest {
  private static final String STICKY = "01777";

  @TempDir Path dir;

  private final List<String> warnings = new ArrayList<>();

  private LocalRights rights(Path root) {
    return rights(root, root.resolve("none"));
  }

  /** As if one of the files were another user's. */
  private LocalRights rights(Path root, Path foreign) {
    return new LocalRights(root, Optional.empty()) {
      @Override
      Entry look(Path path) throws IOException {
        Entry e = super.look(path);
        return path.equals(foreign) ? new Entry(e.uid() + 4711, "eve", e.group(), e.mode()) : e;
      }

      @Override
      void warn(String why) {
        warnings.add(why);
      }
    };
  }

  private static void refused(LocalRights rights, Object... why) {
    assertThatThrownBy(rights::require)
        .hasMessageContaining("set " + ServerDirectory.ROOT + " to a directory of the user ")
        .satisfies(
            e -> {
              for (Object w : why) {
                assertThat(e).hasMessageContaining(w.toString());
              }
            });
  }

  private void warned(LocalRights rights, String why) throws IOException {
    warnings.clear();
    rights.require();
    assertThat(warnings).singleElement().asString().contains(why);
  }

  private static Path mode(Path path, String octal) throws IOException {
    Files.setAttribute(path, "unix:mode", Integer.parseInt(octal, 8));
    return path;
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  private Path directory(String name, String octal) throws IOException {
    return mode(Files.createDirectories(dir.resolve(name)), octal);
  }

  @Test
  void whereOthersMayWriteIsWarnedOfIfItWasNamed() throws IOException {
    Path open = directory("a/open", "0777");
    warned(rights(open.resolve("b/c")), "others may write in " + open + " (mode 0777");
    Path own = mode(Files.createDirectories(open.resolve("b/c")), "0777");
    warned(rights(own), "others may write in " + open);
    rights(own).tighten();
    assertThat(mode(own)).isEqualTo("rwx------");
    refused(new LocalRights(own, Optional.of(open)), "is not set", "where others may write");
    refused(rights(own, own), own + " belongs to eve");
    mode(open, "0755");
    warnings.clear();
    rights(own).require();
    assertThat(warnings).isEmpty();
  }

  /** In a directory such as /tmp no user takes away files of another. */
  @Test
  void ownDirectoriesInStickyOnesAreTaken() throws IOException {
    Path tmp = directory("tmp", STICKY);
    assertThatCode(() -> rights(tmp.resolve("x")).require()).doesNotThrowAnyException();
    Path own = Files.createDirectories(tmp.resolve("own/host,1"));
    assertThatCode(() -> rights(own).require()).doesNotThrowAnyException();
    warned(rights(own, own.getParent()), own.getParent() + " belongs to eve");
    refused(rights(own, own), own + " belongs to eve");
  }

  @Test
  void somebodyElsesDirectoryOrFileIsRefused() throws IOException {
    Path root = Files.createDirectories(dir.resolve("a/b/c"));
    warned(rights(root, dir.resolve("a")), dir.resolve("a") + " belongs to eve");
    refused(rights(root, root), root + " belongs to eve");
    Path planted = Files.createFile(root.resolve("planted.ifile"));
    LocalRights rights = rights(root, planted);
    assertThatCode(rights::require).doesNotThrowAnyException();
    assertThatThrownBy(rights::tighten).hasMessageContaining(planted + " belongs to eve");
  }

  @Test
  void linksAreFollowedAndWhoMadeThemMatters() throws IOException {
    Path open = directory("open", "0777");
    Path elsewhere = Files.createDirectories(dir.resolve("elsewhere"));
    Path good = Files.createSymbolicLink(dir.resolve("good"), elsewhere);
    assertThatCode(() -> rights(good.resolve("x")).require()).doesNotThrowAnyException();
    Path relative = Files.createSymbolicLink(dir.resolve("relative"), Path.of("good/../open"));
    warned(rights(relative.resolve("x")), "others may write in " + open);
    Path loose = mode(Files.createDirectories(elsewhere.resolve("loose")), "0777");
    warnings.clear();
    rights(good.resolve("loose")).require();
    rights(good.resolve("loose")).tighten();
    assertThat(warnings).isEmpty();
    assertThat(mode(loose)).isEqualTo("rwx------");
    refused(rights(good.resolve("x"), good), good + " belongs to eve");
    refused(rights(good, elsewhere), elsewhere + " belongs to eve");
    warned(rights(good.resolve("x"), elsewhere), elsewhere + " belongs to eve");
    Path circle = Files.createSymbolicLink(dir.resolve("circle"), Path.of("circle"));
    refused(rights(circle), "too many links");
    Path file = Files.createFile(dir.resolve("file"));
    refused(rights(file.resolve("x")), file + " is no directory");
  }

  /** A group whose name is its only member's is nobody else; any other group is. */
  @Test
  void groupsAreOthersUnlessTheyAreTheUsersOwn() {
    int open = 0040775;
    assertThat(new LocalRights.Entry(7, "hbase", "hbase", open).isOthers()).isFalse();
    assertThat(new LocalRights.Entry(7, "hbase", "hadoop", open).isOthers()).isTrue();
    assertThat(new LocalRights.Entry(7, "hbase", "hadoop", open | 01000).isOthers()).isFalse();
    assertThat(new LocalRights.Entry(7, "hbase", "hbase", 0040777).isOthers()).isTrue();
    assertThat(new LocalRights.Entry(7, "hbase", "hbase", open).isOpen()).isTrue();
  }

  /** A default is nobody's decision: there the sticky bit does not help. */
  @Test
  void aDefaultInATemporaryDirectoryIsRefused() throws IOException {
    Path tmp = directory("tmp", STICKY);
    Path base = tmp.resolve("hbase-me/spyhop");
    LocalRights rights = new LocalRights(base.resolve("host,1"), Optional.of(base));
    String why = ServerDirectory.ROOT + " is not set, and its default " + base + " lies in ";
    refused(rights, why, "where others may write (mode 1777)");
    Files.createDirectories(base.resolve("host,1"));
    refused(rights, why);
  }

  @Test
  void whatAnOlderVersionLeftIsTightened() throws IOException {
    Path base = directory("base", "0755");
    Path root = directory("base/host,1", "0755");
    Path region = directory("base/host,1/region", "0777");
    Path file = mode(Files.createFile(region.resolve("a.ifile")), "0644");
    Path outside = mode(Files.createFile(dir.resolve("outside")), "0644");
    Files.createSymbolicLink(region.resolve("b.ifile"), outside);
    rights(root).require();
    rights(root).tighten();
    assertThat(mode(root)).isEqualTo("rwx------");
    assertThat(mode(region)).isEqualTo("rwx------");
    assertThat(mode(file)).isEqualTo("rw-------");
    assertThat(mode(outside)).as("a link is not followed").isEqualTo("rw-r--r--");
    assertThat(mode(base)).as("it may hold other servers'").isEqualTo("rwxr-xr-x");
  }

  /** Spills, finished files, copies, the mark and the lock, from the moment that they are there. */
  @Test
  void everyFileIsPrivateWhateverTheUmask() throws Exception {
    Files.createDirectories(dir.resolve("hbase"));
    Files.write(dir.resolve("hbase/hbase.id"), new ClusterId("one").toByteArray());
    Path output = dir.resolve("output");
    Process process =
        new ProcessBuilder(
                List.of(
                    "sh",
                    "-c",
                    "umask 000 && exec \"$@\"",
                    "sh",
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:TieredStopAtLevel=1",
                    "-Dlog4j.configuration=damage-log4j.properties",
                    "-cp",
                    System.getProperty("java.class.path"),
                    PrivateFilesRun.class.getName(),
                    dir.toString()))
            .redirectError(dir.resolve("errors").toFile())
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(5, TimeUnit.MINUTES)).as("it ends").isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(Files.readAllLines(output))
        .as("errors: %s", Files.readString(dir.resolve("errors")))
        .containsExactlyInAnyOrder(
            "directory rwx------",
            ".lock rw-------",
            DirectoryMark.NAME + " rw-------",
            ".ifile rw-------",
            ".sfile rw-------",
            "unfinished .ifile rw-------");
  }
}
