package io.spyhop.server.query;

import static io.spyhop.core.predicate.Predicates.column;
import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.predicate.PredicateFilter;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.server.query.scan.IndexScanner;
import io.spyhop.server.testing.IndexedTableFixture;
import io.spyhop.server.testing.Queries;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.ScannerContext.LimitScope;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** HBase's contract of a region's scanner: limits, heartbeats, seeking, closing. */
class ScannerContractTest {
  private static final int ROWS = 5000;
  private static IndexedTableFixture table;

  @BeforeAll
  static void create() throws IOException {
    table = new IndexedTableFixture();
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      puts.add(
          new Put(row(i))
              .addColumn(
                  IndexedTableFixture.F, IndexedTableFixture.q("price"), Bytes.toBytes(i % 10.0))
              .addColumn(IndexedTableFixture.F, IndexedTableFixture.q("other"), new byte[100]));
    }
    table.table().put(puts.subList(0, ROWS / 2));
    table.flushAndIndex();
    table.table().put(puts.subList(ROWS / 2, ROWS));
  }

  @AfterAll
  static void drop() throws IOException {
    table.close();
  }

  private static byte[] row(int i) {
    return Bytes.toBytes(String.format("r%06d", i));
  }

  private static Scan scan() {
    Scan scan = new Scan().addFamily(IndexedTableFixture.F);
    scan.setFilter(new PredicateFilter(table.bind(column("price").eq(3.0))));
    return scan.setAttribute(Attributes.PATH_HINT, Bytes.toBytes("price"));
  }

  private static RegionScanner open(Scan scan) throws IOException {
    RegionScanner scanner =
        Queries.of(table, Long.MAX_VALUE, Long.MAX_VALUE)
            .open(scan, table.region().getScanner(scan));
    assertThat(scanner).isInstanceOf(IndexScanner.class);
    return scanner;
  }

  @Test
  void usedUpTimeGivesHeartbeatsAndNoRowIsLost() throws IOException {
    ScannerContext context =
        ScannerContext.newBuilder(true).setTimeLimit(LimitScope.BETWEEN_ROWS, 1).build();
    List<Cell> cells = new ArrayList<>();
    int heartbeats = 0;
    int rows = 0;
    try (RegionScanner scanner = open(scan())) {
      boolean more;
      do {
        more = scanner.nextRaw(cells, context);
        heartbeats += cells.isEmpty() && more ? 1 : 0;
        rows += cells.isEmpty() ? 0 : 1;
        cells.clear();
      } while (more);
    }
    assertThat(rows).isEqualTo(ROWS / 10);
    assertThat(heartbeats).isGreaterThan(1);
  }

  @Test
  @Tag(TestCluster.NEEDS_2_6)
  void returnedCellsCountTowardsTheSize() throws IOException {
    ScannerContext context =
        ScannerContext.newBuilder(true)
            .setSizeLimit(LimitScope.BETWEEN_ROWS, 1, 1, Long.MAX_VALUE)
            .build();
    try (RegionScanner scanner = open(scan())) {
      List<Cell> cells = new ArrayList<>();
      assertThat(scanner.nextRaw(cells, context)).isTrue();
      assertThat(cells).hasSize(2);
      assertThat(context.toString()).doesNotContain("dataSize:0");
    }
  }

  @Test
  void smallResultsAndCachingLoseNothing() throws IOException {
    for (Scan scan :
        List.of(scan().setCaching(7), scan().setMaxResultSize(300), scan().setLimit(33))) {
      int rows = 0;
      byte[] last = {};
      int limit = scan.getLimit(); // HBase 2.5 counts it down
      try (ResultScanner scanner = table.table().getScanner(scan)) {
        for (Result r = scanner.next(); r != null; r = scanner.next()) {
          assertThat(Bytes.compareTo(r.getRow(), last)).isPositive();
          last = r.getRow();
          rows++;
        }
      }
      assertThat(rows).isEqualTo(limit > 0 ? 33 : ROWS / 10);
    }
  }

  @Test
  void reseekSkipsForward() throws IOException {
    try (RegionScanner scanner = open(scan())) {
      List<Cell> cells = new ArrayList<>();
      assertThat(scanner.nextRaw(cells)).isTrue();
      assertThat(CellUtil.cloneRow(cells.get(0))).isEqualTo(row(3));
      cells.clear();
      assertThat(scanner.reseek(row(1000))).isTrue();
      assertThat(scanner.nextRaw(cells)).isTrue();
      assertThat(CellUtil.cloneRow(cells.get(0))).isEqualTo(row(1003));
    }
  }

  @Test
  void closingTwiceAndInTheMiddle() throws IOException {
    RegionScanner scanner = open(scan());
    scanner.nextRaw(new ArrayList<>());
    scanner.close();
    scanner.close();
  }
}
