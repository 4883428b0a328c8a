package io.spyhop.server.life;

import static io.spyhop.core.predicate.Predicates.column;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spyhop.server.testing.IndexedTableFixture;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.ServerName;
import org.junit.jupiter.api.Test;

/**
 * A disk that hangs, in the shape of a pipe that nothing is written to: a region that looks at its
 * index files there closes nevertheless, and those of others are built.
 */
class HungDiskTest {
  private static final TestCluster CLUSTER = TestCluster.get();
  private static final String PIPE = "pipe.price.00000000.sfile";

  @Test
  void regionsCloseAndOthersAreIndexed() throws Exception {
    try (IndexedTableFixture hung = new IndexedTableFixture();
        IndexedTableFixture other = new IndexedTableFixture()) {
      hung.price("r1", 5);
      hung.flushAndIndex();
      String region = hung.region().getRegionInfo().getEncodedName();
      CLUSTER.admin().disableTable(hung.name());
      List<Path> pipes = pipes(region);
      try {
        CLUSTER.admin().enableTable(hung.name());
        await("the disk to hang").atMost(Duration.ofSeconds(30)).until(HungDiskTest::hangs);
        other.price("r1", 7);
        other.flushAndIndex();
        assertThat(other.agreed(column("price").eq(7))).hasSize(1);
        CLUSTER.admin().disableTableAsync(hung.name()).get(30, TimeUnit.SECONDS);
      } finally {
        answer(pipes);
      }
      CLUSTER.admin().enableTable(hung.name());
      Regions.awaitCovered(CLUSTER, hung.name());
      assertThat(hung.agreed(column("price").eq(5))).hasSize(1);
    }
  }

  /** On all servers: the region may open anywhere. */
  private static List<Path> pipes(String region) throws IOException, InterruptedException {
    List<Path> pipes = new ArrayList<>();
    for (ServerName server : CLUSTER.admin().getRegionServers()) {
      Path directory = IndexFiles.directory(CLUSTER, server).resolve(region);
      Path pipe = Files.createDirectories(directory).resolve(PIPE);
      assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
      pipes.add(pipe);
    }
    return pipes;
  }

  private static boolean hangs() {
    return Thread.getAllStackTraces().entrySet().stream().anyMatch(HungDiskTest::hangs);
  }

  private static boolean hangs(Map.Entry<Thread, StackTraceElement[]> thread) {
    return thread.getKey().getName().contains("spyhop")
        && Arrays.stream(thread.getValue()).anyMatch(f -> f.getMethodName().equals("open0"));
  }

  private static void answer(List<Path> pipes) throws IOException {
    for (Path pipe : pipes) {
      new RandomAccessFile(pipe.toFile(), "rw").close();
      Files.delete(pipe);
    }
  }
}
