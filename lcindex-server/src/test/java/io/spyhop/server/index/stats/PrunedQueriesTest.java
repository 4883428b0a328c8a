package io.spyhop.server.index.stats;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.client.Consistency;
import io.spyhop.client.IndexedTable;
import io.spyhop.client.Query;
import io.spyhop.client.QueryPlan;
import io.spyhop.client.RegionDecision;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import io.spyhop.client.TableStatistics;
import io.spyhop.core.predicate.Predicates;
import io.spyhop.core.prune.ScanState;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Queries of a client that leaves out regions, against real region servers. */
class PrunedQueriesTest {
  private PrunedTable t;

  @BeforeEach
  void fill() throws IOException {
    t = new PrunedTable(TestCluster.get());
    List<Put> puts = new ArrayList<>();
    for (int region = 0; region < PrunedTable.REGIONS; region++) {
      for (int i = 0; i < 10; i++) {
        puts.add(PrunedTable.put("r" + region + "-" + i, region * 100L + i));
      }
    }
    t.table().put(puts);
  }

  @AfterEach
  void drop() throws IOException {
    t.close();
  }

  private long pruned(Query query, String... expected) throws IOException {
    TableStatistics before = t.indexed().statistics();
    assertThat(t.rows(query)).containsExactly(expected);
    assertThat(t.rows(query.pruning(false))).containsExactly(expected);
    return t.indexed().statistics().regionsPruned() - before.regionsPruned();
  }

  @Test
  void regionsThatCannotMatchAreNotAsked() throws IOException {
    assertThat(pruned(Query.where("n = 303"), "r3-3")).isEqualTo(7);
    assertThat(pruned(Query.where("n BETWEEN 109 AND 200"), "r1-9", "r2-0")).isEqualTo(6);
    assertThat(pruned(Query.where("n IN (1, 705)"), "r0-1", "r7-5")).isEqualTo(6);
    assertThat(pruned(Query.where("n = 50"))).isEqualTo(8);
    assertThat(pruned(Query.where("n > 705 OR n < 1"), "r0-0", "r7-6", "r7-7", "r7-8", "r7-9"))
        .isEqualTo(6);
    assertThat(pruned(Query.where("NOT (n >= -1)"))).isEqualTo(8);
  }

  @Test
  void andStaySoWhenTheyAreFlushedAndCompacted() throws IOException {
    Regions.flush(TestCluster.get(), t.name());
    assertThat(pruned(Query.where("n = 303"), "r3-3")).isEqualTo(7);
    t.write("r3-3", 999);
    assertThat(pruned(Query.where("n = 999"), "r3-3")).isEqualTo(7);
    assertThat(pruned(Query.where("n = 303"))).as("the older version is still stored").isEqualTo(7);
    Regions.flush(TestCluster.get(), t.name());
    Regions.compact(TestCluster.get(), t.name(), true);
    assertThat(pruned(Query.where("n = 999"), "r3-3")).isEqualTo(7);
    t.table().delete(new Delete(Bytes.toBytes("r3-3")));
    assertThat(pruned(Query.where("n = 999"))).isEqualTo(7);
  }

  @Test
  void everyWriteIsSeenAtOnce() throws IOException {
    for (int i = 0; i < 30; i++) {
      String row = "r" + i % PrunedTable.REGIONS + "-new";
      long value = 10_000L + i;
      t.write(row, value);
      Consistency level =
          List.of(Consistency.STRICT, Consistency.BATCHED, Consistency.bounded(Duration.ZERO))
              .get(i % 3);
      assertThat(t.rows(Query.where("n = " + value).consistency(level)))
          .as("%s, value %d", level, value)
          .containsExactly(row);
      if (i % 7 == 6) {
        Regions.flush(TestCluster.get(), t.name());
      }
    }
    assertThat(t.indexed().statistics().regionsPruned()).isGreaterThan(100);
  }

  @Test
  void explainShowsDecisionsAndWhatMadeThem() throws IOException {
    Regions.flush(TestCluster.get(), t.name());
    t.write("r5-x", 500);
    QueryPlan plan = t.indexed().explain(Query.where("n BETWEEN 405 AND 505"));
    assertThat(plan.decisions()).hasSize(PrunedTable.REGIONS);
    assertThat(plan.decisions())
        .extracting(RegionDecision::state)
        .containsExactly(
            ScanState.NR,
            ScanState.NR,
            ScanState.NR,
            ScanState.NR,
            ScanState.RS,
            ScanState.RSM,
            ScanState.NR,
            ScanState.NR);
    assertThat(plan.decisions().get(0).statistics()).startsWith("f:n: ");
    assertThat(plan.toText())
        .contains("pruning:   6 of 8 regions left out, 1 read with empty memstores");
    QueryPlan ran = t.indexed().explainAnalyze(Query.where("n BETWEEN 405 AND 505"));
    assertThat(ran.rows()).isEqualTo(12);
    assertThat(ran.regions()).as("regions that were asked").hasSize(2);
    assertThat(ran.decisions()).hasSize(PrunedTable.REGIONS);
  }

  @Test
  void scansOfOnesOwn() throws IOException {
    Query query = Query.where(Predicates.column("n").between(105, 301));
    Scan scan = new Scan().setFilter(t.indexed().filter(query));
    assertThat(rows(scan)).hasSize(17).startsWith("r1-5").endsWith("r3-1");
    assertThat(t.indexed().statistics().regionsPruned()).isEqualTo(5);
    Scan part =
        new Scan(scan)
            .withStartRow(Bytes.toBytes("r1-8"), false)
            .withStopRow(Bytes.toBytes("r2-0"), true);
    assertThat(rows(part)).containsExactly("r1-9", "r2-0");
    assertThat(rows(new Scan(scan).setLimit(7))).hasSize(7);
    assertThat(rows(new Scan(scan).setReversed(true))).hasSize(17).startsWith("r3-1");
  }

  private List<String> rows(Scan scan) throws IOException {
    List<String> rows = new ArrayList<>();
    try (ResultScanner scanner = t.indexed().getScanner(scan)) {
      for (Result r = scanner.next(); r != null; r = scanner.next()) {
        rows.add(Bytes.toString(r.getRow()));
      }
    }
    return rows;
  }

  @Test
  void splitsMergersAndMovesHideNothing() throws Exception {
    assertThat(pruned(Query.where("n = 303"), "r3-3")).isEqualTo(7);
    TestCluster.get()
        .admin()
        .splitRegionAsync(
            TestCluster.get().regions(t.name()).stream()
                .map(r -> r.getRegionInfo())
                .filter(r -> r.containsRow(Bytes.toBytes("r3-3")))
                .findFirst()
                .orElseThrow()
                .getRegionName(),
            Bytes.toBytes("r3-5"))
        .get();
    t.write("r3-1", 3031);
    t.write("r3-7", 3037);
    assertThat(t.rows(Query.where("n IN (3031, 3037)"))).containsExactly("r3-1", "r3-7");
    assertThat(t.rows(Query.where("n = 303"))).containsExactly("r3-3");
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () -> assertThat(pruned(Query.where("n = 705"), "r7-5")).isGreaterThanOrEqualTo(8));
  }

  @Test
  void theCacheIsSmallAndShown() throws IOException {
    t.rows(Query.where("n = 1"));
    TableStatistics s = t.indexed().statistics();
    assertThat(s.regions()).isEqualTo(PrunedTable.REGIONS);
    assertThat(s.unknownRegions()).isZero();
    assertThat(s.cacheBytes()).isBetween(8L * (2 * 8 + 128), 8L * (2 * 16 + 128));
    assertThat(s.calls()).as("one call a server").isLessThanOrEqualTo(TestCluster.SERVERS);
    assertThat(s.synchronisations()).isEqualTo(1);
  }

  /** Of very many tables, those that were used last are kept. */
  @Test
  void whatWasCountedOutlivesTheIndexedTable() throws IOException {
    try (Spyhop spyhop = Spyhop.connect(TestCluster.get().connection())) {
      WeakReference<IndexedTable> queried = queried(spyhop);
      Awaitility.await("the indexed table to be collected")
          .until(
              () -> {
                for (int i = 0; i < 3_000; i++) {
                  spyhop.table(TableName.valueOf("other" + i % 600));
                }
                System.gc();
                return queried.refersTo(null);
              });
      TableStatistics counted = spyhop.table(t.name()).statistics();
      assertThat(counted.queries()).isEqualTo(1);
      assertThat(counted.regionsPruned()).isEqualTo(7);
    }
  }

  private WeakReference<IndexedTable> queried(Spyhop spyhop) throws IOException {
    IndexedTable table = spyhop.table(t.name());
    try (RowCursor rows = table.query(Query.where("n = 303"))) {
      assertThat(rows).hasSize(1);
    }
    return new WeakReference<>(table);
  }
}
