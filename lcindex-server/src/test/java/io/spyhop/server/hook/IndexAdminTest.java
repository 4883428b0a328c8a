package io.spyhop.server.hook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.client.IndexAdmin;
import io.spyhop.client.IndexStatus;
import io.spyhop.client.Query;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import io.spyhop.client.SpyhopNotInstalledException;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.testing.PresentFiles;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.MiniHBaseCluster;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Creating, watching, using and dropping indexes through the client library. */
class IndexAdminTest {
  private static final byte[] D = Bytes.toBytes("d");
  private static final int ROWS = 500;
  private static Spyhop spyhop;

  @BeforeAll
  static void connect() throws IOException {
    spyhop = Spyhop.connect(TestCluster.get().connection());
  }

  @AfterAll
  static void close() throws IOException {
    spyhop.close();
  }

  private static TableName table(String name) throws IOException {
    TableName table = TableName.valueOf(name);
    byte[][] splits = {Bytes.toBytes("r200"), Bytes.toBytes("r400")};
    TestCluster.get().util().createTable(table, new byte[][] {D}, splits).close();
    try (Table t = TestCluster.get().connection().getTable(table)) {
      List<Put> puts = new ArrayList<>();
      for (int i = 0; i < ROWS; i++) {
        puts.add(
            new Put(Bytes.toBytes(String.format("r%03d", i)))
                .addColumn(D, Bytes.toBytes("n"), Bytes.toBytes((long) i % 50))
                .addColumn(D, Bytes.toBytes("s"), Bytes.toBytes("s" + i % 7)));
      }
      t.put(puts);
    }
    Regions.flush(TestCluster.get(), table);
    return table;
  }

  private static IndexDefinition index(String name, String column, ValueType type) {
    return IndexDefinition.builder(name).column(column).type(type).build();
  }

  private static List<String> rows(TableName table, Query query) throws IOException {
    List<String> rows = new ArrayList<>();
    try (RowCursor cursor = spyhop.table(table).query(query)) {
      for (Result r : cursor) {
        rows.add(Bytes.toString(r.getRow()));
      }
    }
    return rows;
  }

  private static long openings(TableName table) {
    long sum = 0;
    for (HRegion r : TestCluster.get().regions(table)) {
      sum += r.getOpenSeqNum();
    }
    return sum;
  }

  /** Regions that are not there are not waited for, and it is not guessed why they are silent. */
  @Test
  void theStatusOfADisabledTableSaysThatItIsDisabled() throws IOException {
    TableName table = table("admin_disabled");
    IndexAdmin admin = spyhop.admin();
    admin.createIndexes(
        table,
        List.of(
            index("n", "d:n", ValueType.LONG),
            index("s", "d:s", ValueType.STRING).toBuilder().kind(IndexKind.STATS).build(),
            index("g", "d:n", ValueType.LONG).toBuilder().kind(IndexKind.GLOBAL).build()));
    admin.waitUntilActive(table, Duration.ofSeconds(60));
    TestCluster.get().admin().disableTable(table);
    assertThat(admin.status(table))
        .hasSize(3)
        .allSatisfy(
            s ->
                assertThat(s.errors())
                    .containsExactly(
                        "table 'admin_disabled' is disabled, and no region answers: enable it"));
    TestCluster.get().admin().enableTable(table);
    admin.waitUntilActive(table, Duration.ofSeconds(60));
  }

  @Test
  void lifeOfAnIndex() throws IOException {
    TableName table = table("admin_life");
    IndexAdmin admin = spyhop.admin();
    admin.createIndex(table, index("n", "d:n", ValueType.LONG));
    assertThat(rows(table, Query.where("n = 7"))).hasSize(10);
    admin.waitUntilActive(table, Duration.ofSeconds(30));
    long opened = openings(table);
    admin.createIndex(table, index("s", "d:s", ValueType.STRING));
    admin.waitUntilActive(table, Duration.ofSeconds(30));
    assertThat(openings(table)).as("the second index reopens nothing").isEqualTo(opened);
    List<IndexStatus> status = admin.status(table);
    assertThat(status).hasSize(2).allMatch(s -> s.state() == IndexStatus.State.ACTIVE);
    assertThat(status)
        .allMatch(s -> s instanceof IndexStatus.Local l && l.entries() == ROWS && l.regions() == 3);
    assertThat(rows(table, Query.where("n BETWEEN 7 AND 8 AND s = 's0'").hint("index")))
        .isSorted()
        .isEqualTo(rows(table, Query.where("n BETWEEN 7 AND 8 AND s = 's0'").hint("scan")))
        .isNotEmpty();
    assertThat(rows(table, Query.where("n = 7").limit(3).hint("n")))
        .containsExactly("r007", "r057", "r107");
    var plan = spyhop.table(table).explainAnalyze(Query.where("n = 7").hint("n"));
    assertThat(plan.driving()).isEqualTo("n");
    assertThat(plan.recordsRead()).isEqualTo(10);
    assertThat(plan.rows()).isEqualTo(10);
    admin.dropIndex(table, "n");
    assertThat(admin.listIndexes(table)).extracting(IndexDefinition::name).containsExactly("s");
    Awaitility.await("the files of index n to go")
        .atMost(Duration.ofSeconds(20))
        .until(() -> files(table, ".n.") == 0);
    assertThat(files(table, ".s.")).isEqualTo(6);
    assertThat(rows(table, Query.where("s = 's1'"))).hasSize(72);
  }

  private static long files(TableName table, String part) throws IOException {
    Path root =
        Path.of(
            java.net.URI.create(
                TestCluster.get().util().getConfiguration().get("spyhop.ifile.dir")));
    long count = 0;
    for (HRegion r : TestCluster.get().regions(table)) {
      count +=
          PresentFiles.below(root).stream()
              .filter(p -> p.toString().contains(r.getRegionInfo().getEncodedName()))
              .filter(p -> p.getFileName().toString().contains(part))
              .count();
    }
    return count;
  }

  @Test
  void badInputChangesNothing() throws IOException {
    TableName table = table("admin_bad");
    IndexAdmin admin = spyhop.admin();
    admin.createIndex(table, index("n", "d:n", ValueType.LONG));
    assertThatThrownBy(() -> admin.createIndex(table, index("n", "d:n", ValueType.LONG)))
        .hasMessageContaining("already has an index 'n'");
    assertThatThrownBy(() -> admin.createIndex(table, index("x", "q:n", ValueType.LONG)))
        .hasMessageContaining("no column family 'q'");
    assertThatThrownBy(() -> admin.dropIndex(table, "nope"))
        .hasMessageContaining("no index 'nope'");
    TableName absent = TableName.valueOf("admin_absent");
    assertThatThrownBy(() -> admin.createIndex(absent, index("n", "d:n", ValueType.LONG)))
        .hasMessageContaining("admin_absent");
    assertThatThrownBy(() -> rows(table, Query.where("nope = 1")))
        .hasMessageContaining("'nope'")
        .hasMessageContaining("admin_bad");
    assertThatThrownBy(() -> rows(table, Query.where("n = 'seven'")))
        .hasMessageContaining("d:n")
        .hasMessageContaining("'seven'");
    assertThatThrownBy(() -> rows(table, Query.where("n === 1 AND"))).hasMessageNotContaining("\n");
    assertThat(admin.listIndexes(table)).hasSize(1);
  }

  /** One that cannot start. */
  public static final class FailingRegionServer extends SpyhopRegionServer {
    @Override
    @SuppressWarnings("rawtypes")
    public void start(CoprocessorEnvironment env) {
      super.start(null);
    }
  }

  /** Correctness rule 22; and a server whose Spyhop cannot start goes on without. */
  @Test
  void refusesWhileAServerIsWithoutSpyhop() throws Exception {
    TableName table = table("admin_without");
    MiniHBaseCluster cluster = TestCluster.get().util().getMiniHBaseCluster();
    Configuration conf = cluster.getConfiguration();
    String loaded = conf.get(CoprocessorHost.REGIONSERVER_COPROCESSOR_CONF_KEY);
    conf.set(
        CoprocessorHost.REGIONSERVER_COPROCESSOR_CONF_KEY, FailingRegionServer.class.getName());
    RegionServerThread without = cluster.startRegionServerAndWait(30_000);
    try {
      assertThatThrownBy(() -> spyhop.admin().createIndex(table, index("n", "d:n", ValueType.LONG)))
          .isInstanceOf(SpyhopNotInstalledException.class)
          .hasMessageContaining(without.getRegionServer().getServerName().toString());
      assertThat(spyhop.admin().listIndexes(table)).isEmpty();
    } finally {
      conf.set(CoprocessorHost.REGIONSERVER_COPROCESSOR_CONF_KEY, loaded);
      without.getRegionServer().stop("the test is over");
      without.join(30_000);
    }
    Awaitility.await("the master to forget the server")
        .atMost(Duration.ofSeconds(60))
        .until(() -> TestCluster.get().admin().getRegionServers().size() == TestCluster.SERVERS);
    spyhop.admin().createIndex(table, index("n", "d:n", ValueType.LONG));
    assertThat(spyhop.admin().listIndexes(table)).hasSize(1);
  }

  @Test
  void masterRefusesDefinitionsThatNobodyCanServe() throws IOException {
    TableName table = TableName.valueOf("admin_refused");
    TableDescriptorBuilder bad =
        TableDescriptorBuilder.newBuilder(table)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(D))
            .setValue("spyhop.index.x", "v=1;kind=LOCAL;column=d");
    assertThatThrownBy(() -> TestCluster.get().admin().createTable(bad.build()))
        .hasMessageContaining("admin_refused")
        .hasMessageContaining("'x'");
    for (String broken : List.of("v=%zz", "v=1;kind=LOCAL;column=d%3A%5Cx;type=LONG;id=1")) {
      assertThatThrownBy(
              () ->
                  TestCluster.get()
                      .admin()
                      .createTable(
                          TableDescriptorBuilder.newBuilder(table)
                              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(D))
                              .setValue("spyhop.index.x", broken)
                              .build()))
          .as("what an observer throws besides an IOException aborts the master")
          .hasMessageContaining("admin_refused")
          .hasMessageContaining("'x'");
    }
    var mob =
        io.spyhop.core.schema.IndexSchema.withIndex(
            TableDescriptorBuilder.newBuilder(table)
                .setColumnFamily(
                    ColumnFamilyDescriptorBuilder.newBuilder(D)
                        .setMobEnabled(true)
                        .setMobThreshold(10)
                        .build())
                .build(),
            index("n", "d:n", ValueType.LONG));
    assertThatThrownBy(() -> TestCluster.get().admin().createTable(mob))
        .hasMessageContaining("MOB");
  }
}
