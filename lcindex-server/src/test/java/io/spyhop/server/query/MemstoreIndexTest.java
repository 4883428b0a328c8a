package io.spyhop.server.query;

import static io.spyhop.core.predicate.Predicates.column;
import static io.spyhop.server.testing.IndexedTableFixture.F;
import static io.spyhop.server.testing.IndexedTableFixture.q;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spyhop.client.Query;
import io.spyhop.client.Spyhop;
import io.spyhop.core.predicate.Predicate;
import io.spyhop.core.predicate.PredicateFilter;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.protocol.RegionPlan;
import io.spyhop.core.schema.DescriptorChange;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.schema.Layout;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.testing.IndexedTableFixture;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.PackagePrivateFieldAccessor;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Rows of a memstore are found by the log of its writes, whatever else happens. */
class MemstoreIndexTest {
  private static final int ROWS = 2_000;
  private static final Predicate CHEAP = column("price").between(0.0, 9.0);
  private static final Predicate BOTH = CHEAP.and(column("name").eq("n3"));

  private static IndexedTableFixture table(TestCluster cluster) throws IOException {
    return new IndexedTableFixture(cluster, Layout.COLUMNAR, f -> f);
  }

  private static Put put(int row, double price, String name) {
    return new Put(Bytes.toBytes("row%05d".formatted(row)))
        .addColumn(F, q("price"), Bytes.toBytes(price))
        .addColumn(F, q("name"), Bytes.toBytes(name));
  }

  private static void write(IndexedTableFixture t) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      puts.add(put(i, i / 10 % 100, "n" + i % 10));
    }
    t.table().put(puts);
  }

  /** How many cells of the memstore a query looks at. */
  private static long cells(TestCluster cluster, IndexedTableFixture t, Predicate where)
      throws IOException {
    try (Spyhop spyhop = Spyhop.connect(cluster.connection())) {
      RegionPlan plan =
          spyhop.table(t.name()).explainAnalyze(Query.where(where).hint("price")).regions().get(0);
      RegionPlan.Actual actual = plan.actual().orElseThrow();
      assertThat(actual.fallback()).isEmpty();
      return actual.uncoveredCells();
    }
  }

  @Test
  void looksAtRowsInRangeAlone() throws IOException {
    TestCluster cluster = TestCluster.get();
    try (IndexedTableFixture t = table(cluster)) {
      write(t);
      assertThat(t.agreed(CHEAP)).hasSize(200);
      assertThat(cells(cluster, t, CHEAP)).isEqualTo(400);
      assertThat(t.agreed(BOTH)).hasSize(20);
      assertThat(cells(cluster, t, BOTH)).as("no HFile has them").isEqualTo(40);
      t.flushAndIndex();
      assertThat(cells(cluster, t, CHEAP)).isZero();
      t.table().put(put(3, 50, "n3"));
      t.table().put(put(5, 5, "n3"));
      assertThat(t.agreed(BOTH)).hasSize(20);
      assertThat(cells(cluster, t, BOTH)).isEqualTo(2);
    }
  }

  /** Increments excepted, which no type of the table's columns knows. */
  @Test
  void everyKindOfWrite() throws IOException {
    TestCluster cluster = TestCluster.get();
    try (IndexedTableFixture t = table(cluster)) {
      write(t);
      t.table().delete(new Delete(Bytes.toBytes("row00003")));
      t.table().delete(new Delete(Bytes.toBytes("row00013")).addColumns(F, q("name")));
      t.table().append(new Append(Bytes.toBytes("row00014")).addColumn(F, q("name"), q("")));
      t.table().append(new Append(Bytes.toBytes("row00005")).addColumn(F, q("name"), q("5")));
      RowMutations both = new RowMutations(Bytes.toBytes("row00023"));
      both.add(new Delete(Bytes.toBytes("row00023")).addColumns(F, q("price"), 1));
      both.add(put(23, 2_000, "n3"));
      t.table().mutateRow(both);
      t.table()
          .checkAndMutate(Bytes.toBytes("row01999"), F)
          .qualifier(q("name"))
          .ifEquals(q("n9"))
          .thenPut(put(1_999, 3, "n3"));
      Put timed = put(1_998, 3, "n3");
      t.table().put(timed.setTTL(3_600_000));
      t.put("row01997", "price", new byte[] {1});
      t.put("row01997", "name", q("n3"));
      assertThat(t.agreed(BOTH)).hasSize(19).contains("row01998", "row01999");
      assertThat(t.agreed(CHEAP.and(column("name").isNull()))).containsExactly("row00013");
      assertThat(t.agreed(CHEAP.and(column("name").eq("n55")))).containsExactly("row00005");
      assertThat(cells(cluster, t, BOTH)).isBetween(40L, 80L);
    }
  }

  /** A column that is declared later is read cell by cell until the memstore was read. */
  @Test
  void columnIsDeclaredLater() throws IOException {
    TestCluster cluster = TestCluster.get();
    try (IndexedTableFixture t = table(cluster)) {
      write(t);
      IndexDefinition price =
          IndexSchema.of(cluster.admin().getDescriptor(t.name())).index("price").orElseThrow();
      DescriptorChange.apply(
          cluster.admin(), t.name(), d -> IndexSchema.withoutIndex(d, price.name()));
      Regions.refresh(cluster, t.name());
      t.table().put(put(ROWS, 5, "n3"));
      DescriptorChange.apply(
          cluster.admin(),
          t.name(),
          d ->
              IndexSchema.withIndex(
                  d,
                  IndexDefinition.builder("price")
                      .column("f:price")
                      .type(ValueType.DOUBLE)
                      .layout(Layout.COLUMNAR)
                      .build()));
      Regions.refresh(cluster, t.name());
      assertThat(t.agreed(BOTH)).hasSize(21);
      awaitLogged(cluster, t, 50);
      assertThat(t.agreed(BOTH)).hasSize(21);
    }
  }

  private static void awaitLogged(TestCluster cluster, IndexedTableFixture t, long cells) {
    await("the memstore to be read")
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(20))
        .until(() -> cells(cluster, t, BOTH) <= cells);
  }

  /** Edits that are restored pass by the hooks of writes. */
  @Test
  void serverIsLost() throws IOException {
    TestCluster cluster = TestCluster.get();
    try (IndexedTableFixture t = table(cluster)) {
      write(t);
      cluster.replace(cluster.serverOf(t.region()));
      assertThat(t.agreed(BOTH)).hasSize(20);
      t.table().put(put(ROWS, 5, "n3"));
      assertThat(t.agreed(BOTH)).hasSize(21);
      awaitLogged(cluster, t, 50);
    }
  }

  @Test
  void logWithoutRoom() throws Exception {
    try (TestCluster cluster =
            TestCluster.start(1, conf -> conf.setLong("spyhop.memstore.index.bytes", 20_000));
        IndexedTableFixture t = table(cluster)) {
      t.table().put(put(0, 5, "n3"));
      assertThat(cluster.sum(m -> m.droppedLogs)).isZero();
      write(t);
      assertThat(t.agreed(BOTH)).hasSize(20);
      assertThat(cells(cluster, t, BOTH)).isGreaterThan(2L * ROWS);
      assertThat(cluster.sum(m -> m.droppedLogs)).isEqualTo(1);
      t.flushAndIndex();
      t.table().put(put(ROWS, 5, "n3"));
      assertThat(t.agreed(BOTH)).hasSize(21);
      assertThat(cells(cluster, t, BOTH)).as("the next generation").isEqualTo(2);
    }
  }

  private static RegionScanner open(HRegion region, Scan scan) throws IOException {
    region.getCoprocessorHost().preScannerOpen(scan);
    return region.getCoprocessorHost().postScannerOpen(scan, region.getScanner(scan));
  }

  private static Scan scan(IndexedTableFixture t, String path) {
    Scan scan = new Scan().addFamily(F).setFilter(new PredicateFilter(t.bind(BOTH)));
    scan.setAttribute(Attributes.PATH_HINT, Bytes.toBytes(path));
    return scan;
  }

  private static List<String> rest(RegionScanner scanner) throws IOException {
    List<String> all = new ArrayList<>();
    List<Cell> cells = new ArrayList<>();
    boolean more = true;
    while (more) {
      more = scanner.nextRaw(cells);
      cells.forEach(
          c ->
              all.add(
                  c
                      + "="
                      + Bytes.toStringBinary(
                          c.getValueArray(), c.getValueOffset(), c.getValueLength())));
      cells.clear();
    }
    return all;
  }

  /** A query sees what was there when its scanner was opened, though it looks later. */
  @Test
  void writesAndFlushesAfterTheScannerIsOpen() throws IOException {
    TestCluster cluster = TestCluster.get();
    try (IndexedTableFixture t = table(cluster)) {
      write(t);
      HRegion region = t.region();
      try (RegionScanner index = open(region, scan(t, "price"));
          RegionScanner plain = open(region, scan(t, Attributes.PATH_SCAN))) {
        region.put(put(3, 500, "n3"));
        region.flush(true);
        region.put(put(13, 500, "n3"));
        region.put(put(900, 5, "n3"));
        assertThat(rest(index)).hasSize(40).isEqualTo(rest(plain));
      }
      assertThat(t.agreed(BOTH)).hasSize(19).contains("row00900");
    }
  }

  /** At each query's own read point the index gives what a plain scan does. */
  @Test
  void writersAndFlushesBesideQueries() throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(3);
    AtomicBoolean over = new AtomicBoolean();
    try (IndexedTableFixture t = table(TestCluster.get())) {
      HRegion region = t.region();
      List<Future<?>> others = new ArrayList<>();
      others.add(pool.submit(() -> write(region, 1, over)));
      others.add(pool.submit(() -> write(region, 2, over)));
      others.add(pool.submit(() -> flush(region, over)));
      int found = 0;
      for (int i = 0; i < 120 || found < 400; i++) {
        Scan asked = scan(t, "price");
        try (RegionScanner index = open(region, asked)) {
          Scan same = scan(t, Attributes.PATH_SCAN);
          PackagePrivateFieldAccessor.setMvccReadPoint(same, index.getMvccReadPoint());
          List<String> answer = rest(index);
          try (RegionScanner plain = region.getScanner(same)) {
            assertThat(answer).isEqualTo(rest(plain));
          }
          found += answer.size();
        }
      }
      over.set(true);
      for (Future<?> f : others) {
        f.get();
      }
    } finally {
      over.set(true);
      pool.shutdownNow();
    }
  }

  private static Void write(HRegion region, long seed, AtomicBoolean over) throws IOException {
    Random r = new Random(seed);
    while (!over.get()) {
      int row = r.nextInt(ROWS);
      if (r.nextInt(20) == 0) {
        region.delete(new Delete(Bytes.toBytes("row%05d".formatted(row))));
      } else if (r.nextInt(10) == 0) {
        region.put(
            new Put(Bytes.toBytes("row%05d".formatted(row)))
                .addColumn(F, q("name"), q("n" + r.nextInt(10))));
      } else {
        region.put(put(row, r.nextInt(100), "n" + r.nextInt(10)));
      }
    }
    return null;
  }

  private static Void flush(HRegion region, AtomicBoolean over) throws IOException {
    for (int i = 1; !over.get(); i++) {
      region.flush(true);
      if (i % 5 == 0) {
        region.compact(i % 10 == 0);
      }
    }
    return null;
  }
}
