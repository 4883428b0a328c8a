package io.spyhop.server.hook;

import static io.spyhop.core.predicate.Predicates.column;
import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.protocol.RegionStatus;
import io.spyhop.server.metrics.Fallback;
import io.spyhop.server.testing.IndexedTableFixture;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.ServerName;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Index files that cannot be written or read: answers stay right, and the files come back. */
class IndexFilesInTroubleTest {
  private static Path directory(IndexedTableFixture t) {
    Path root =
        Path.of(URI.create(TestCluster.get().util().getConfiguration().get("spyhop.ifile.dir")));
    ServerName server = TestCluster.get().serverOf(t.region());
    return root.resolve(server.getHostname() + "," + server.getPort())
        .resolve(t.region().getRegionInfo().getEncodedName());
  }

  @Test
  void directoryThatCannotBeWritten() throws IOException {
    try (IndexedTableFixture t = new IndexedTableFixture()) {
      Path inTheWay = directory(t);
      Files.createFile(inTheWay);
      t.price("a", 5);
      Regions.flush(TestCluster.get(), t.name());
      Awaitility.await("the status to say why")
          .atMost(Duration.ofSeconds(30))
          .until(() -> error(t).contains("index directory"));
      assertThat(t.agreed(column("price").lt(10))).containsExactly("a");
      Files.delete(inTheWay);
      Regions.awaitCovered(TestCluster.get(), t.name());
      assertThat(error(t)).isEmpty();
      assertThat(t.agreed(column("price").lt(10))).containsExactly("a");
    }
  }

  private static String error(IndexedTableFixture t) throws IOException {
    List<RegionStatus> status = Regions.status(TestCluster.get(), t.name());
    return status.get(0).indexes().get(0).lastError();
  }

  @Test
  void damagedIndexFileIsDroppedAndBuiltAgain() throws IOException {
    try (IndexedTableFixture t = new IndexedTableFixture()) {
      for (int i = 0; i < 200; i++) {
        t.price("r" + i, i);
      }
      t.flushAndIndex();
      for (Path file : ifiles(t)) {
        damage(file);
      }
      List<String> plain = t.rows(column("price").between(3, 9), "scan");
      long damaged = TestCluster.get().sum(m -> m.fallbacks(Fallback.DAMAGED));
      assertThat(t.rows(column("price").between(3, 9), "price")).isEqualTo(plain).hasSize(7);
      assertThat(TestCluster.get().sum(m -> m.fallbacks(Fallback.DAMAGED))).isGreaterThan(damaged);
      Awaitility.await("the file to be built again")
          .atMost(Duration.ofSeconds(30))
          .until(
              () ->
                  ifiles(t).stream().anyMatch(p -> p.toString().contains(".price."))
                      && Regions.status(TestCluster.get(), t.name()).get(0).indexes().stream()
                          .filter(i -> i.index().equals("price"))
                          .allMatch(i -> i.covered() == i.files()));
      assertThat(t.rows(column("price").between(3, 9), "price")).isEqualTo(plain);
    }
  }

  private static List<Path> ifiles(IndexedTableFixture t) throws IOException {
    try (Stream<Path> files = Files.list(directory(t))) {
      return files.filter(p -> p.toString().endsWith(".ifile")).toList();
    }
  }

  private static void damage(Path file) throws IOException {
    try (RandomAccessFile f = new RandomAccessFile(file.toFile(), "rw")) {
      for (long at = 40; at < 200; at += 10) {
        f.seek(at);
        f.write(0x55);
      }
    }
  }
}
