package io.spyhop.server.index.stats;

import static io.spyhop.core.predicate.Predicates.column;
import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.predicate.Predicate;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.prune.ScanState;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** HFiles that share no row with what is read are left out, and the answer is the scan's. */
class SegmentsTest {
  private static final TestCluster CLUSTER = TestCluster.get();

  private static void rows(StatisticsTable t, int from, int to, long add) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int i = from; i < to; i++) {
      puts.add(
          StatisticsTable.put(key(i), "a", i + add)
              .addColumn(StatisticsTable.F, Bytes.toBytes("b"), Bytes.toBytes(i % 3L)));
    }
    t.table().put(puts);
  }

  private static String key(int i) {
    return String.format("r%03d", i);
  }

  private static long segmented() {
    return CLUSTER.sum(m -> m.segmentedScans);
  }

  /** The answer with segments left out, which must be the scan's. */
  private static List<String> agreed(StatisticsTable t, Predicate p) throws IOException {
    List<String> rows = t.rows(p, Attributes.PATH_AUTO);
    assertThat(rows).as("%s", p).isEqualTo(t.rows(p, Attributes.PATH_SCAN));
    return rows;
  }

  @Test
  void filesWithRowsOfTheirOwn() throws IOException {
    try (StatisticsTable t = new StatisticsTable()) {
      rows(t, 0, 50, 0);
      t.flush();
      rows(t, 50, 100, 1000);
      t.flush();
      rows(t, 100, 150, 0);
      t.flush();
      long before = segmented();
      assertThat(agreed(t, column("a").ge(1050))).hasSize(50);
      assertThat(agreed(t, column("a").between(40, 110))).hasSize(21);
      assertThat(agreed(t, column("a").eq(999))).isEmpty();
      assertThat(segmented()).isEqualTo(before + 3);
      assertThat(agreed(t, column("b").eq(1))).hasSize(50);
      assertThat(segmented()).isEqualTo(before + 3);
    }
  }

  /** One row of an HFile lies among another one's: there both count. */
  @Test
  void filesThatShareRows() throws IOException {
    try (StatisticsTable t = new StatisticsTable()) {
      rows(t, 0, 50, 0);
      t.flush();
      rows(t, 49, 100, 1000);
      t.flush();
      long before = segmented();
      assertThat(agreed(t, column("a").eq(49))).as("hidden by a newer version").isEmpty();
      t.table()
          .delete(
              new Delete(Bytes.toBytes(key(49))).addColumns(StatisticsTable.F, Bytes.toBytes("a")));
      assertThat(agreed(t, column("a").isNull())).containsExactly(key(49));
      assertThat(agreed(t, column("a").eq(48))).containsExactly(key(48));
      assertThat(segmented()).isGreaterThan(before);
      assertThat(t.decide(column("a").eq(49))).isEqualTo(ScanState.RSM);
    }
  }

  /** Limits and small batches of results end and go on anywhere. */
  @Test
  void limitsAndCaching() throws IOException {
    try (StatisticsTable t = new StatisticsTable()) {
      for (int f = 0; f < 6; f++) {
        rows(t, f * 10, f * 10 + 10, f % 2 == 0 ? 0 : 1000);
        t.flush();
      }
      Predicate p = column("a").lt(1000);
      List<String> all = agreed(t, p);
      assertThat(all).hasSize(30);
      for (int caching = 1; caching < 12; caching++) {
        for (int limit : new int[] {1, 9, 10, 11, 20, 29, 30, 31}) {
          Scan scan = new Scan().setCaching(caching).setLimit(limit);
          scan.setFilter(new io.spyhop.core.predicate.PredicateFilter(t.bind(p)));
          assertThat(t.rows(scan)).isEqualTo(all.subList(0, Math.min(limit, 30)));
        }
      }
      Scan part = new Scan().withStartRow(Bytes.toBytes("r005")).withStopRow(Bytes.toBytes("r025"));
      part.setFilter(new io.spyhop.core.predicate.PredicateFilter(t.bind(p)));
      assertThat(t.rows(part)).isEqualTo(all.subList(5, 15));
      try (ResultScanner scanner = t.table().getScanner(part)) {
        int cells = 0;
        for (Result r : scanner) {
          cells += r.size();
        }
        assertThat(cells).isEqualTo(20);
      }
    }
  }

  @Test
  void randomHistories() throws IOException {
    Random random = new Random(7);
    long before = segmented();
    for (int history = 0; history < 4; history++) {
      try (StatisticsTable t = new StatisticsTable()) {
        for (int step = 0; step < 12; step++) {
          int from = random.nextInt(90);
          rows(t, from, from + 1 + random.nextInt(10), random.nextInt(4) * 100L);
          if (random.nextInt(3) == 0) {
            t.table().delete(new Delete(Bytes.toBytes(key(random.nextInt(100)))));
          }
          if (random.nextInt(3) > 0) {
            t.flush();
          }
          for (int i = 0; i < 6; i++) {
            long value = random.nextInt(400);
            agreed(t, column("a").between(value, value + random.nextInt(60)));
            agreed(t, column("a").eq(value).or(column("a").isNull()));
          }
        }
      }
    }
    assertThat(segmented()).isGreaterThan(before);
  }
}
