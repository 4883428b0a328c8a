package io.spyhop.server.index.global;

import static io.spyhop.server.testing.GlobalFixture.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spyhop.server.testing.GlobalFixture;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A file that a compaction has replaced stays in the region's directory while a scanner reads it,
 * and a split or merge takes every file there: cells are back of which the entries have gone.
 */
class ReturnedCellsTest {
  private static TestCluster cluster;

  @BeforeAll
  static void start() {
    cluster = TestCluster.start(1, conf -> conf.setLong("spyhop.global.grace.ms", 0));
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  /**
   * Has a scanner read a file with cells that another file hides, which it need not read; then both
   * are compacted, and what is dropped loses its entries.
   *
   * @param rows two that are not hidden, to be read
   * @return the scanner, a row of which is read
   */
  private static ResultScanner hold(GlobalFixture t, String... rows) throws Exception {
    t.write(put("a", 1), put("b", 1), put("c", 1), put("x", 1), put("y", 1), put("z", 1));
    t.awaitBuilt();
    Regions.flush(cluster, t.name());
    t.table().delete(new Delete(Bytes.toBytes("c")));
    t.table().delete(new Delete(Bytes.toBytes("x")));
    Regions.flush(cluster, t.name());
    Scan scan =
        new Scan()
            .withStartRow(Bytes.toBytes(rows[0]))
            .withStopRow(Bytes.toBytes(rows[1]), true)
            .setCaching(1);
    ResultScanner held = t.table().getScanner(scan);
    assertThat(held.next()).isNotNull();
    Regions.compact(cluster, t.name(), true);
    await("the entries to be removed")
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(t.entries()).hasSize(4).isEqualTo(t.expected()));
    return held;
  }

  private static List<String> rows(GlobalFixture t) throws IOException {
    List<String> rows = new ArrayList<>();
    try (ResultScanner scanner = t.table().getScanner(new Scan())) {
      scanner.forEach(r -> rows.add(Bytes.toString(r.getRow())));
    }
    return rows;
  }

  private static void requireEntries(GlobalFixture t, String... rows) throws Exception {
    assertThat(rows(t)).as("HBase has brought a row back").containsExactly(rows);
    t.awaitBuilt();
    assertThat(t.entries()).containsAll(t.expected()).hasSizeGreaterThanOrEqualTo(rows.length);
  }

  @Test
  void splitRegionsAreBuiltAgain() throws Exception {
    try (GlobalFixture t = new GlobalFixture(cluster, f -> f, d -> d);
        ResultScanner held = hold(t, "y", "z")) {
      byte[] parent = cluster.admin().getRegions(t.name()).get(0).getRegionName();
      cluster.admin().splitRegionAsync(parent, Bytes.toBytes("m")).get(60, TimeUnit.SECONDS);
      requireEntries(t, "a", "b", "c", "x", "y", "z");
    }
  }

  @Test
  void mergedRegionsAreBuiltAgain() throws Exception {
    try (GlobalFixture t = new GlobalFixture(cluster, f -> f, d -> d, "m");
        ResultScanner held = hold(t, "a", "b")) {
      byte[][] both =
          cluster.admin().getRegions(t.name()).stream()
              .map(RegionInfo::getEncodedNameAsBytes)
              .toArray(byte[][]::new);
      cluster.admin().mergeRegionsAsync(both, false).get(60, TimeUnit.SECONDS);
      requireEntries(t, "a", "b", "c", "y", "z");
    }
  }
}
