package io.spyhop.server.index.global;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.spyhop.client.DeferredIndexTable;
import io.spyhop.client.IndexPage;
import io.spyhop.client.IndexStatus.State;
import io.spyhop.client.IndexedCell;
import io.spyhop.client.IndexedTable;
import io.spyhop.client.OnUnavailable;
import io.spyhop.client.Paging;
import io.spyhop.client.Query;
import io.spyhop.client.QueryPlan;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** Queries and reads through a global index give what the scan gives. */
class GlobalQueryTest {
  private static final TestCluster CLUSTER = TestCluster.get();
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] V = Bytes.toBytes("v");
  private static final byte[] W = Bytes.toBytes("w");
  private static final int ROWS = 300;

  private TableName name;
  private Table table;
  private Spyhop spyhop;
  private IndexedTable indexed;

  @BeforeEach
  void fill(TestInfo test) throws IOException {
    name = TableName.valueOf("gquery_" + test.getTestMethod().orElseThrow().getName());
    spyhop = Spyhop.connect(CLUSTER.connection());
    CLUSTER
        .admin()
        .createTable(
            TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(F).build())
                .build(),
            new byte[][] {row(100), row(200)});
    table = CLUSTER.connection().getTable(name);
    for (int i = 0; i < ROWS; i++) {
      table.put(put(i, i % 50).addColumn(F, W, Bytes.toBytes((long) i)));
    }
    spyhop.admin().createIndex(name, index());
    spyhop.admin().waitUntilActive(name, Duration.ofMinutes(1));
    indexed = spyhop.table(name);
  }

  @AfterEach
  void drop() throws IOException {
    spyhop.close();
    table.close();
    Admin admin = CLUSTER.admin();
    admin.disableTable(name);
    admin.deleteTable(name);
    assertThat(admin.tableExists(IndexTable.nameOf(name, "v"))).isFalse();
  }

  private static IndexDefinition index() {
    return IndexDefinition.builder("v")
        .kind(IndexKind.GLOBAL)
        .column("f:v")
        .type(ValueType.LONG)
        .build();
  }

  private static byte[] row(int i) {
    return Bytes.toBytes(String.format("r%03d", i));
  }

  private static Put put(int row, long value) {
    return new Put(row(row)).addColumn(F, V, Bytes.toBytes(value));
  }

  private List<String> rows(Query query) throws IOException {
    List<String> rows = new ArrayList<>();
    try (RowCursor cursor = indexed.query(query)) {
      for (Result r : cursor) {
        rows.add(r.toString());
      }
    }
    return rows;
  }

  /** The rows, which must be the scan's, and how they were found. */
  private QueryPlan agreed(Query query, int size) throws IOException {
    List<String> plain = rows(query.hint(Attributes.PATH_SCAN));
    assertThat(rows(query)).as(query.toString()).isEqualTo(plain).hasSize(size);
    QueryPlan plan = indexed.explainAnalyze(query);
    assertThat(plan.rows()).isEqualTo(size);
    return plan;
  }

  @Test
  void answersAsTheScanDoes() throws IOException {
    QueryPlan plan = agreed(Query.where("v = 7"), 6);
    assertThat(plan.driving()).isEqualTo("v");
    assertThat(plan.global().orElseThrow().entries()).isEqualTo(6);
    assertThat(plan.global().orElseThrow().rowsRead()).isEqualTo(6);
    agreed(Query.where("v BETWEEN 3 AND 5").limit(4), 4);
    agreed(Query.where("v IN (1, 9) AND CAST(w AS LONG) > 100"), 8);
    agreed(Query.where("v = 7").select("f:w"), 6);
    agreed(Query.where("v = 7").range(row(100), row(200)), 2);
    agreed(Query.where("v = 7 OR v > 48"), 12);
    agreed(Query.where("v = 5000"), 0);
    assertThat(indexed.explain(Query.where("v = 7")).toText()).contains("global:    index v, 6");
    assertThat(indexed.explain(Query.where("v = 7 OR CAST(w AS LONG) = 1")).global()).isEmpty();
  }

  @Test
  void scansWhereTooManyEntriesMatch() throws IOException {
    QueryPlan plan = agreed(Query.where("v >= 0").maxEntries(250), ROWS);
    assertThat(plan.global().orElseThrow().reason()).contains("more than 250 entries");
    assertThat(agreed(Query.where("v >= 0").hint("v"), ROWS).driving()).isEqualTo("v");
  }

  /** The index is there: it is not unavailable. */
  @Test
  void listsOfManyValues() throws IOException {
    for (int values : new int[] {1_000, 1_025}) {
      String list =
          IntStream.range(45, 45 + values).mapToObj(Integer::toString).collect(joining(","));
      Query query = Query.where("v IN (" + list + ")").onUnavailable(OnUnavailable.FAIL);
      QueryPlan.Global global = agreed(query, ROWS / 50 * 5).global().orElseThrow();
      assertThat(global.reason().isEmpty()).as(global.reason()).isEqualTo(values == 1_000);
    }
  }

  @Test
  void scansWhereEntriesDoNotFitIntoMemory() throws IOException {
    Configuration conf = new Configuration(CLUSTER.connection().getConfiguration());
    conf.setLong("spyhop.client.entries.bytes", 20_000);
    try (Connection own = ConnectionFactory.createConnection(conf);
        Spyhop little = Spyhop.connect(own)) {
      indexed = little.table(name);
      QueryPlan plan = agreed(Query.where("v >= 0").hint("v"), ROWS);
      assertThat(plan.global().orElseThrow().reason()).contains("more than 20000 bytes");
      assertThat(agreed(Query.where("v = 7").hint("v"), 6).driving()).isEqualTo("v");
    }
  }

  @Test
  void obsoleteEntriesAreNoAnswers() throws IOException {
    table.put(put(7, 1000));
    table.delete(new Delete(row(57)));
    table.put(put(107, 8));
    table.put(put(107, 7));
    agreed(Query.where("v = 7"), 4);
    agreed(Query.where("v BETWEEN 7 AND 1000"), ROWS - 42 - 1);
    Regions.flush(CLUSTER, name);
    Regions.compact(CLUSTER, name, true);
    agreed(Query.where("v = 7"), 4);
    await("online repair")
        .atMost(Duration.ofMinutes(2))
        .until(() -> indexed.explain(Query.where("v = 7")).global().orElseThrow().entries() == 4);
    agreed(Query.where("v = 7"), 4);
  }

  @Test
  void scansWithoutTheIndexTable() throws IOException {
    TableName table = IndexTable.nameOf(name, "v");
    CLUSTER.admin().disableTable(table);
    QueryPlan plan = agreed(Query.where("v = 7"), 6);
    assertThat(plan.global().orElseThrow().reason()).contains("global index 'v'");
    CLUSTER.admin().enableTable(table);
    spyhop.admin().rebuildIndex(name, "v");
    spyhop.admin().waitUntilActive(name, Duration.ofMinutes(1));
    assertThat(spyhop.admin().status(name).get(0).state()).isEqualTo(State.ACTIVE);
    indexed = spyhop.table(name);
    assertThat(agreed(Query.where("v = 7"), 6).driving()).isEqualTo("v");
  }

  @Test
  void readsPagesOfValuesAndVersions() throws IOException {
    DeferredIndexTable deferred = spyhop.deferred(name, "v");
    List<IndexedCell> all = new ArrayList<>();
    Paging page = Paging.first(2);
    while (page != null) {
      IndexPage read = deferred.readValue(7, Long.MAX_VALUE, 1, page);
      assertThat(read.cells()).hasSizeLessThanOrEqualTo(2);
      all.addAll(read.cells());
      page = read.next().map(p -> Paging.from(2, p)).orElse(null);
    }
    assertThat(all)
        .extracting(c -> Bytes.toString(c.row()))
        .containsExactlyInAnyOrder("r007", "r057", "r107", "r157", "r207", "r257");
    assertThat(all).allMatch(c -> Bytes.toLong(c.value()) == 7);
    long now = all.get(0).timestamp() + 1_000_000;
    deferred.write(row(7), 9, now);
    assertThat(deferred.readKey(row(7), now, 1)).hasSize(1);
    assertThat(deferred.readValue(7, Long.MAX_VALUE, 1, Paging.first(100)).cells()).hasSize(5);
    assertThat(deferred.readValue(9, Long.MAX_VALUE, 1, Paging.first(100)).cells()).hasSize(7);
    assertThat(deferred.withoutRepair().readRange(48, null, now, 1, Paging.first(100)).cells())
        .hasSize(12);
    deferred.delete(row(7), now);
    assertThat(deferred.readValue(9, Long.MAX_VALUE, 1, Paging.first(100)).cells()).hasSize(6);
    assertThatThrownBy(() -> deferred.readPrefix(new byte[1], Long.MAX_VALUE, 1, Paging.first(1)))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThat(deferred.readKey(row(8), now, 3)).hasSize(1);
  }

  /** Keys have 31 digits and exponents up to 1000, so the order of values ends there. */
  @Test
  void valuesOfOneKeyComeByRow() throws IOException {
    String pi = "3.1415926535897932384626433832795028841971";
    decimal(1, "3.2");
    decimal(2, pi + "6");
    decimal(3, pi + "5");
    decimal(4, "3");
    decimal(5, "1e1200");
    spyhop
        .admin()
        .createIndex(
            name,
            IndexDefinition.builder("d")
                .kind(IndexKind.GLOBAL)
                .column("f:d")
                .type(ValueType.DECIMAL)
                .build());
    spyhop.admin().waitUntilActive(name, Duration.ofMinutes(1));
    DeferredIndexTable deferred = spyhop.deferred(name, "d");
    assertThat(deferred.readRange(null, null, Long.MAX_VALUE, 1, Paging.first(10)).cells())
        .extracting(c -> Bytes.toBigDecimal(c.value()).toString())
        .as("what has no key, then by key, then by row")
        .containsExactly("1E+1200", "3", pi + "6", pi + "5", "3.2");
    assertThat(deferred.readRange(pi + "5", pi + "5", Long.MAX_VALUE, 1, Paging.first(9)).cells())
        .extracting(c -> Bytes.toString(c.row()))
        .containsExactly("r003");
  }

  private void decimal(int row, String value) throws IOException {
    table.put(
        new Put(row(row)).addColumn(F, Bytes.toBytes("d"), Bytes.toBytes(new BigDecimal(value))));
  }
}
