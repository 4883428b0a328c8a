package io.spyhop.server.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spyhop.client.IndexedTable;
import io.spyhop.client.Query;
import io.spyhop.client.QueryPlan;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Queries go on where plain HBase reads do. */
class MasterDownTest {
  private static final TableName NAME = TableName.valueOf("orders");
  private static final byte[] F = Bytes.toBytes("f");

  /** Longer than definitions are remembered before they are asked for again. */
  private static final Duration A_WHILE = Duration.ofSeconds(5);

  @Test
  void queriesGoOnWithoutAMaster() throws Exception {
    try (TestCluster cluster = TestCluster.start(2, conf -> {});
        Connection connection = connect(cluster);
        Spyhop spyhop = Spyhop.connect(connection)) {
      fill(cluster, spyhop);
      IndexedTable table = spyhop.table(NAME);
      requireAnswers(table);
      cluster.util().getMiniHBaseCluster().stopMaster(0);
      cluster.util().getMiniHBaseCluster().waitOnMaster(0);
      await("queries to be answered for a while")
          .during(A_WHILE)
          .atMost(A_WHILE.multipliedBy(12))
          .untilAsserted(() -> requireAnswers(table));
      try (Connection another = connect(cluster);
          Spyhop begins = Spyhop.connect(another)) {
        requireAnswers(begins.table(NAME));
      }
    }
  }

  private static Connection connect(TestCluster cluster) throws IOException {
    return ConnectionFactory.createConnection(cluster.util().getConfiguration());
  }

  private static void fill(TestCluster cluster, Spyhop spyhop) throws IOException {
    cluster
        .admin()
        .createTable(
            TableDescriptorBuilder.newBuilder(NAME)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                .build(),
            new byte[][] {Bytes.toBytes("m")});
    spyhop.admin().createIndex(NAME, index("local", IndexKind.LOCAL));
    spyhop.admin().createIndex(NAME, index("global", IndexKind.GLOBAL));
    spyhop.admin().createIndex(NAME, index("stats", IndexKind.STATS));
    try (Table t = cluster.connection().getTable(NAME)) {
      for (String row : List.of("a", "z")) {
        byte[] value = Bytes.toBytes(row.equals("a") ? 1L : 2L);
        Put put = new Put(Bytes.toBytes(row));
        for (String column : List.of("local", "global", "stats")) {
          put.addColumn(F, Bytes.toBytes(column), value);
        }
        t.put(put);
      }
    }
    cluster.admin().flush(NAME);
    spyhop.admin().waitUntilActive(NAME, Duration.ofSeconds(60));
  }

  private static IndexDefinition index(String column, IndexKind kind) {
    return IndexDefinition.builder(column)
        .kind(kind)
        .column("f:" + column)
        .type(ValueType.LONG)
        .build();
  }

  private static void requireAnswers(IndexedTable table) throws IOException {
    assertThat(rows(table, Query.where("local = 2").hint("local").pruning(false)))
        .containsExactly("z");
    assertThat(rows(table, Query.where("global = 2"))).containsExactly("z");
    long pruned = table.statistics().regionsPruned();
    assertThat(rows(table, Query.where("stats = 2"))).containsExactly("z");
    assertThat(table.statistics().regionsPruned()).as("regions left out").isEqualTo(pruned + 1);
    QueryPlan plan = table.explainAnalyze(Query.where("global = 1"));
    assertThat(plan.driving()).as(plan.toText()).isEqualTo("global");
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
}
