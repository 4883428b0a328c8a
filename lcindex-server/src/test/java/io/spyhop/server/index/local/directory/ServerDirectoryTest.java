package io.spyhop.server.index.local.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.server.index.local.OpenFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterId;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.ServerName;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Correctness rules 9 and 33: servers that share a disk leave each other's index files alone, and
 * nothing is deleted that is not marked as the cluster's.
 */
class ServerDirectoryTest {
  private static final long DAY = 86_400_000L;
  private static final String REGION = "0123456789abcdef0123456789abcdef";

  @TempDir Path dir;
  private Path root;
  private final Configuration conf = HBaseConfiguration.create();

  @BeforeEach
  void configure() throws IOException {
    root = dir.resolve("ifiles");
    conf.set(ServerDirectory.ROOT, root.toUri().toString());
    conf.set("hbase.rootdir", dir.resolve("hbase").toUri().toString());
    cluster("one");
  }

  /** HBase's root is that of this cluster from now on. */
  private void cluster(String id) throws IOException {
    Files.createDirectories(dir.resolve("hbase"));
    Files.write(dir.resolve("hbase/hbase.id"), new ClusterId(id).toByteArray());
  }

  private ServerDirectory directory(int port) throws IOException {
    return ServerDirectory.of(
        conf,
        ServerName.valueOf("host", port, 1),
        new HBaseRoot(conf),
        new OpenFiles(Long.MAX_VALUE, Long.MAX_VALUE));
  }

  private static RegionSweep.Terms terms(long absentMillis) {
    return new RegionSweep.Terms(absentMillis, absentMillis);
  }

  private void refused(String... why) throws IOException {
    Set<Path> before = everything();
    try (ServerDirectory one = directory(1)) {
      assertThatThrownBy(one::ensureLocked).hasMessageContainingAll(why);
      assertThat(one.isReady(() -> 0)).isFalse();
      assertThat(one.unusable().orElseThrow()).contains(why);
      one.sweep(r -> false, r -> r, 0, terms(0), true);
    }
    assertThat(everything()).isEqualTo(before);
  }

  private Set<Path> everything() throws IOException {
    try (Stream<Path> all = Files.walk(dir)) {
      return all.collect(Collectors.toSet());
    }
  }

  private Path region(int port, String region) throws IOException {
    Path dir = Files.createDirectories(root.resolve("host," + port).resolve(region));
    Files.createFile(dir.resolve("hfile.index.01234567.ifile"));
    return dir;
  }

  @Test
  void roomThatCannotBeToldIsNoNumber() throws IOException {
    try (ServerDirectory one = directory(1)) {
      assertThat(one.room()).as("it is not there yet").isNaN();
      one.ensureLocked();
      assertThat(one.room()).isPositive();
    }
  }

  @Test
  void sweepingLeavesOtherServersAndOpenAndRecentRegionsAlone() throws IOException {
    String openName = REGION.replace('0', '1');
    Path old = region(1, REGION);
    Path open = region(1, openName);
    Path others = region(2, REGION);
    try (ServerDirectory one = directory(1);
        ServerDirectory two = directory(2)) {
      one.sweep(r -> false, r -> r, 0, terms(0), true);
      assertThat(old).as("before the directory is this server's").exists();
      one.ensureLocked();
      two.ensureLocked();
      one.sweep(openName::equals, r -> r, 0, terms(DAY), true);
      Path recent = region(1, REGION.replace('0', '2'));
      one.sweep(openName::equals, r -> r, DAY - 1, terms(DAY), true);
      assertThat(old).as("absent for less than a day").exists();
      one.sweep(openName::equals, r -> r, DAY, terms(DAY), true);
      assertThat(old).doesNotExist();
      assertThat(open).exists();
      assertThat(recent).exists();
      assertThat(others).exists();
    }
  }

  /** What counts is the time since the region left, not since its last flush. */
  @Test
  void aRegionThatWasOpenStaysForADay() throws IOException {
    Path dir = region(1, REGION);
    try (ServerDirectory one = directory(1)) {
      one.ensureLocked();
      one.sweep(r -> false, r -> r, 0, terms(DAY), true);
      one.sweep(r -> true, r -> r, DAY - 1, terms(DAY), true);
      one.sweep(r -> false, r -> r, DAY + 1, terms(DAY), true);
      assertThat(dir).exists();
      one.sweep(r -> false, r -> r, 2 * DAY + 1, terms(DAY), true);
      assertThat(dir).doesNotExist();
    }
  }

  /** As a server does that is stopped every night. */
  @Test
  void aRestartDoesNotBeginTheDayAnew() throws IOException {
    Path dir = region(1, REGION);
    for (long hour = 0; hour < 24; hour++) {
      try (ServerDirectory one = directory(1)) {
        one.ensureLocked();
        one.sweep(r -> false, r -> r, DAY / 24 * hour, terms(DAY), true);
        assertThat(dir).exists();
      }
    }
    try (ServerDirectory one = directory(1)) {
      one.ensureLocked();
      one.sweep(r -> false, r -> r, DAY, terms(DAY), true);
      assertThat(dir).doesNotExist();
    }
  }

  /** Of a mark that cannot be read, or one of tomorrow, the region has a day from now on. */
  @Test
  void aDamagedMarkOfAbsenceBeginsTheDayAnew() throws IOException {
    Path dir = region(1, REGION);
    try (ServerDirectory one = directory(1)) {
      one.ensureLocked();
      one.sweep(r -> false, r -> r, 5 * DAY, terms(DAY), true);
      one.sweep(r -> false, r -> r, DAY, terms(DAY), true);
      Path marks = root.resolve("host,1").resolve(AbsentRegions.NAME);
      byte[] bytes = Files.readAllBytes(marks);
      bytes[bytes.length / 2] ^= 1;
      Files.write(marks, bytes);
      one.sweep(r -> false, r -> r, 2 * DAY, terms(DAY), true);
      assertThat(dir).exists();
      one.sweep(r -> false, r -> r, 3 * DAY, terms(DAY), true);
      assertThat(dir).doesNotExist();
    }
  }

  /** Whether a server deletes a region's files an hour after it left; a minute is the bound. */
  private boolean isSwept(Set<String> meta) throws IOException {
    Path files = root.resolve("host,1").resolve(REGION);
    if (!Files.exists(files)) {
      region(1, REGION);
    }
    RegionSweep.Terms minute = new RegionSweep.Terms(DAY, 60_000);
    try (ServerDirectory one = directory(1)) {
      one.ensureLocked();
      one.sweep(r -> false, r -> meta, 0, minute, true);
      one.sweep(r -> false, r -> meta, 59_999, minute, true);
      assertThat(files).exists();
      one.sweep(r -> false, r -> meta, 3_600_000, minute, true);
    }
    return !Files.exists(files);
  }

  @Test
  void othersAreAskedAgainForARegionThatIsNotGoneAfterTwiceTheTime() throws IOException {
    region(1, REGION);
    RegionSweep.Terms minute = new RegionSweep.Terms(DAY, 60_000);
    List<Integer> asked = new ArrayList<>();
    try (ServerDirectory one = directory(1)) {
      one.ensureLocked();
      for (int m = 0; m < 10; m++) {
        int now = m;
        one.sweep(r -> false, r -> note(asked, now, r), 60_000L * m, minute, true);
      }
      assertThat(asked).containsExactly(1, 2, 4, 8);
      one.sweep(r -> true, r -> note(asked, 10, r), 600_000, minute, true);
      one.sweep(r -> false, r -> note(asked, 11, r), 660_000, minute, true);
      one.sweep(r -> false, r -> note(asked, 12, r), 720_000, minute, true);
      assertThat(asked).as("after it was here again").endsWith(8, 12);
    }
  }

  /** hbase:meta knows all that it is asked for. */
  private static Set<String> note(List<Integer> asked, int now, Set<String> regions) {
    asked.add(now);
    return regions;
  }

  @Test
  void aRegionThatNobodyCanReadIsGone() throws IOException {
    Path hbase = dir.resolve("hbase");
    assertThat(isSwept(Set.of(REGION))).as("known to hbase:meta").isFalse();
    Path own = Files.createDirectories(hbase.resolve("data/default/t/" + REGION));
    assertThat(isSwept(Set.of())).as("with a directory").isFalse();
    Files.delete(own);
    Path archived = Files.createDirectories(hbase.resolve("archive/data/default/t/" + REGION));
    Path links = Files.createDirectories(archived.resolve("f/.links-0123456789abcdef"));
    assertThat(isSwept(Set.of())).as("with links to its HFiles").isFalse();
    Files.delete(links);
    for (String name : List.of("whole", ".tmp/making")) {
      Path snapshot = Files.createDirectories(hbase.resolve(".hbase-snapshot").resolve(name));
      assertThat(isSwept(Set.of())).as("of a snapshot").isFalse();
      Files.delete(snapshot);
    }
    assertThat(isSwept(Set.of())).as("archived").isTrue();
    Files.delete(archived.resolve("f"));
    Files.delete(archived);
    assertThat(isSwept(Set.of())).isTrue();
  }

  @Test
  void startingEmptiesTheServersOwnTemporaryFilesAlone() throws IOException {
    Path own = Files.createDirectories(root.resolve("host,1/.tmp"));
    Path others = Files.createDirectories(root.resolve("host,2/.tmp"));
    Files.createFile(own.resolve("half.ifile"));
    Files.createFile(others.resolve("half.ifile"));
    try (ServerDirectory one = directory(1)) {
      one.ensureLocked();
    }
    assertThat(own).doesNotExist();
    assertThat(others.resolve("half.ifile")).exists();
  }

  @Test
  void oneProcessAtATime() throws IOException {
    try (ServerDirectory first = directory(1)) {
      first.ensureLocked();
      try (ServerDirectory second = directory(1)) {
        assertThatThrownBy(second::ensureLocked)
            .hasMessageContaining("in use by another process")
            .hasMessageContaining(ServerDirectory.ROOT);
        assertThat(second.unusable()).isPresent();
        Path region = region(1, REGION);
        second.sweep(r -> false, r -> r, 0, terms(0), true);
        assertThat(region).exists();
      }
    }
    try (ServerDirectory later = directory(1)) {
      later.ensureLocked();
      assertThat(later.unusable()).isEmpty();
    }
  }

  @Test
  void hbasesOwnDirectoriesAreRefused() throws IOException {
    for (String wrong : List.of("hbase", ".", "hbase/spyhop", "logs/x", "logs")) {
      conf.set("hbase.wal.dir", dir.resolve("logs").toUri().toString());
      conf.set(ServerDirectory.ROOT, dir.resolve(wrong).normalize().toUri().toString());
      refused(ServerDirectory.ROOT, "HBase's own directory", "for index files alone");
    }
  }

  @Test
  void whatSpyhopHasNotWrittenIsRefused() throws IOException {
    Path data = Files.createDirectories(root.resolve("host,1/data"));
    refused("'data'", "has no mark", ServerDirectory.ROOT);
    Files.delete(data);
    Path region = region(1, REGION);
    Path info = Files.createFile(region.resolve(".regioninfo"));
    refused("'" + REGION + "'", "has no mark", ServerDirectory.ROOT);
    Files.delete(info);
    try (ServerDirectory one = directory(1)) {
      one.ensureLocked();
      assertThat(region).as("what the version before wrote").exists();
    }
  }

  /** A look at a refused directory may take longer than the pause after it. */
  @Test
  void aRefusedDirectoryIsLookedAtLessAndLess() throws IOException {
    Path data = Files.createDirectories(root.resolve("host,1/data"));
    AtomicLong clock = new AtomicLong();
    AtomicInteger looks = new AtomicInteger();
    HBaseRoot slow =
        new HBaseRoot(conf) {
          @Override
          List<org.apache.hadoop.fs.Path> directories() throws IOException {
            looks.incrementAndGet();
            clock.addAndGet(10_000);
            return super.directories();
          }
        };
    try (ServerDirectory one =
        ServerDirectory.of(
            conf,
            ServerName.valueOf("host", 1, 1),
            slow,
            new OpenFiles(Long.MAX_VALUE, Long.MAX_VALUE))) {
      assertThat(one.isReady(clock::get)).isFalse();
      int expected = 1;
      for (long pause : List.of(2, 4, 8, 16, 32, 64, 128, 256, 300, 300)) {
        clock.addAndGet(pause * 1000 - 1);
        assertThat(one.isReady(clock::get)).isFalse();
        assertThat(looks.get()).as("before %s s", pause).isEqualTo(expected);
        clock.incrementAndGet();
        assertThat(one.isReady(clock::get)).isFalse();
        assertThat(looks.get()).as("after %s s", pause).isEqualTo(++expected);
      }
      Files.delete(data);
      clock.addAndGet(300_000);
      assertThat(one.isReady(clock::get)).isTrue();
    }
  }

  @Test
  void anotherClustersDirectoryIsRefused() throws IOException {
    region(1, REGION);
    try (ServerDirectory one = directory(1)) {
      one.ensureLocked();
    }
    cluster("two");
    refused("of the cluster one", "this is two", ServerDirectory.ROOT);
    cluster("one");
    try (ServerDirectory one = directory(1)) {
      one.ensureLocked();
      assertThat(one.unusable()).isEmpty();
    }
  }

  /** A damaged mark is none; the directory is looked at as one of the version before. */
  @Test
  void aDamagedMarkIsMadeAgain() throws IOException {
    try (ServerDirectory one = directory(1)) {
      one.ensureLocked();
    }
    Path mark = root.resolve("host,1").resolve(DirectoryMark.NAME);
    byte[] whole = Files.readAllBytes(mark);
    for (int length : List.of(0, 7, 100_000)) {
      Files.write(mark, Arrays.copyOf(whole, length));
      try (ServerDirectory one = directory(1)) {
        one.ensureLocked();
        assertThat(mark).hasBinaryContent(whole);
      }
    }
  }

  @Test
  void sweepingLeavesAloneWhatIsNoIndexFile() throws IOException {
    try (ServerDirectory one = directory(1)) {
      one.ensureLocked();
      Path foreign = Files.createDirectories(root.resolve("host,1/data/default"));
      Path mixed = region(1, REGION);
      Files.createFile(mixed.resolve("notes.txt"));
      Path own = region(1, REGION.replace('0', '1'));
      one.sweep(r -> false, r -> r, 0, terms(0), true);
      assertThat(foreign).exists();
      assertThat(mixed.resolve("notes.txt")).exists();
      assertThat(own).doesNotExist();
    }
  }

  /** As when another file system is mounted under a running server. */
  @Test
  void withoutItsMarkNothingIsSwept() throws IOException {
    try (ServerDirectory one = directory(1)) {
      one.ensureLocked();
      Path region = region(1, REGION);
      Files.delete(root.resolve("host,1").resolve(DirectoryMark.NAME));
      one.sweep(r -> false, r -> r, 0, terms(0), true);
      assertThat(one.unusable().orElseThrow()).contains("no mark");
      assertThat(region).exists();
    }
  }

  /** Its disk is lost and then replaced, under a running server. */
  @Test
  void aDirectoryThatIsLostIsGivenUpAndTakenAgain() throws IOException {
    AtomicLong clock = new AtomicLong();
    try (ServerDirectory one = directory(1)) {
      one.require(clock::get);
      Files.move(root, dir.resolve("lost"));
      Files.createFile(root);
      assertThatThrownBy(() -> one.require(clock::get)).hasMessageContaining(root.toString());
      assertThat(one.unusable()).isPresent();
      Files.delete(root);
      clock.addAndGet(10_000);
      one.require(clock::get);
      assertThat(one.unusable()).isEmpty();
      assertThat(root.resolve("host,1").resolve(DirectoryMark.NAME)).exists();
      Files.move(root, dir.resolve("lost again"));
      assertThat(one.probe()).as("room").isPositive();
      assertThat(root.resolve("host,1").resolve(DirectoryMark.NAME)).exists();
    }
  }

  /** As by default with HBase's own default, a directory under /tmp. */
  @Test
  void withoutTheSettingNothingIsWrittenWhereOthersMayWrite() throws IOException {
    Path tmp = Files.createDirectory(dir.resolve("tmp"));
    Files.setAttribute(tmp, "unix:mode", 01777);
    conf.unset(ServerDirectory.ROOT);
    conf.set("hbase.tmp.dir", tmp.resolve("hbase-me").toString());
    refused(ServerDirectory.ROOT + " is not set", " lies in ", "set spyhop.ifile.dir to");
    conf.set(ServerDirectory.ROOT, tmp.resolve("mine").toUri().toString());
    try (ServerDirectory one = directory(1)) {
      one.ensureLocked();
      assertThat(tmp.resolve("mine/host,1")).isDirectory();
    }
  }

  /** It was read by others until now, and is taken without a restart when it can be. */
  @Test
  void aDirectoryIsLookedAtAndTightenedWhenItIsTaken() throws IOException {
    Path region = region(1, REGION);
    Path file = region.resolve("hfile.index.01234567.ifile");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    Path own = root.resolve("host,1");
    Path aside = Files.move(own, root.resolve("aside"));
    Files.createFile(own);
    AtomicLong clock = new AtomicLong();
    try (ServerDirectory one = directory(1)) {
      assertThat(one.isReady(clock::get)).isFalse();
      assertThat(one.unusable().orElseThrow()).contains(own + " is no directory");
      Files.delete(own);
      Files.move(aside, own);
      assertThat(Files.getPosixFilePermissions(file)).hasSize(4);
      clock.addAndGet(10_000);
      assertThat(one.isReady(clock::get)).isTrue();
      for (Path p : List.of(own, region)) {
        assertThat(Files.getPosixFilePermissions(p)).isEqualTo(PrivateFileSystem.DIRECTORY);
      }
      assertThat(Files.getPosixFilePermissions(file)).isEqualTo(PrivateFileSystem.FILE);
    }
  }
}
