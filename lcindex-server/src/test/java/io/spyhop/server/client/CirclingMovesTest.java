package io.spyhop.server.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.client.IndexedTable;
import io.spyhop.client.Query;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
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

/**
 * Regions that go from server to server and back: two servers that remember where they were sent a
 * client from one to the other for two minutes, once the region was with neither.
 */
class CirclingMovesTest {
  private static final TestCluster CLUSTER = TestCluster.get();
  private static final TableName NAME = TableName.valueOf("circling");
  private static final byte[] F = Bytes.toBytes("f");
  private static final int ROWS = 20;

  @BeforeEach
  void create() throws IOException {
    CLUSTER
        .admin()
        .createTable(
            TableDescriptorBuilder.newBuilder(NAME)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                .build());
    try (Spyhop spyhop = Spyhop.connect(CLUSTER.connection());
        Table table = CLUSTER.connection().getTable(NAME)) {
      for (int i = 0; i < ROWS; i++) {
        byte[] row = Bytes.toBytes(String.valueOf((char) ('a' + i)));
        table.put(new Put(row).addColumn(F, Bytes.toBytes("n"), Bytes.toBytes(i)));
      }
      spyhop
          .admin()
          .createIndex(
              NAME, IndexDefinition.builder("n").column("f:n").type(ValueType.INT).build());
      spyhop.admin().waitUntilActive(NAME, Duration.ofSeconds(60));
    }
  }

  @AfterEach
  void drop() throws IOException {
    CLUSTER.admin().disableTable(NAME);
    CLUSTER.admin().deleteTable(NAME);
  }

  private static int plain(Connection connection) throws IOException {
    int rows = 0;
    try (Table table = connection.getTable(NAME);
        ResultScanner scanner = table.getScanner(new Scan())) {
      for (Result row = scanner.next(); row != null; row = scanner.next()) {
        rows++;
      }
    }
    return rows;
  }

  private static int queried(IndexedTable table, Query query) throws IOException {
    int rows = 0;
    try (RowCursor cursor = table.query(query)) {
      for (Result row : cursor) {
        rows += row.isEmpty() ? 0 : 1;
      }
    }
    return rows;
  }

  @Test
  void aRegionThatWasSplitAfterItCameBackIsLookedUp() throws Exception {
    Configuration conf = new Configuration(CLUSTER.connection().getConfiguration());
    conf.setInt("hbase.client.retries.number", 4);
    for (boolean plainFirst : new boolean[] {false, true}) {
      try (Connection connection = ConnectionFactory.createConnection(conf);
          Spyhop spyhop = Spyhop.connect(connection)) {
        ServerName home = CLUSTER.serverOf(CLUSTER.regions(NAME).get(0));
        Regions.move(CLUSTER, NAME);
        Regions.move(CLUSTER, NAME, home);
        IndexedTable table = spyhop.table(NAME);
        assertThat(queried(table, Query.where("n >= 0"))).isEqualTo(ROWS);
        Regions.flush(CLUSTER, NAME);
        CLUSTER
            .admin()
            .splitRegionAsync(
                CLUSTER.regions(NAME).get(0).getRegionInfo().getRegionName(), Bytes.toBytes("k"))
            .get();
        if (plainFirst) {
          assertThat(plain(connection)).as("by HBase's own client").isEqualTo(ROWS);
        }
        assertThat(queried(table, Query.where("n >= 0"))).isEqualTo(ROWS);
        assertThat(plain(connection)).isEqualTo(ROWS);
      }
      drop();
      create();
    }
  }

  @Test
  void noQueryFailsUnderConstantMoves() throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    AtomicInteger asked = new AtomicInteger();
    List<Query> queries =
        List.of(
            Query.where("n BETWEEN 5 AND 9"),
            Query.where("n >= 5").orderBy("n").limit(5),
            Query.where("n < 5"));
    try (Spyhop spyhop = Spyhop.connect(CLUSTER.connection())) {
      List<CompletableFuture<Void>> all = new ArrayList<>();
      for (Query query : queries) {
        all.add(
            CompletableFuture.runAsync(
                () -> {
                  while (!over.get()) {
                    try {
                      assertThat(queried(spyhop.table(NAME), query)).isEqualTo(5);
                      assertThat(plain(CLUSTER.connection())).isEqualTo(ROWS);
                      asked.incrementAndGet();
                    } catch (IOException e) {
                      throw new AssertionError("the region is on its way, and is found", e);
                    }
                  }
                }));
      }
      try {
        for (int i = 0; i < 12; i++) {
          Regions.move(CLUSTER, NAME);
        }
      } finally {
        over.set(true);
      }
      for (CompletableFuture<Void> one : all) {
        one.get();
      }
    }
    assertThat(asked).hasPositiveValue();
  }
}
