package io.spyhop.server.query;

import static io.spyhop.core.predicate.Predicates.column;
import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.predicate.Predicate;
import io.spyhop.core.predicate.PredicateFilter;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.protocol.RegionPlan;
import io.spyhop.server.memory.MemoryBudget;
import io.spyhop.server.metrics.Fallback;
import io.spyhop.server.metrics.ServerMetrics;
import io.spyhop.server.testing.IndexedTableFixture;
import io.spyhop.server.testing.Queries;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Records of queries: actual figures on every path, and fallbacks by reason. */
class QueryRecordsTest {
  private static final byte[] ID = {3};
  private static final Predicate CHEAP = column("price").lt(10.0);

  private static IndexedTableFixture table;

  @BeforeAll
  static void create() throws IOException {
    table = IndexedTableFixture.clustering();
    for (int i = 0; i < 20; i++) {
      table.price("r" + i, i);
    }
    table.flushAndIndex();
  }

  @AfterAll
  static void drop() throws IOException {
    table.close();
  }

  private static Scan scan(Predicate predicate, String path) {
    Scan scan = new Scan().addFamily(IndexedTableFixture.F);
    scan.setFilter(new PredicateFilter(table.bind(predicate)));
    scan.setAttribute(Attributes.PATH_HINT, Bytes.toBytes(path));
    scan.setAttribute(Attributes.QUERY_ID, ID);
    return scan;
  }

  private static RegionPlan run(RegionQueries queries, Scan scan) throws IOException {
    try (RegionScanner scanner = queries.open(scan, table.region().getScanner(scan))) {
      List<Cell> cells = new ArrayList<>();
      while (scanner.nextRaw(cells)) {
        cells.clear();
      }
    }
    return queries.report(ID).orElseThrow();
  }

  private static Map<Fallback, Long> fallbacks(ServerMetrics metrics) {
    Map<Fallback, Long> counts = new EnumMap<>(Fallback.class);
    for (Fallback f : Fallback.values()) {
      long n = metrics.fallbacks(f).getCount();
      if (n > 0) {
        counts.put(f, n);
      }
    }
    assertThat(counts.values().stream().mapToLong(n -> n).sum())
        .isEqualTo(metrics.fallbacks.getCount());
    return counts;
  }

  private static RegionQueries unlimited() {
    return with(Long.MAX_VALUE, Queries.newMetrics());
  }

  private static RegionQueries with(long query, ServerMetrics metrics) {
    return Queries.of(table, new MemoryBudget(Long.MAX_VALUE), query, metrics);
  }

  @Test
  void plainScansReportWhatTheyDid() throws IOException {
    for (String path : List.of("scan", "auto", "price")) {
      RegionPlan.Actual actual = run(unlimited(), scan(CHEAP, path)).actual().orElseThrow();
      assertThat(actual.rows()).as(path).isEqualTo(10);
      assertThat(actual.nanos()).as(path).isPositive();
    }
    RegionPlan reversed = run(unlimited(), scan(CHEAP, "auto").setReversed(true));
    assertThat(reversed.reason()).contains("reversed");
    assertThat(reversed.actual().orElseThrow().rows()).isEqualTo(10);
  }

  /** Who has the last row may ask at once, when HBase has not closed the scanner yet. */
  @Test
  void reportIsThereBeforeTheScannerIsClosed() throws IOException {
    RegionQueries queries = unlimited();
    Scan scan = scan(CHEAP, "scan");
    try (RegionScanner scanner = queries.open(scan, table.region().getScanner(scan))) {
      List<Cell> cells = new ArrayList<>();
      while (scanner.nextRaw(cells)) {
        cells.clear();
      }
      assertThat(queries.report(ID).flatMap(RegionPlan::actual)).isPresent();
    }
  }

  @Test
  void fallbacksAreCountedByReason() throws IOException {
    ServerMetrics metrics = Queries.newMetrics();
    RegionQueries queries = with(Long.MAX_VALUE, metrics);
    run(queries, scan(CHEAP, "scan"));
    run(queries, scan(CHEAP, "auto"));
    run(queries, scan(CHEAP, "auto").setReversed(true));
    run(queries, scan(column("price").isNull(), "auto"));
    run(queries, scan(CHEAP, "price"));
    assertThat(fallbacks(metrics))
        .containsOnlyKeys(
            Fallback.ASKED_FOR,
            Fallback.SCAN_CHEAPER,
            Fallback.UNSUPPORTED_SCAN,
            Fallback.NO_INDEX);
    assertThat(metrics.indexedQueries.getCount()).isEqualTo(1);
  }

  @Test
  void outOfMemoryIsNoDamage() throws IOException {
    int files = table.indexes().all().size();
    ServerMetrics metrics = Queries.newMetrics();
    run(with(100, metrics), scan(CHEAP, "price"));
    assertThat(fallbacks(metrics)).containsOnlyKeys(Fallback.MEMORY);
    assertThat(table.indexes().all()).hasSize(files);
  }
}
