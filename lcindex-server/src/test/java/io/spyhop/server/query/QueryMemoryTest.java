package io.spyhop.server.query;

import static io.spyhop.core.predicate.Predicates.column;
import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.predicate.PredicateFilter;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.protocol.RegionPlan;
import io.spyhop.server.memory.MemoryBudget;
import io.spyhop.server.testing.IndexedTableFixture;
import io.spyhop.server.testing.Queries;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Correctness rule 7: all queries of a server share one bound, beyond it they scan. */
class QueryMemoryTest {
  private static final int ROWS = 4000;
  private static final byte[] ID = {1};

  @Test
  void queryBeyondTheServersMemoryScans() throws IOException {
    try (IndexedTableFixture t = table()) {
      MemoryBudget server = new MemoryBudget(300 << 10);
      RegionQueries queries = Queries.of(t, server, Long.MAX_VALUE);
      assertThat(run(t, queries)).hasSize(ROWS);
      assertThat(fallback(queries)).contains("spyhop.query.memory");
      assertThat(server.used()).isZero();
    }
  }

  @Test
  void oneQueryLeavesNothingForAnother() throws IOException {
    try (IndexedTableFixture t = table()) {
      MemoryBudget server = new MemoryBudget(1 << 20);
      RegionQueries queries = Queries.of(t, server, Long.MAX_VALUE);
      assertThat(run(t, queries)).hasSize(ROWS);
      assertThat(fallback(queries)).isEmpty();
      long needed = server.used();
      assertThat(needed).isZero();
      assertThat(server.tryReserve(900 << 10)).isTrue();
      assertThat(run(t, queries)).hasSize(ROWS);
      assertThat(fallback(queries)).contains("spyhop.query.memory");
    }
  }

  @Test
  void queryBeyondItsOwnBudgetScans() throws IOException {
    try (IndexedTableFixture t = table()) {
      MemoryBudget server = new MemoryBudget(Long.MAX_VALUE);
      RegionQueries queries = Queries.of(t, server, 100 << 10);
      assertThat(run(t, queries)).hasSize(ROWS);
      assertThat(fallback(queries)).contains("spyhop.query.sort.budget");
      assertThat(server.used()).isZero();
    }
  }

  private static IndexedTableFixture table() throws IOException {
    IndexedTableFixture t = IndexedTableFixture.clustering();
    List<org.apache.hadoop.hbase.client.Put> puts = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      puts.add(
          new org.apache.hadoop.hbase.client.Put(Bytes.toBytes(String.format("r%06d", i)))
              .addColumn(
                  IndexedTableFixture.F,
                  IndexedTableFixture.q("price"),
                  Bytes.toBytes((double) (i % 5))));
    }
    t.table().put(puts);
    t.flushAndIndex();
    return t;
  }

  private static List<String> run(IndexedTableFixture t, RegionQueries queries) throws IOException {
    HRegion region = t.region();
    Scan scan = new Scan().addFamily(IndexedTableFixture.F);
    scan.setFilter(new PredicateFilter(t.bind(column("price").ge(0.0))));
    scan.setAttribute(Attributes.PATH_HINT, Bytes.toBytes("price"));
    scan.setAttribute(Attributes.QUERY_ID, ID);
    List<String> rows = new ArrayList<>();
    try (RegionScanner scanner = queries.open(scan, region.getScanner(scan))) {
      List<Cell> cells = new ArrayList<>();
      boolean more;
      do {
        more = scanner.nextRaw(cells);
        if (!cells.isEmpty()) {
          rows.add(Bytes.toString(CellUtil.cloneRow(cells.get(0))));
        }
        cells.clear();
      } while (more);
    }
    assertThat(rows).isSorted();
    return rows;
  }

  private static String fallback(RegionQueries queries) {
    return queries.report(ID).flatMap(RegionPlan::actual).orElseThrow().fallback();
  }
}
