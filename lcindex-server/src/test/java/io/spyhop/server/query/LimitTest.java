package io.spyhop.server.query;

import static io.spyhop.server.testing.IndexedTableFixture.F;
import static io.spyhop.server.testing.IndexedTableFixture.q;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.client.IndexedTable;
import io.spyhop.client.Query;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import io.spyhop.core.predicate.PredicateFilter;
import io.spyhop.core.predicate.Predicates;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.protocol.RegionPlan;
import io.spyhop.server.query.scan.PatientScanner;
import io.spyhop.server.testing.IndexedTableFixture;
import io.spyhop.server.testing.Queries;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries for a few rows take the way that finds a few sooner. */
class LimitTest {
  private static final int ROWS = 5_000;
  private static final byte[] SCAN = Bytes.toBytes(Attributes.PATH_SCAN);

  private static IndexedTableFixture table;
  private static IndexedTableFixture clustered;
  private static Spyhop spyhop;

  @BeforeAll
  static void load() throws IOException {
    table = new IndexedTableFixture();
    clustered = IndexedTableFixture.clustering();
    load(table);
    load(clustered);
    spyhop = Spyhop.connect(TestCluster.get().connection());
  }

  private static void load(IndexedTableFixture into) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      puts.add(
          new Put(Bytes.toBytes("r%05d".formatted(i)))
              .addColumn(F, q("price"), Bytes.toBytes((double) (i * 7919 % ROWS)))
              .addColumn(F, q("name"), Bytes.toBytes(i < 3 || i >= 3000 ? "edge" : "amid"))
              .addColumn(F, q("note"), Bytes.toBytes("n")));
    }
    into.table().put(puts);
    into.flushAndIndex();
  }

  @AfterAll
  static void drop() throws IOException {
    spyhop.close();
    table.close();
    clustered.close();
  }

  private static List<String> rows(Query query) throws IOException {
    return rows(table, query);
  }

  private static List<String> rows(IndexedTableFixture of, Query query) throws IOException {
    List<String> rows = new ArrayList<>();
    try (RowCursor cursor = spyhop.table(of.name()).query(query)) {
      cursor.forEach(r -> rows.add(Bytes.toString(r.getRow())));
    }
    return rows;
  }

  /** Without a limit the wide range is the index's, too: it reads a third of the cells. */
  @ParameterizedTest
  @CsvSource({
    "price >= 2000,     , LOCAL_INDEX",
    "price >= 2000,    1, SCAN",
    "price >= 2000,   10, SCAN",
    "price >= 2000,  500, LOCAL_INDEX",
    "price >= 2000, 3000, LOCAL_INDEX",
    "price < 3,         , LOCAL_INDEX",
    "price < 3,      100, LOCAL_INDEX",
  })
  void theWayIsChosenByTheLimit(String where, Integer limit, RegionPlan.Path path)
      throws IOException {
    IndexedTable indexed = spyhop.table(table.name());
    for (String[] select : new String[][] {{}, {"note"}}) {
      Query all = Query.where(where).select(select);
      Query query = limit == null ? all : all.limit(limit);
      assertThat(indexed.explain(query).regions()).extracting(RegionPlan::path).containsOnly(path);
      assertThat(indexed.explainAnalyze(query).regions())
          .extracting(RegionPlan::path)
          .containsOnly(path);
      List<String> expected = rows(all.hint(Attributes.PATH_SCAN));
      int most = limit == null ? expected.size() : Math.min(limit, expected.size());
      assertThat(rows(query)).isNotEmpty().isEqualTo(expected.subList(0, most));
    }
  }

  /** Matching rows lie together, where a scan comes to late. */
  @ParameterizedTest
  @CsvSource({
    "name = 'edge',    2,  false",
    "name = 'edge',    4,  true",
    "name = 'edge',    50, true",
    "price >= 2000,    10, false",
    "name = 'edge' AND CAST(note AS STRING) >= 'n', 50, true",
    "name = 'edge' AND CAST(note AS STRING) > 'n',  50, true",
  })
  void aScanThatFindsFewGivesUp(String where, int limit, boolean takenOver) throws IOException {
    IndexedTable indexed = spyhop.table(table.name());
    for (String[] select : new String[][] {{}, {"price", "name", "note"}}) {
      Query all = Query.where(where).select(select);
      List<String> expected = rows(all.hint(Attributes.PATH_SCAN));
      int most = Math.min(limit, expected.size());
      assertThat(rows(all.limit(limit))).isEqualTo(expected.subList(0, most));
      RegionPlan plan = indexed.explainAnalyze(all.limit(limit)).regions().get(0);
      assertThat(plan.path()).isEqualTo(RegionPlan.Path.SCAN);
      String what = plan.actual().orElseThrow().fallback();
      assertThat(what).matches(takenOver ? "index 'name' took over.*" : "");
    }
  }

  /** A queue, taken from its front: a scan passes all that is deleted before it finds a row. */
  @Test
  void deletedRowsTakeTimeToo() throws IOException {
    try (IndexedTableFixture queue = new IndexedTableFixture()) {
      List<Put> puts = new ArrayList<>();
      List<Delete> deletes = new ArrayList<>();
      for (int i = 0; i < ROWS; i++) {
        byte[] row = Bytes.toBytes("r%05d".formatted(i));
        puts.add(new Put(row).addColumn(F, q("name"), Bytes.toBytes(i < 4500 ? "old" : "new")));
        if (i < 4000) {
          deletes.add(new Delete(row));
        }
      }
      queue.table().put(puts);
      queue.flushAndIndex();
      queue.table().delete(deletes);
      queue.flushAndIndex();
      Scan scan =
          new Scan()
              .setFilter(new PredicateFilter(queue.bind(Predicates.column("name").eq("new"))))
              .setAttribute(Attributes.LIMIT, Bytes.toBytes("10"));
      HRegion region = queue.region();
      AtomicLong passed = new AtomicLong();
      Scan plain = new Scan(scan).setAttribute(Attributes.PATH_HINT, SCAN);
      long all = readRequests(region, queue, plain, passed);
      long few = readRequests(region, queue, scan, passed);
      assertThat(passed).hasValue(2 * 500);
      assertThat(few).isLessThan(all / 2);
    }
  }

  /** How many rows HBase looked at and left out. */
  private static long readRequests(
      HRegion region, IndexedTableFixture t, Scan scan, AtomicLong rows) throws IOException {
    long before = region.getFilteredReadRequestsCount();
    try (ResultScanner scanner = t.table().getScanner(scan)) {
      scanner.forEach(r -> rows.incrementAndGet());
    }
    return region.getFilteredReadRequestsCount() - before;
  }

  /**
   * An index sorted by value has 3,000 records, whatever the range of rows; the scan reads a few
   * rows.
   */
  @ParameterizedTest
  @CsvSource({
    "price >= 2000, r00000, r04999, LOCAL_INDEX",
    "price >= 2000, r04000, r04020, SCAN",
    "price >= 2000, '',     r00020, SCAN",
    "price >= 2000, r04990, '',     SCAN",
    "price < 3,     r00000, r04000, LOCAL_INDEX",
  })
  void theWayIsChosenByTheRange(String where, String start, String stop, RegionPlan.Path path)
      throws IOException {
    IndexedTable indexed = spyhop.table(clustered.name());
    Query query = Query.where(where).range(Bytes.toBytes(start), Bytes.toBytes(stop));
    assertThat(rows(clustered, query)).isEqualTo(rows(clustered, query.hint(Attributes.PATH_SCAN)));
    assertThat(indexed.explain(query).regions()).extracting(RegionPlan::path).containsOnly(path);
    assertThat(indexed.explainAnalyze(query).regions())
        .extracting(RegionPlan::path)
        .containsOnly(path);
  }

  /** The root of a large file's index names few blocks, which are of the index, too. */
  @Test
  void aRangeInALargeFileIsKnownToABlockOfData() throws IOException {
    try (IndexedTableFixture deep =
        new IndexedTableFixture(
            f -> f.setBlocksize(1024).setConfiguration("hfile.index.block.max.size", "512"))) {
      List<Put> puts = new ArrayList<>();
      for (int i = 0; i < ROWS; i++) {
        byte[] row = Bytes.toBytes("r%05d".formatted(i));
        puts.add(new Put(row).addColumn(F, q("price"), Bytes.toBytes((double) i)));
      }
      deep.table().put(puts);
      deep.flushAndIndex();
      for (String[] range : new String[][] {{"r02500", "r02501"}, {"", "r00002"}, {"r04999", ""}}) {
        Query query =
            Query.where("price < 4000").range(Bytes.toBytes(range[0]), Bytes.toBytes(range[1]));
        RegionPlan plan = spyhop.table(deep.name()).explain(query).regions().get(0);
        assertThat(plan.scanCells()).as(String.join(" to ", range)).isBetween(1L, 100L);
      }
      Query half =
          Query.where("price < 4000").range(Bytes.toBytes("r01000"), Bytes.toBytes("r03500"));
      RegionPlan plan = spyhop.table(deep.name()).explain(half).regions().get(0);
      assertThat(plan.scanCells()).isBetween(2_000L, 3_000L);
    }
  }

  /** However small the pieces in which a program takes the rows. */
  @ParameterizedTest
  @CsvSource({"1, -1", "7, -1", "100, 1", "2147483647, 300"})
  void nothingIsLostWhereTheIndexTakesOver(int caching, long bytes) throws IOException {
    Scan scan =
        new Scan()
            .setFilter(new PredicateFilter(table.bind(Predicates.column("name").eq("edge"))))
            .setCaching(caching)
            .setMaxResultSize(bytes);
    List<String> plain = rows(new Scan(scan).setAttribute(Attributes.PATH_HINT, SCAN));
    long before = TestCluster.get().sum(m -> m.scansTakenOver);
    assertThat(rows(scan.setAttribute(Attributes.LIMIT, Bytes.toBytes("10")))).isEqualTo(plain);
    assertThat(plain).hasSize(2003);
    assertThat(TestCluster.get().sum(m -> m.scansTakenOver)).isEqualTo(before + 1);
  }

  /** Rows that were jumped over do not come back. */
  @Test
  void whoJumpsIsNotTakenBack() throws IOException {
    Scan scan =
        new Scan()
            .addFamily(F)
            .setFilter(new PredicateFilter(table.bind(Predicates.column("name").eq("edge"))))
            .setAttribute(Attributes.LIMIT, Bytes.toBytes("10"));
    List<Cell> cells = new ArrayList<>();
    int rows = 0;
    try (RegionScanner scanner =
        Queries.of(table, Long.MAX_VALUE, Long.MAX_VALUE)
            .open(scan, table.region().getScanner(scan))) {
      assertThat(scanner).isInstanceOf(PatientScanner.class);
      assertThat(scanner.reseek(Bytes.toBytes("r00100"))).isTrue();
      boolean more;
      do {
        more = scanner.nextRaw(cells);
        rows += cells.isEmpty() ? 0 : 1;
        cells.clear();
      } while (more);
    }
    assertThat(rows).isEqualTo(2000);
  }

  private static List<String> rows(Scan scan) throws IOException {
    List<String> cells = new ArrayList<>();
    try (ResultScanner rows = table.table().getScanner(scan)) {
      rows.forEach(r -> cells.add(r.toString()));
    }
    return cells;
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0", "-1", "ten", "99999999999999999999999"})
  void whatIsNoLimitIsRefused(String limit) {
    Scan scan =
        new Scan()
            .setFilter(new PredicateFilter(table.bind(Predicates.column("price").ge(1.0))))
            .setAttribute(Attributes.LIMIT, Bytes.toBytes(limit));
    assertThatThrownBy(
            () -> {
              try (ResultScanner rows = table.table().getScanner(scan)) {
                rows.next();
              }
            })
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining(Attributes.LIMIT);
  }

  /** It only tells the planner: the client takes as many rows as it likes. */
  @Test
  void theAnswerIsTheSame() throws IOException {
    Scan scan =
        new Scan()
            .setFilter(new PredicateFilter(table.bind(Predicates.column("price").ge(2000.0))))
            .setAttribute(Attributes.LIMIT, Bytes.toBytes("10"));
    int rows = 0;
    try (ResultScanner scanner = table.table().getScanner(scan)) {
      while (scanner.next() != null) {
        rows++;
      }
    }
    assertThat(rows).isEqualTo(ROWS - 2000);
  }
}
