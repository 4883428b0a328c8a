package io.spyhop.server.index.global;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.client.IndexedTable;
import io.spyhop.client.Query;
import io.spyhop.client.QueryPlan;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import io.spyhop.client.internal.global.EntryCosts;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** With costs as they are, a global index is left alone where the regions are done sooner. */
class GlobalCostsTest {
  private static final TestCluster CLUSTER = TestCluster.get();
  private static final TableName NAME = TableName.valueOf("global_costs");
  private static final byte[] F = Bytes.toBytes("f");
  private static final int ROWS = 30_000;

  private static Connection connection;
  private static Spyhop spyhop;

  /** Three regions; {@code one} differs, {@code few} has 100 rows each, {@code half} two values. */
  @BeforeAll
  static void fill() throws IOException {
    Configuration usual = new Configuration(CLUSTER.util().getConfiguration());
    for (String name : new String[] {"entry", "get", "call"}) {
      usual.unset(EntryCosts.PREFIX + name);
    }
    connection = ConnectionFactory.createConnection(usual);
    spyhop = Spyhop.connect(connection);
    CLUSTER
        .admin()
        .createTable(
            TableDescriptorBuilder.newBuilder(NAME)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(F).build())
                .build(),
            new byte[][] {row(10_000), row(20_000)});
    List<Put> puts = new ArrayList<>();
    for (long i = 0; i < ROWS; i++) {
      Put put = new Put(row((int) i)).addColumn(F, Bytes.toBytes("one"), Bytes.toBytes(i));
      put.addColumn(F, Bytes.toBytes("few"), Bytes.toBytes(i % 300));
      puts.add(put.addColumn(F, Bytes.toBytes("half"), Bytes.toBytes(i % 2)));
    }
    try (Table table = connection.getTable(NAME)) {
      table.put(puts);
    }
    CLUSTER.admin().flush(NAME);
    spyhop.admin().createIndexes(NAME, List.of(index("one"), index("few"), index("half")));
    spyhop.admin().waitUntilActive(NAME, Duration.ofMinutes(1));
  }

  @AfterAll
  static void drop() throws IOException {
    spyhop.close();
    connection.close();
    Admin admin = CLUSTER.admin();
    admin.disableTable(NAME);
    admin.deleteTable(NAME);
  }

  private static IndexDefinition index(String column) {
    return IndexDefinition.builder(column)
        .kind(IndexKind.GLOBAL)
        .column("f:" + column)
        .type(ValueType.LONG)
        .build();
  }

  private static byte[] row(int i) {
    return Bytes.toBytes("r%05d".formatted(i));
  }

  private static List<String> rows(Query query) throws IOException {
    List<String> rows = new ArrayList<>();
    try (RowCursor cursor = spyhop.table(NAME).query(query)) {
      cursor.forEach(r -> rows.add(r.toString()));
    }
    return rows;
  }

  /** 90,000 cells in three regions. */
  @ParameterizedTest
  @CsvSource({
    "one = 77,                      ,        , one",
    "one = 77,                     1,        , one",
    "few = 7,                       ,        , few",
    "few = 7,                     10,        , few",
    "few = 7 AND one > 29000,     10,        , few",
    "few < 5,                       ,        , scan",
    "half = 1,                      ,        , scan",
    "half = 1,                     1,        , half",
    "half = 1,                  1000,        , scan",
    "half = 1,                      , r10100 , scan",
    "half = 1 AND one = 77,         ,        , one",
    "one >= 29900,                10,        , one",
    "one >= 29000,                  ,        , scan",
  })
  void theCheaperWayIsTaken(String where, Integer limit, String stop, String way)
      throws IOException {
    Query all = Query.where(where);
    if (stop != null) {
      all = all.range(row(10_000), Bytes.toBytes(stop));
    }
    Query query = limit == null ? all : all.limit(limit);
    List<String> expected = rows(all.hint(Attributes.PATH_SCAN));
    int most = limit == null ? expected.size() : Math.min(limit, expected.size());
    assertThat(rows(query)).isNotEmpty().isEqualTo(expected.subList(0, most));
    QueryPlan plan = spyhop.table(NAME).explain(query);
    assertThat(plan.driving()).as(plan.toText()).isEqualTo(way);
  }

  /** What was found out a moment ago is not found out again; what a hint names is read. */
  @Test
  void whatWasNotWorthReadingIsNotReadAgain() throws IOException {
    IndexedTable table = spyhop.table(NAME);
    Query half = Query.where("half = 0");
    String first = table.explain(half).global().orElseThrow().reason();
    assertThat(first).matches("global index 'half' has more than .* entries in range, a scan.*");
    assertThat(table.explain(half).global().orElseThrow().reason()).isEqualTo(first);
    Query few = Query.where("few < 5");
    assertThat(table.explain(few).driving()).isEqualTo("scan");
    assertThat(table.explain(few.hint("few")).driving()).isEqualTo("few");
    assertThat(table.explain(few.hint("index")).driving()).isEqualTo("few");
  }

  @Test
  void aTableOfFewCellsIsScanned() throws IOException {
    Query few = Query.where("one = 10001").range(row(10_000), row(10_020));
    assertThat(spyhop.table(NAME).explain(few).global().orElseThrow().reason())
        .isEqualTo("a scan of so few cells is cheaper than an index");
    assertThat(rows(few)).hasSize(1);
  }
}
