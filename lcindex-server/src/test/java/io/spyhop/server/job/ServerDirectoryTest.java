package io.spyhop.server.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.ServerName;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Correctness rule 9: servers that share a disk leave each other's index files alone. */
class ServerDirectoryTest {
  private static final long DAY = 86_400_000L;
  private static final String REGION = "0123456789abcdef0123456789abcdef";

  @TempDir Path root;
  private final Configuration conf = HBaseConfiguration.create();

  @BeforeEach
  void configure() {
    conf.set(ServerDirectory.ROOT, root.toUri().toString());
  }

  private ServerDirectory directory(int port) throws IOException {
    return ServerDirectory.of(conf, ServerName.valueOf("host", port, 1));
  }

  private Path region(int port, String region) throws IOException {
    Path dir = Files.createDirectories(root.resolve("host," + port).resolve(region));
    Files.createFile(dir.resolve("hfile.index.01234567.ifile"));
    return dir;
  }

  @Test
  void sweepingLeavesOtherServersAndOpenAndRecentRegionsAlone() throws IOException {
    String openName = REGION.replace('0', '1');
    Path old = region(1, REGION);
    Path open = region(1, openName);
    Path others = region(2, REGION);
    try (ServerDirectory one = directory(1);
        ServerDirectory two = directory(2)) {
      one.sweep(r -> false, 0, 0, null);
      assertThat(old).as("before the directory is this server's").exists();
      one.ensureLocked();
      two.ensureLocked();
      one.sweep(openName::equals, 0, DAY, null);
      Path recent = region(1, REGION.replace('0', '2'));
      one.sweep(openName::equals, DAY - 1, DAY, null);
      assertThat(old).as("absent for less than a day").exists();
      one.sweep(openName::equals, DAY, DAY, null);
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
      one.sweep(r -> false, 0, DAY, null);
      one.sweep(r -> true, DAY - 1, DAY, null);
      one.sweep(r -> false, DAY + 1, DAY, null);
      assertThat(dir).exists();
      one.sweep(r -> false, 2 * DAY + 1, DAY, null);
      assertThat(dir).doesNotExist();
    }
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
        second.sweep(r -> false, 0, 0, null);
        assertThat(region).exists();
      }
    }
    try (ServerDirectory later = directory(1)) {
      later.ensureLocked();
      assertThat(later.unusable()).isEmpty();
    }
  }
}
