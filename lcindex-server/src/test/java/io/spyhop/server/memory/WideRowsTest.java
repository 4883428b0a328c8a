package io.spyhop.server.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.client.BucketedTable;
import io.spyhop.client.DeferredIndexTable;
import io.spyhop.client.IndexAdmin;
import io.spyhop.client.IndexPage;
import io.spyhop.client.Order;
import io.spyhop.client.Paging;
import io.spyhop.client.Query;
import io.spyhop.client.RowCursor;
import io.spyhop.client.RowOrder;
import io.spyhop.client.Spyhop;
import io.spyhop.core.bucket.BucketOptions;
import io.spyhop.core.protocol.AnswerRoom;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.schema.ViewOption;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rows of 2 MB and rows of 1,000 columns, in HFiles and in memory, with little memory for queries:
 * every way of reading gives what plain scans give, and jobs let go of the blocks that they read.
 */
class WideRowsTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] PRICE = Bytes.toBytes("price");
  private static final byte[] NAME = Bytes.toBytes("name");
  private static final int ROWS = 72;
  private static final int WIDE = 2 << 20;
  private static final int COLUMNS = 1_000;
  private static final Duration LIMIT = Duration.ofMinutes(3);

  /** Of the buffers that HBase reads blocks into; all rows together take several times as much. */
  private static final int BUFFERS = 128;

  private static final TableName PLAIN = TableName.valueOf("wide");
  private static final TableName BUCKETED = TableName.valueOf("wide-bucketed");

  private static TestCluster cluster;
  private static Connection connection;
  private static Spyhop spyhop;

  /** What plain scans say of each row, by its key. */
  private static final TreeMap<String, String> EXPECTED = new TreeMap<>();

  private static final TreeMap<String, Long> PRICES = new TreeMap<>();

  @BeforeAll
  static void load() throws Exception {
    cluster =
        TestCluster.start(
            1,
            conf -> {
              conf.setLong("spyhop.query.memory", 16 << 20);
              conf.setLong("spyhop.query.sort.budget", 5 << 20);
              conf.setInt(ByteBuffAllocator.MAX_BUFFER_COUNT_KEY, BUFFERS);
            });
    Configuration conf = new Configuration(cluster.util().getConfiguration());
    conf.setLong("spyhop.client.readahead.bytes", 8 << 20);
    conf.setLong("spyhop.client.bucket.sort.bytes", 4 << 20);
    conf.setLong("spyhop.client.sort.bytes", 256 << 20);
    connection = ConnectionFactory.createConnection(conf);
    spyhop = Spyhop.connect(connection);
    TableDescriptor plain =
        TableDescriptorBuilder.newBuilder(PLAIN)
            .setColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(F)
                    .setValue(ViewOption.NAME, "true")
                    .build())
            .build();
    cluster.admin().createTable(plain, new byte[][] {Bytes.toBytes("r60")});
    spyhop
        .buckets()
        .create(
            TableDescriptorBuilder.newBuilder(BUCKETED)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                .build(),
            BucketOptions.usual(2));
    try (Table table = connection.getTable(PLAIN);
        BucketedTable bucketed = spyhop.bucketed(BUCKETED)) {
      for (int i = 0; i < ROWS; i++) {
        Put put = put(i);
        table.put(put);
        bucketed.put(put);
        if (i == 50) {
          cluster.admin().flush(PLAIN);
          cluster.admin().flush(BUCKETED);
        }
      }
      try (ResultScanner rows = table.getScanner(new Scan())) {
        rows.forEach(r -> EXPECTED.put(Bytes.toString(r.getRow()), said(r)));
      }
    }
    assertThat(EXPECTED).hasSize(ROWS);
  }

  private static Put put(int i) {
    Random random = new Random(i);
    String key = String.format("r%02d", i);
    long price = i * 7919L % ROWS / 2;
    PRICES.put(key, price);
    Put put = new Put(Bytes.toBytes(key));
    put.addColumn(F, PRICE, Bytes.toBytes(price));
    put.addColumn(F, NAME, Bytes.toBytes("n" + i % 3));
    byte[] value = new byte[i % 2 == 0 ? WIDE : 20];
    random.nextBytes(value);
    for (int c = 0; c < (i % 2 == 0 ? 1 : COLUMNS); c++) {
      put.addColumn(F, Bytes.toBytes(String.format("c%03d", c)), value);
    }
    return put;
  }

  @AfterAll
  static void stop() throws Exception {
    spyhop.close();
    connection.close();
    cluster.close();
  }

  private static String said(Result row) {
    int hash = 0;
    for (Cell c : row.rawCells()) {
      hash = 31 * hash + Arrays.hashCode(CellUtil.cloneQualifier(c));
      hash = 31 * hash + Arrays.hashCode(CellUtil.cloneValue(c));
    }
    return Bytes.toString(row.getRow()) + " " + row.size() + " " + hash;
  }

  private static List<String> expected(Predicate<String> key) {
    return EXPECTED.keySet().stream().filter(key).map(EXPECTED::get).toList();
  }

  private static List<String> reversed(List<String> rows) {
    List<String> reversed = new ArrayList<>(rows);
    Collections.reverse(reversed);
    return reversed;
  }

  /** By price, then by key. */
  private static List<String> byPrice(boolean descending) {
    List<String> keys = new ArrayList<>(EXPECTED.keySet());
    keys.sort(
        (a, b) -> {
          int c = Long.compare(PRICES.get(a), PRICES.get(b));
          return c != 0 ? (descending ? -c : c) : a.compareTo(b);
        });
    return keys.stream().map(EXPECTED::get).toList();
  }

  private static List<String> rows(TableName table, Query query) throws IOException {
    return rows(spyhop, table, query);
  }

  private static List<String> rows(Spyhop client, TableName table, Query query) throws IOException {
    List<String> rows = new ArrayList<>();
    try (RowCursor cursor = client.table(table).query(query)) {
      cursor.forEach(r -> rows.add(said(r)));
    }
    return rows;
  }

  private static List<String> rows(Table table, Scan scan) throws IOException {
    List<String> rows = new ArrayList<>();
    try (table;
        ResultScanner scanner = table.getScanner(scan)) {
      scanner.forEach(r -> rows.add(said(r)));
    }
    return rows;
  }

  private static ByteBuffAllocator buffers() {
    return cluster
        .util()
        .getMiniHBaseCluster()
        .getRegionServer(0)
        .getRpcServer()
        .getByteBuffAllocator();
  }

  /** Indexes of each kind are made of what is there, which reads all of it. */
  @ParameterizedTest
  @ValueSource(strings = {"STATS", "LOCAL", "GLOBAL"})
  void jobsLetGoOfTheBlocksTheyRead(String kind) throws Exception {
    IndexAdmin admin = spyhop.admin();
    cluster.admin().flush(PLAIN);
    long before = buffers().getHeapAllocationBytes();
    for (byte[] column : List.of(PRICE, NAME)) {
      String name = Bytes.toString(column) + "_" + kind;
      admin.createIndex(
          PLAIN,
          IndexDefinition.builder(name)
              .column("f:" + Bytes.toString(column))
              .type(column == PRICE ? ValueType.LONG : ValueType.STRING)
              .kind(IndexKind.valueOf(kind))
              .build());
    }
    admin.waitUntilActive(PLAIN, LIMIT);
    assertThat(buffers().getHeapAllocationBytes() - before)
        .as("bytes of blocks for which the pool had no buffer left")
        .isLessThan(WIDE);
    everyWayOfReading();
    for (byte[] column : List.of(PRICE, NAME)) {
      admin.dropIndex(PLAIN, Bytes.toString(column) + "_" + kind);
    }
  }

  private void everyWayOfReading() throws IOException {
    String price = "CAST(price AS LONG)";
    List<String> some = expected(k -> PRICES.get(k) >= 3 && PRICES.get(k) <= 12);
    for (String path : List.of(Attributes.PATH_SCAN, Attributes.PATH_INDEX)) {
      Query query = Query.where(price + " BETWEEN 3 AND 12").hint(path);
      assertThat(rows(PLAIN, query)).as(path).isEqualTo(some);
      assertThat(rows(PLAIN, query.caching(1))).isEqualTo(some);
      assertThat(rows(PLAIN, query.limit(5))).isEqualTo(some.subList(0, 5));
      for (boolean descending : new boolean[] {false, true}) {
        Query ordered = Query.all().orderBy(price, descending ? Order.DESC : Order.ASC).hint(path);
        List<String> all = byPrice(descending);
        assertThat(rows(PLAIN, ordered)).as("%s", ordered).isEqualTo(all);
        assertThat(rows(PLAIN, ordered.limit(7))).isEqualTo(all.subList(0, 7));
      }
    }
    Query named = Query.where("CAST(name AS STRING) = 'n1'");
    for (String path : List.of(Attributes.PATH_AUTO, Attributes.PATH_INDEX)) {
      assertThat(rows(PLAIN, named.hint(path)))
          .isEqualTo(expected(k -> Integer.parseInt(k.substring(1)) % 3 == 1));
    }
    aListOfGets();
  }

  /** What has no room in the answer of a server is asked for again, and all others come. */
  private void aListOfGets() throws IOException {
    List<Get> gets = new ArrayList<>();
    for (String key : EXPECTED.keySet()) {
      Get get = new Get(Bytes.toBytes(key));
      AnswerRoom.bound(get, 2 * WIDE);
      gets.add(get);
    }
    try (Table table = connection.getTable(PLAIN)) {
      List<Result> came =
          Arrays.stream(table.get(gets)).filter(r -> !AnswerRoom.isLater(r)).toList();
      assertThat(came.stream().map(WideRowsTest::said).toList())
          .isEqualTo(List.copyOf(EXPECTED.values()).subList(0, came.size()))
          .isNotEmpty();
      assertThat(came.stream().mapToLong(Result::getTotalSizeOfCells).sum()).isLessThan(4L * WIDE);
    }
  }

  /** Of a column whose values are wide. */
  @Test
  void pagesOfAnIndexEndByBytes() throws Exception {
    spyhop
        .admin()
        .createIndex(
            PLAIN,
            IndexDefinition.builder("values")
                .column("f:c000")
                .type(ValueType.BYTES)
                .kind(IndexKind.GLOBAL)
                .build());
    spyhop.admin().waitUntilActive(PLAIN, LIMIT);
    DeferredIndexTable index = spyhop.deferred(PLAIN, "values");
    List<String> keys = new ArrayList<>();
    for (Optional<Paging> p = Optional.of(Paging.first(ROWS)); p.isPresent(); ) {
      IndexPage page = index.readRange(null, null, Long.MAX_VALUE, 1, p.get());
      assertThat(page.cells().stream().mapToLong(c -> c.value().length).sum())
          .isLessThan(6L * WIDE);
      page.cells().forEach(c -> keys.add(Bytes.toString(c.row())));
      p = page.next().map(next -> Paging.from(ROWS, next));
    }
    assertThat(keys).containsExactlyInAnyOrderElementsOf(EXPECTED.keySet());
    spyhop.admin().dropIndex(PLAIN, "values");
  }

  /** A page of entries leads to more than what one query may hold. */
  @Test
  void theOrderOfAGlobalIndex() throws Exception {
    spyhop
        .admin()
        .createIndex(
            PLAIN,
            IndexDefinition.builder("prices")
                .column("f:price")
                .type(ValueType.LONG)
                .kind(IndexKind.GLOBAL)
                .build());
    spyhop.admin().waitUntilActive(PLAIN, LIMIT);
    Configuration little = new Configuration(connection.getConfiguration());
    little.setLong("spyhop.client.sort.bytes", 12L * WIDE);
    try (Connection own = ConnectionFactory.createConnection(little);
        Spyhop other = Spyhop.connect(own)) {
      Query query = Query.all().orderBy("price").limit(16).hint(Attributes.PATH_INDEX);
      assertThat(rows(other, PLAIN, query)).isEqualTo(byPrice(false).subList(0, 16));
      // The index's order was given up, so that all rows were read, and the first ones kept.
      assertThat(other.table(PLAIN).explainAnalyze(query).global().orElseThrow().rowsRead())
          .isEqualTo(ROWS);
    }
    spyhop.admin().dropIndex(PLAIN, "prices");
  }

  /** Clients that cannot sort, and that together ask for more than there is memory for. */
  @Test
  void ordersAtTheSameTime() throws Exception {
    spyhop
        .admin()
        .createIndex(
            PLAIN,
            IndexDefinition.builder("local")
                .column("f:price")
                .type(ValueType.LONG)
                .kind(IndexKind.LOCAL)
                .build());
    spyhop.admin().waitUntilActive(PLAIN, LIMIT);
    Configuration little = new Configuration(connection.getConfiguration());
    little.setLong("spyhop.client.sort.bytes", WIDE);
    ExecutorService clients = Executors.newFixedThreadPool(8);
    try (Connection own = ConnectionFactory.createConnection(little);
        Spyhop other = Spyhop.connect(own)) {
      List<Future<List<String>>> answers = new ArrayList<>();
      Query query = Query.all().orderBy("price").hint(Attributes.PATH_INDEX);
      for (int i = 0; i < 8; i++) {
        answers.add(clients.submit(() -> rows(other, PLAIN, query)));
      }
      for (Future<List<String>> answer : answers) {
        assertThat(answer.get()).isEqualTo(byPrice(false));
      }
    } finally {
      clients.shutdownNow();
    }
    spyhop.admin().dropIndex(PLAIN, "local");
  }

  /** The table's family has a sorted view. */
  @Test
  void plainScans() throws IOException {
    List<String> all = expected(k -> true);
    assertThat(rows(connection.getTable(PLAIN), new Scan().setCaching(3))).isEqualTo(all);
    assertThat(rows(connection.getTable(PLAIN), new Scan().setReversed(true)))
        .isEqualTo(reversed(all));
    assertThat(rows(connection.getTable(PLAIN), new Scan().setFilter(filter())))
        .isEqualTo(expected(k -> PRICES.get(k) >= 9));
    List<String> page =
        rows(connection.getTable(PLAIN), new Scan().setFilter(new PageFilter(4)).setLimit(4));
    assertThat(page).isEqualTo(all.subList(0, 4));
  }

  private static SingleColumnValueFilter filter() {
    return new SingleColumnValueFilter(
        F, PRICE, CompareOperator.GREATER_OR_EQUAL, Bytes.toBytes(9L));
  }

  @Test
  void bucketedTables() throws IOException {
    List<String> all = expected(k -> true);
    List<String> some = expected(k -> PRICES.get(k) >= 9);
    assertThat(rows(spyhop.bucketed(BUCKETED), new Scan())).isEqualTo(all);
    assertThat(rows(spyhop.bucketed(BUCKETED), new Scan().setReversed(true)))
        .isEqualTo(reversed(all));
    assertThat(rows(spyhop.bucketed(BUCKETED), new Scan().setLimit(5)))
        .isEqualTo(all.subList(0, 5));
    assertThat(rows(spyhop.bucketed(BUCKETED), new Scan().setFilter(filter()))).isEqualTo(some);
    assertThat(rows(spyhop.bucketed(BUCKETED), new Scan().setFilter(filter()).setReversed(true)))
        .isEqualTo(reversed(some));
    Query query = Query.where("CAST(price AS LONG) >= 9");
    assertThat(rows(BUCKETED, query)).isEqualTo(some);
    assertThat(rows(BUCKETED, query.rowOrder(RowOrder.ANY)))
        .containsExactlyInAnyOrderElementsOf(some);
  }
}
