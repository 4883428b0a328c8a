package io.spyhop.server.query;

import static io.spyhop.server.testing.IndexedTableFixture.F;
import static io.spyhop.server.testing.IndexedTableFixture.q;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.client.IndexedTable;
import io.spyhop.client.InvalidQueryException;
import io.spyhop.client.Order;
import io.spyhop.client.Query;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import io.spyhop.core.order.OrderRefusedException;
import io.spyhop.core.order.OrderRequest;
import io.spyhop.core.order.ValueOrder;
import io.spyhop.core.order.ValueOrderFilter;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.Predicates;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.protocol.RegionPlan;
import io.spyhop.server.testing.IndexedTableFixture;
import io.spyhop.server.testing.Queries;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.ScannerLeases;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows in the order of a column's values are those of the plain scan, sorted. */
class ValueOrderTest {
  private static IndexedTableFixture table;
  private static Spyhop spyhop;

  @BeforeAll
  static void create() throws IOException {
    table = new IndexedTableFixture(f -> f.setMaxVersions(2));
    spyhop = Spyhop.connect(TestCluster.get().connection());
  }

  @AfterAll
  static void drop() throws IOException {
    spyhop.close();
    table.close();
  }

  /** What is left of the rows are delete markers, which a compaction drops. */
  @AfterEach
  void empty() throws IOException {
    try (ResultScanner rows = table.table().getScanner(new Scan().setRaw(true))) {
      for (Result row : rows) {
        table.table().delete(new Delete(row.getRow()));
      }
    }
    table.region().flush(true);
    table.region().compact(true);
  }

  private IndexedTable indexed() {
    return spyhop.table(table.name());
  }

  private List<String> rows(Query query) throws IOException {
    return rows(table, query);
  }

  private List<String> rows(IndexedTableFixture of, Query query) throws IOException {
    List<String> rows = new ArrayList<>();
    try (RowCursor cursor = spyhop.table(of.name()).query(query)) {
      cursor.forEach(r -> rows.add(Bytes.toString(r.getRow())));
    }
    return rows;
  }

  /** In order from the index, and the same as sorted by the client. */
  private List<String> agreed(Query query) throws IOException {
    List<String> sorted = rows(query.hint(Attributes.PATH_SCAN));
    Query byIndex = query.hint(Attributes.PATH_INDEX);
    assertThat(rows(byIndex)).isEqualTo(sorted);
    RegionPlan plan = indexed().explainAnalyze(byIndex).regions().get(0);
    assertThat(plan.reason()).startsWith("in the order of");
    assertThat(plan.actual().orElseThrow().fallback()).isEmpty();
    return sorted;
  }

  private void bytes(String row, String column, byte[] value) throws IOException {
    table.put(row, column, value);
  }

  @Test
  void eachRowStandsAtItsPresentValue() throws IOException {
    for (int i = 0; i < 30; i++) {
      table.price("r%02d".formatted(i), i);
    }
    table.flushAndIndex();
    table.price("r03", 100);
    table.price("r29", -1);
    table.table().delete(new Delete(Bytes.toBytes("r05")));
    table.flushAndIndex();
    table.table().delete(new Delete(Bytes.toBytes("r07")).addColumns(F, q("price")));
    table.price("r08", 50);
    table.table().delete(new Delete(Bytes.toBytes("r09")).addColumn(F, q("price")));
    table.price("r10", 10);
    List<String> up = agreed(Query.all().orderBy("price"));
    assertThat(up).hasSize(27).startsWith("r29", "r00", "r01", "r02", "r04", "r06", "r10");
    assertThat(up).endsWith("r28", "r08", "r03");
    assertThat(agreed(Query.all().orderBy("price", Order.DESC).limit(3)))
        .containsExactly("r03", "r08", "r28");
    assertThat(agreed(Query.where("price BETWEEN 2 AND 12").orderBy("f:price", Order.DESC)))
        .containsExactly("r12", "r11", "r10", "r06", "r04", "r02");
  }

  @Test
  void anOlderVersionComesBackWhenTheNewestGoes() throws IOException {
    table.price("a", 1, 10);
    table.price("a", 9, 20);
    table.price("b", 5, 10);
    table.flushAndIndex();
    assertThat(agreed(Query.all().orderBy("price"))).containsExactly("b", "a");
    table.table().delete(new Delete(Bytes.toBytes("a")).addColumn(F, q("price"), 20));
    assertThat(agreed(Query.all().orderBy("price"))).containsExactly("a", "b");
  }

  /** Cells with a TTL of their own expire while a scan goes on: it has what there was first. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aRowComesOnceWhenItsValueExpires(boolean flushed) throws IOException {
    for (int i = 0; i < 60; i++) {
      table.price("r%02d".formatted(i), i);
    }
    table.price("first", 100, 10);
    table.price("last", -1, 10);
    List<String> rows = new ArrayList<>();
    for (long lifetime = 3_000; rows.isEmpty(); lifetime *= 3) {
      rows = whileTheyExpire(lifetime, flushed);
    }
    assertThat(rows).hasSize(62).startsWith("first", "r00", "r01", "r02").endsWith("r59", "last");
    assertThat(agreed(Query.all().orderBy("price"))).startsWith("last").endsWith("first");
  }

  /** None if the machine was too slow, and they expired before. */
  private List<String> whileTheyExpire(long lifetime, boolean flushed) throws IOException {
    long written = System.currentTimeMillis();
    expiring("first", -2, lifetime);
    expiring("last", 101, lifetime);
    if (flushed) {
      table.flushAndIndex();
    }
    List<String> rows = new ArrayList<>();
    try (ResultScanner scanner = table.table().getScanner(inOrder())) {
      for (int i = 0; i < 3; i++) {
        rows.add(Bytes.toString(scanner.next().getRow()));
      }
      if (System.currentTimeMillis() - written >= lifetime) {
        return List.of();
      }
      Awaitility.await("the cells to expire")
          .atMost(2 * lifetime, TimeUnit.MILLISECONDS)
          .until(() -> rows(Query.where("price = 100 OR price = -1")).size() == 2);
      scanner.forEach(row -> rows.add(Bytes.toString(row.getRow())));
    }
    return rows;
  }

  private static void expiring(String row, double price, long lifetime) throws IOException {
    Put put = new Put(Bytes.toBytes(row)).addColumn(F, q("price"), Bytes.toBytes(price));
    table.table().put(put.setTTL(lifetime));
  }

  /** Rows that are met once are not kept, of the others so many as have room; then, a refusal. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void rowsThatExpireAreKeptWithinBounds(boolean metTwice) throws IOException {
    for (int i = 0; i < 2_000; i++) {
      String row = "r%04d".formatted(i);
      if (metTwice) {
        table.price(row, i + 5_000, 10);
      }
      expiring(row, i, 3_600_000);
    }
    table.flushAndIndex();
    Scan scan = inOrder();
    RegionQueries queries = Queries.of(table, Long.MAX_VALUE, 128 << 10);
    List<Cell> cells = new ArrayList<>();
    try (RegionScanner scanner = queries.open(scan, table.region().getScanner(scan))) {
      ThrowingCallable reading =
          () -> {
            while (scanner.nextRaw(cells)) {
              // Until its end.
            }
          };
      if (metTwice) {
        assertThatThrownBy(reading)
            .isInstanceOf(OrderRefusedException.class)
            .hasMessageContaining("spyhop.query.sort.budget");
      } else {
        assertThatCode(reading).doesNotThrowAnyException();
      }
    }
    assertThat(cells).hasSizeBetween(metTwice ? 100 : 2_000, metTwice ? 1_900 : 2_000);
  }

  private Scan inOrder() throws IOException {
    BoundPredicate all = table.bind(Predicates.column("price").ge(-2.0));
    ValueOrder order = new ValueOrder(all.columns().get(0), false);
    OrderRequest request = new OrderRequest(all, order, new byte[0], Optional.empty());
    return new Scan()
        .setCaching(1)
        .setAttribute(Attributes.PATH_HINT, Bytes.toBytes(Attributes.PATH_INDEX))
        .setFilter(new ValueOrderFilter(request));
  }

  @Test
  void equalValuesComeByRowInBothDirections() throws IOException {
    for (int i = 0; i < 2000; i++) {
      table.price("r%04d".formatted(i * 7919 % 2000), i * 7919 % 2000 % 3);
    }
    table.flushAndIndex();
    table.price("r0004", 1);
    table.price("r0003", 1);
    assertThat(agreed(Query.all().orderBy("price").limit(2))).containsExactly("r0000", "r0006");
    assertThat(agreed(Query.all().orderBy("price", Order.DESC).limit(3)))
        .containsExactly("r0002", "r0005", "r0008");
    assertThat(agreed(Query.all().orderBy("price", Order.DESC))).hasSize(2000);
  }

  @Test
  void oddNumbersStandWhereConditionsHaveThem() throws IOException {
    double[] odd = {
      Double.NaN, 0.0, -0.0, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 1e-300, -1
    };
    for (int i = 0; i < odd.length; i++) {
      table.price("r" + i, odd[i]);
    }
    bytes("undecodable", "price", new byte[3]);
    bytes("absent", "name", Bytes.toBytes("x"));
    table.flushAndIndex();
    assertThat(agreed(Query.all().orderBy("price")))
        .containsExactly("r4", "r6", "r1", "r2", "r5", "r3", "r0");
    assertThat(agreed(Query.all().orderBy("price", Order.DESC)))
        .containsExactly("r0", "r3", "r5", "r1", "r2", "r6", "r4");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void valuesThatShareAKeyAreOrderedByThemselves(boolean flushed) throws IOException {
    String cut = "x".repeat(600);
    String[] names = {cut + "b", cut, "x".repeat(512), cut + "a", "x".repeat(513), "y", "w"};
    String many = "1.0000000000000000000000000000000000000";
    String[] amounts = {many + "2", "1", many + "1", "1.0", "-" + many + "1", "-1", "2"};
    for (int i = 0; i < names.length; i++) {
      bytes("r" + i, "name", Bytes.toBytes(names[i]));
      bytes("r" + i, "amount", Bytes.toBytes(new BigDecimal(amounts[i])));
    }
    if (flushed) {
      table.flushAndIndex();
    }
    assertThat(agreed(Query.all().orderBy("name")))
        .containsExactly("r6", "r2", "r4", "r1", "r3", "r0", "r5");
    assertThat(agreed(Query.all().orderBy("name", Order.DESC).limit(3)))
        .containsExactly("r5", "r0", "r3");
    assertThat(agreed(Query.all().orderBy("amount")))
        .containsExactly("r4", "r5", "r1", "r3", "r2", "r0", "r6");
    assertThat(agreed(Query.all().orderBy("amount", Order.DESC)))
        .containsExactly("r6", "r0", "r2", "r1", "r3", "r5", "r4");
  }

  @Test
  void numbersWithoutAKeyAreSortedByTheClient() throws IOException {
    bytes("a", "amount", Bytes.toBytes(new BigDecimal("1e5000")));
    bytes("b", "amount", Bytes.toBytes(new BigDecimal("1")));
    bytes("c", "amount", Bytes.toBytes(new BigDecimal("-1e5000")));
    Query query = Query.all().orderBy("amount").hint(Attributes.PATH_INDEX);
    assertThat(rows(query)).containsExactly("c", "b", "a");
    table.flushAndIndex();
    assertThat(rows(query)).containsExactly("c", "b", "a");
  }

  @Test
  void aColumnWithoutAnIndexIsSortedByTheClient() throws IOException {
    for (int i = 0; i < 5; i++) {
      bytes("r" + i, "other", Bytes.toBytes((long) (i * 3 % 5)));
    }
    assertThat(rows(Query.all().orderBy("CAST(other AS LONG)", Order.DESC).limit(2)))
        .containsExactly("r3", "r1");
    assertThat(rows(Query.all())).containsExactly("r0", "r1", "r2", "r3", "r4");
    assertThatThrownBy(() -> indexed().filter(Query.all()))
        .isInstanceOf(InvalidQueryException.class)
        .hasMessageContaining("has no filter");
  }

  @Test
  void whatIsNotSelectedIsNotReturned() throws IOException {
    table.price("a", 2);
    bytes("b", "name", Bytes.toBytes("n"));
    table.price("b", 1);
    table.flushAndIndex();
    for (String path : List.of(Attributes.PATH_SCAN, Attributes.PATH_INDEX)) {
      Query query = Query.all().select("f:name").orderBy("price", Order.DESC).limit(1).hint(path);
      try (RowCursor cursor = indexed().query(query)) {
        List<Result> rows = new ArrayList<>();
        cursor.forEach(rows::add);
        assertThat(rows).hasSize(1);
        assertThat(rows.get(0).size()).isEqualTo(1);
      }
    }
  }

  /** The table has two regions; something happens when a part of the rows is read. */
  @ParameterizedTest
  @ValueSource(strings = {"move", "split", "merge", "update", "lease"})
  void aQueryGoesOnByValueAndRow(String what) throws Exception {
    try (IndexedTableFixture two =
        IndexedTableFixture.with(
            TestCluster.get(),
            t -> t.setColumnFamily(ColumnFamilyDescriptorBuilder.of(F)),
            "r080")) {
      for (int i = 0; i < 200; i++) {
        two.price("r%03d".formatted(i), i * 37 % 50);
      }
      two.flushAndIndex();
      Query query = Query.all().orderBy("price", Order.DESC).caching(7);
      List<String> expected = rows(two, query);
      assertThat(expected).hasSize(200);
      List<String> read = new ArrayList<>();
      Map<HRegionServer, Set<String>> leases = leases();
      try (RowCursor cursor = spyhop.table(two.name()).query(query)) {
        for (Result row : cursor) {
          read.add(Bytes.toString(row.getRow()));
          if (read.size() == 60 && what.equals("lease")) {
            assertThat(expire(leases)).isPositive();
          } else if (read.size() == 60) {
            happens(two, what, expected.get(10));
          }
        }
      }
      expire(leases); // Scanners of regions that moved would be counted in a later test.
      assertThat(read).isEqualTo(expected);
    }
  }

  private static Map<HRegionServer, Set<String>> leases() {
    return TestCluster.get().util().getMiniHBaseCluster().getRegionServerThreads().stream()
        .map(RegionServerThread::getRegionServer)
        .collect(Collectors.toMap(s -> s, ScannerLeases::names));
  }

  private static int expire(Map<HRegionServer, Set<String>> before) {
    return before.entrySet().stream()
        .mapToInt(e -> ScannerLeases.expire(e.getKey(), e.getValue()))
        .sum();
  }

  private static void happens(IndexedTableFixture two, String what, String handedOut)
      throws Exception {
    Admin admin = TestCluster.get().admin();
    List<byte[]> regions =
        admin.getRegions(two.name()).stream().map(RegionInfo::getEncodedNameAsBytes).toList();
    switch (what) {
      case "split" -> {
        byte[] name = admin.getRegions(two.name()).get(0).getRegionName();
        admin.splitRegionAsync(name, Bytes.toBytes("r040")).get();
      }
      case "merge" ->
          admin.mergeRegionsAsync(regions.toArray(new byte[0][]), /* forcible= */ true).get();
      default -> {
        if (what.equals("update")) {
          two.price(handedOut, -1); // to behind the reader: the row must not come again
        }
        for (byte[] region : regions) {
          admin.move(region);
        }
      }
    }
  }
}
