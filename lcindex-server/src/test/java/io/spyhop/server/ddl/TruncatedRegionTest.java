package io.spyhop.server.ddl;

import static io.spyhop.server.testing.GlobalFixture.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spyhop.client.Query;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.hook.Globals;
import io.spyhop.server.testing.GlobalFixture;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A region of a base table is emptied: indexes and statistics are as exact as before. */
@Tag(TestCluster.NEEDS_2_6)
class TruncatedRegionTest {
  private static final TestCluster CLUSTER = TestCluster.get();

  private static void create(Spyhop spyhop, TableName table, String name, IndexKind kind)
      throws IOException {
    spyhop
        .admin()
        .createIndex(
            table,
            IndexDefinition.builder(name).kind(kind).column("f:v").type(ValueType.LONG).build());
  }

  private static void assertFound(Spyhop spyhop, GlobalFixture t, long value, String... rows)
      throws IOException {
    assertFound(spyhop, t.name(), value, rows);
  }

  private static void assertFound(Spyhop spyhop, TableName table, long value, String... rows)
      throws IOException {
    Query query = Query.where("v = " + value);
    for (Query q : List.of(query, query.hint(Attributes.PATH_SCAN))) {
      List<String> found = new ArrayList<>();
      try (RowCursor cursor = spyhop.table(table).query(q)) {
        cursor.forEach(r -> found.add(Bytes.toString(r.getRow())));
      }
      assertThat(found).as("%s", q).containsExactly(rows);
    }
  }

  private static boolean usesIndex(Spyhop spyhop, TableName table) throws IOException {
    return spyhop
        .table(table)
        .explain(Query.where("v = 1"))
        .global()
        .filter(g -> g.reason().isEmpty())
        .isPresent();
  }

  private static void truncate(TableName table, int region) throws IOException {
    RegionInfo info = CLUSTER.admin().getRegions(table).get(region);
    CLUSTER.admin().truncateRegion(info.getRegionName());
    CLUSTER.connection().clearRegionLocationCache();
  }

  /** What hbase:meta says of the second region's opening. */
  private static long openSeqNum(TableName table) throws IOException {
    try (RegionLocator locator = CLUSTER.connection().getRegionLocator(table)) {
      return locator.getRegionLocation(Bytes.toBytes("m"), true).getSeqNum();
    }
  }

  /** Has the second region opened with a higher sequence number than any write in it has. */
  private static void reopen(TableName table) throws IOException {
    long before = openSeqNum(table);
    RegionInfo info = CLUSTER.admin().getRegions(table).get(1);
    CLUSTER.admin().move(info.getEncodedNameAsBytes());
    await("the region to be opened again")
        .atMost(Duration.ofSeconds(60))
        .until(() -> openSeqNum(table) > before);
  }

  @Test
  void whatWasInItIsGoneEverywhere() throws Exception {
    try (GlobalFixture t = new GlobalFixture(CLUSTER, f -> f, d -> d, "m");
        Spyhop spyhop = Spyhop.connect(CLUSTER.connection())) {
      create(spyhop, t.name(), "local", IndexKind.LOCAL);
      create(spyhop, t.name(), "statistics", IndexKind.STATS);
      for (int i = 0; i < 3; i++) {
        t.write(put("a" + i, 1), put("x" + i, 1), put("z" + i, 2));
        Regions.flush(CLUSTER, t.name());
      }
      t.write(put("a3", 3), put("x3", 3));
      spyhop.admin().waitUntilActive(t.name(), Duration.ofSeconds(60));
      assertFound(spyhop, t, 1, "a0", "a1", "a2", "x0", "x1", "x2");
      truncate(t.name(), 1);
      assertFound(spyhop, t, 1, "a0", "a1", "a2");
      assertFound(spyhop, t, 2);
      assertFound(spyhop, t, 3, "a3");
      t.write(put("x1", 2), put("y", 5));
      assertFound(spyhop, t, 2, "x1");
      assertFound(spyhop, t, 5, "y");
      truncate(t.name(), 1);
      t.write(put("z0", 1));
      Regions.flush(CLUSTER, t.name());
      assertFound(spyhop, t, 1, "a0", "a1", "a2", "z0");
      assertFound(spyhop, t, 5);
      spyhop.admin().waitUntilActive(t.name(), Duration.ofSeconds(60));
      assertFound(spyhop, t, 1, "a0", "a1", "a2", "z0");
      await("entries without cells to be swept")
          .atMost(Duration.ofSeconds(120))
          .until(
              () -> {
                Globals.drain(CLUSTER);
                return t.entries().equals(t.expected());
              });
    }
  }

  /** hbase:meta keeps the sequence number of an opening if the next one has a lower one. */
  @Test
  void itsGlobalIndexIsUsedAgainSoon() throws Exception {
    try (GlobalFixture t = new GlobalFixture(CLUSTER, f -> f, d -> d, "m");
        Spyhop spyhop = Spyhop.connect(CLUSTER.connection())) {
      for (int i = 0; i < 20; i++) {
        t.write(put("x" + i, 1));
      }
      t.write(put("a", 1));
      reopen(t.name());
      t.awaitBuilt();
      for (int i = 0; i < 2; i++) {
        long before = openSeqNum(t.name());
        assertThat(before).isGreaterThan(20);
        truncate(t.name(), 1);
        assertThat(openSeqNum(t.name())).isGreaterThan(before);
        t.awaitBuilt();
        t.write(put("y", 1));
        assertFound(spyhop, t, 1, "a", "y");
        assertThat(usesIndex(spyhop, t.name())).isTrue();
      }
      reopen(t.name());
      t.awaitBuilt();
      assertFound(spyhop, t, 1, "a", "y");
    }
  }

  /** Nobody looks at the numbers of a table without global index. */
  @Test
  void anIndexThatComesLaterIsUsedOnceTheRegionIsOpenedAgain() throws Exception {
    TableName name = TableName.valueOf("truncated-before");
    TableDescriptor table =
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(GlobalFixture.F))
            .build();
    CLUSTER.admin().createTable(table, new byte[][] {Bytes.toBytes("m")});
    try (Spyhop spyhop = Spyhop.connect(CLUSTER.connection());
        Table rows = CLUSTER.connection().getTable(name)) {
      for (int i = 0; i < 20; i++) {
        rows.put(put("x" + i, 1));
      }
      reopen(name);
      long before = openSeqNum(name);
      truncate(name, 1);
      assertThat(openSeqNum(name)).as("of HBase alone").isEqualTo(before);
      create(spyhop, name, "v", IndexKind.GLOBAL);
      reopen(name);
      spyhop.admin().waitUntilActive(name, Duration.ofSeconds(60));
      rows.put(put("y", 1));
      assertFound(spyhop, name, 1, "y");
      assertThat(usesIndex(spyhop, name)).isTrue();
    } finally {
      CLUSTER.admin().disableTable(name);
      CLUSTER.admin().deleteTable(name);
    }
  }

  /**
   * The master has read the index table where its region was, and each of the two servers says of a
   * region that is gone that it went to the other.
   */
  @Test
  void itsIndexTableIsEmptiedWhereverThatHasBeen() throws Exception {
    try (GlobalFixture t = new GlobalFixture();
        Spyhop spyhop = Spyhop.connect(CLUSTER.connection())) {
      t.awaitBuilt();
      t.write(put("a", 1));
      ServerName first = CLUSTER.serverOf(CLUSTER.regions(t.indexName()).get(0));
      Regions.move(CLUSTER, t.indexName());
      truncate(t.name(), 0);
      t.awaitBuilt();
      Regions.move(CLUSTER, t.indexName(), first);
      t.write(put("b", 2));
      CLUSTER.admin().disableTable(t.name());
      CLUSTER.admin().truncateTable(t.name(), false);
      CLUSTER.connection().clearRegionLocationCache();
      t.awaitBuilt();
      t.write(put("c", 2));
      assertFound(spyhop, t, 2, "c");
      assertThat(t.entries()).isEqualTo(t.expected()).hasSize(1);
    }
  }

  /** The same for a client that has asked the index where it was. */
  @Test
  void queriesFindTheIndexTableWhereverItHasBeen() throws Exception {
    try (GlobalFixture t = new GlobalFixture();
        Connection its = ConnectionFactory.createConnection(CLUSTER.util().getConfiguration());
        Spyhop spyhop = Spyhop.connect(its)) {
      t.awaitBuilt();
      t.write(put("a", 1));
      ServerName first = CLUSTER.serverOf(CLUSTER.regions(t.indexName()).get(0));
      Regions.move(CLUSTER, t.indexName());
      assertThat(usesIndex(spyhop, t.name())).isTrue();
      Regions.move(CLUSTER, t.indexName(), first);
      CLUSTER.admin().disableTable(t.name());
      CLUSTER.admin().truncateTable(t.name(), false);
      CLUSTER.connection().clearRegionLocationCache();
      t.awaitBuilt();
      assertThat(usesIndex(spyhop, t.name())).as("at once, not after minutes").isTrue();
    }
  }
}
