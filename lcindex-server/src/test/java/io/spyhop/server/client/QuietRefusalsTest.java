package io.spyhop.server.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.client.BucketedTable;
import io.spyhop.client.IndexedTable;
import io.spyhop.client.Order;
import io.spyhop.client.Query;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import io.spyhop.core.bucket.BucketOptions;
import io.spyhop.core.order.KeyOrderFilter;
import io.spyhop.core.order.KeyOrderRequest;
import io.spyhop.core.order.OrderResetException;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.protocol.Refusal;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Refusals of regions, after which the client reads in another way, are no failures: nothing of
 * them is on standard error, where HBase's client prints whatever a scan is thrown.
 */
class QuietRefusalsTest {
  private static final TestCluster CLUSTER = TestCluster.get();
  private static final TableName NAME = TableName.valueOf("quiet");
  private static final byte[] F = Bytes.toBytes("f");
  private static final int ROWS = 26;

  private final PrintStream err = System.err;
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final Map<String, Integer> values = new TreeMap<>();
  private final List<TableName> made = new ArrayList<>(List.of(NAME));
  private Spyhop spyhop;
  private Spyhop others;
  private Table plain;

  @BeforeEach
  void fill() throws IOException {
    CLUSTER
        .admin()
        .createTable(
            TableDescriptorBuilder.newBuilder(NAME)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                .build(),
            new byte[][] {Bytes.toBytes("i"), Bytes.toBytes("r")});
    spyhop = Spyhop.connect(CLUSTER.connection());
    others = Spyhop.connect(CLUSTER.connection());
    plain = CLUSTER.connection().getTable(NAME);
    for (int i = 0; i < ROWS; i++) {
      String row = String.valueOf((char) ('a' + i));
      values.put(row, 17 * i % ROWS);
      plain.put(
          new Put(Bytes.toBytes(row))
              .addColumn(F, Bytes.toBytes("n"), Bytes.toBytes(values.get(row)))
              .addColumn(F, Bytes.toBytes("m"), Bytes.toBytes(i)));
    }
    System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
  }

  @AfterEach
  void nothingIsPrinted() throws IOException {
    System.setErr(err);
    spyhop.close();
    others.close();
    plain.close();
    for (TableName name : made) {
      CLUSTER.admin().disableTable(name);
      CLUSTER.admin().deleteTable(name);
    }
    assertThat(printed.toString(StandardCharsets.UTF_8)).isEmpty();
  }

  private void declare(IndexKind kind, String column, ValueType type) throws IOException {
    others
        .admin()
        .createIndex(
            NAME,
            IndexDefinition.builder(column).kind(kind).column("f:" + column).type(type).build());
    others.admin().waitUntilActive(NAME, Duration.ofSeconds(60));
  }

  private static List<String> rows(IndexedTable table, Query query) throws IOException {
    List<String> rows = new ArrayList<>();
    try (RowCursor cursor = table.query(query)) {
      for (Result row : cursor) {
        rows.add(Bytes.toString(row.getRow()));
      }
    }
    return rows;
  }

  private List<String> sorted(boolean descending, int limit) {
    Comparator<Map.Entry<String, Integer>> order = Map.Entry.comparingByValue();
    return values.entrySet().stream()
        .sorted(descending ? order.reversed() : order)
        .limit(limit)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** By an index that has the order, and by one whose regions find sorting cheaper. */
  @ParameterizedTest
  @EnumSource(IndexKind.class)
  void ordersOfEveryKind(IndexKind kind) throws Exception {
    declare(kind, "n", ValueType.INT);
    declare(kind == IndexKind.GLOBAL ? IndexKind.LOCAL : kind, "m", ValueType.INT);
    for (int flushed = 0; flushed < 2; flushed++) {
      for (Query all : List.of(Query.all(), Query.where("n >= 0"), Query.where("m >= 0"))) {
        for (String hint : List.of(Attributes.PATH_AUTO, Attributes.PATH_SCAN, "m", "n")) {
          for (boolean descending : new boolean[] {false, true}) {
            Query query = all.orderBy("n", descending ? Order.DESC : Order.ASC).hint(hint);
            IndexedTable table = spyhop.table(NAME);
            assertThat(rows(table, query)).isEqualTo(sorted(descending, ROWS));
            assertThat(rows(table, query.limit(3))).isEqualTo(sorted(descending, 3));
            assertThat(table.explainAnalyze(query)).isNotNull();
          }
        }
      }
      Regions.flush(CLUSTER, NAME);
    }
  }

  /** HBase's client opens the scan again, which the region refuses. */
  @Test
  void anOrderAcrossASplitAndAMove() throws Exception {
    declare(IndexKind.LOCAL, "n", ValueType.INT);
    List<String> rows = new ArrayList<>();
    Query query = Query.all().orderBy("n").caching(1);
    try (RowCursor cursor = spyhop.table(NAME).query(query)) {
      for (Result row : cursor) {
        rows.add(Bytes.toString(row.getRow()));
        if (rows.size() == 3) {
          Regions.flush(CLUSTER, NAME);
          CLUSTER.admin().splitRegionAsync(region("j"), Bytes.toBytes("m")).get();
        }
        if (rows.size() == 6) {
          CLUSTER.admin().disableTable(NAME);
          CLUSTER.admin().enableTable(NAME);
        }
      }
    }
    assertThat(rows).isEqualTo(sorted(false, ROWS));
    assertThat(printed.toString(StandardCharsets.UTF_8))
        .as("HBase's client prints that scans were lost, as of any scan, and no refusal")
        .doesNotContain("io.spyhop");
    printed.reset();
  }

  private static byte[] region(String row) throws IOException {
    try (var locator = CLUSTER.connection().getRegionLocator(NAME)) {
      return locator.getRegionLocation(Bytes.toBytes(row), true).getRegion().getRegionName();
    }
  }

  /** Bound by definitions of before, by scans and by the Gets of a global index's rows. */
  @ParameterizedTest
  @EnumSource(IndexKind.class)
  void definitionsThatHaveChanged(IndexKind kind) throws Exception {
    declare(kind, "n", ValueType.LONG);
    declare(kind == IndexKind.GLOBAL ? IndexKind.LOCAL : IndexKind.GLOBAL, "m", ValueType.INT);
    IndexedTable table = spyhop.table(NAME);
    for (String where : List.of("f:n = 5", "f:n = 5 AND f:m >= 0", "f:n = 5 AND f:m = 23")) {
      assertThat(rows(table, Query.where(where))).isEmpty();
    }
    others.admin().dropIndex(NAME, "n");
    declare(kind, "n", ValueType.INT);
    assertThat(rows(table, Query.where("f:m = 23 AND f:n = " + values.get("x"))))
        .containsExactly("x");
    assertThat(rows(table, Query.where("f:n >= 0").orderBy("f:n"))).isEqualTo(sorted(false, ROWS));
  }

  /** Of stores that are HBase's own no region merges its prefixes downwards. */
  @Test
  void keysOfBucketedTablesInBothOrders() throws Exception {
    for (boolean mobs : new boolean[] {false, true}) {
      TableName name = TableName.valueOf("quiet-buckets-" + mobs);
      spyhop
          .buckets()
          .create(
              TableDescriptorBuilder.newBuilder(name)
                  .setColumnFamily(
                      ColumnFamilyDescriptorBuilder.newBuilder(F).setMobEnabled(mobs).build())
                  .build(),
              BucketOptions.usual());
      made.add(name);
      try (BucketedTable table = spyhop.bucketed(name)) {
        for (String row : values.keySet()) {
          table.put(new Put(Bytes.toBytes(row)).addColumn(F, F, F));
        }
        for (boolean reversed : new boolean[] {false, true}) {
          List<String> expected = new ArrayList<>(values.keySet());
          expected.sort(reversed ? Comparator.reverseOrder() : Comparator.naturalOrder());
          List<String> found = new ArrayList<>();
          try (ResultScanner rows = table.getScanner(new Scan().setReversed(reversed))) {
            rows.forEach(r -> found.add(Bytes.toString(r.getRow())));
          }
          assertThat(found).isEqualTo(expected);
        }
      }
    }
  }

  /** Earlier versions' clients do not know such cells, and get the exception that they do know. */
  @Test
  void clientsOfBeforeAreThrownTheException() throws Exception {
    KeyOrderRequest elsewhere =
        new KeyOrderRequest(Bytes.toBytes("x"), new byte[0], new byte[0], false);
    Scan scan = new Scan().setFilter(new KeyOrderFilter(elsewhere));
    System.setErr(new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8));
    try (ResultScanner rows = plain.getScanner(scan)) {
      assertThatThrownBy(rows::next).isInstanceOf(OrderResetException.class);
    }
    System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
    Refusal.isKnownTo(scan);
    try (ResultScanner rows = plain.getScanner(scan)) {
      Result refusal = rows.next();
      assertThat(refusal.rawCells()).hasSize(1);
      assertThatThrownBy(() -> Refusal.checked(refusal)).isInstanceOf(OrderResetException.class);
    }
  }
}
