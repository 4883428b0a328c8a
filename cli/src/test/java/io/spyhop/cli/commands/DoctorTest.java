package io.spyhop.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.cli.commands.Cli.Run;
import io.spyhop.cli.server.SpyhopCluster;
import io.spyhop.client.Spyhop;
import io.spyhop.cluster.Cluster;
import io.spyhop.cluster.ClusterSpec;
import io.spyhop.cluster.Server;
import io.spyhop.cluster.ServerRole;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.ViewOption;
import io.spyhop.core.value.ValueType;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.SimpleRpcSchedulerFactory;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code spyhop doctor} on a cluster in which each server but the first has an ill of its own. */
class DoctorTest {
  private static final TableName TWICE = TableName.valueOf("twice");
  private static final TableName INDEXED = TableName.valueOf("indexed");
  private static final TableName VIEWS = TableName.valueOf("views");
  private static final String CLASS_PATH = System.getProperty("java.class.path");

  @TempDir private static Path dir;
  private static Cluster cluster;
  private static Server without;
  private static Server unwritable;
  private static Server few;
  private static Server other;
  private static Run healthy;
  private static Run ill;
  private static Server gone;
  private static Run dead;

  @BeforeAll
  static void start() throws IOException {
    Path home = dir.resolve("cluster");
    cluster =
        Cluster.start(
            home,
            SpyhopCluster.in(home)
                .heap(ServerRole.REGION_SERVER, "256m")
                .jvmOption("-XX:TieredStopAtLevel=1")
                .life(ClusterSpec.Life.ENDS_WITH_JVM)
                .build());
    healthy = doctor();
    createTwice(); // while there is one server
    createIndexed();
    without =
        cluster.addRegionServer(
            Map.of(
                "hbase.coprocessor.regionserver.classes",
                "",
                "hbase.hregion.impl", // of a missing class, the first region ends it
                HRegion.class.getName(),
                "hbase.region.server.rpc.scheduler.factory.class",
                SimpleRpcSchedulerFactory.class.getName()));
    without.stop();
    without.start(withoutTheJar());
    unwritable = cluster.addRegionServer(Map.of("spyhop.ifile.dir", "file:///dev/null/ifiles"));
    few =
        cluster.addRegionServer(
            Map.of(
                "hbase.regionserver.handler.count",
                "30",
                "spyhop.global.handlers",
                "2",
                "hbase.hregion.impl",
                HRegion.class.getName()));
    other = cluster.addRegionServer(Map.of());
    other.stop();
    other.start(otherRelease() + File.pathSeparator + CLASS_PATH);
    cluster.awaitUp(List.of(without, unwritable, few, other));
    createViews();
    ill = doctor();
    gone = cluster.addRegionServer(Map.of());
    cluster.awaitUp(List.of(gone));
    gone.kill();
    dead = doctor();
  }

  @AfterAll
  static void stop() throws IOException {
    if (cluster != null) {
      cluster.close();
    }
  }

  private static Run doctor() {
    return Cli.run("doctor", "--zookeeper", cluster.connectString());
  }

  private static String withoutTheJar() {
    return Arrays.stream(CLASS_PATH.split(File.pathSeparator))
        .filter(entry -> !entry.contains("lcindex-server"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static Path otherRelease() throws IOException {
    Path file = dir.resolve("other/io/spyhop/core/version.properties");
    Files.createDirectories(file.getParent());
    Files.writeString(file, "version=0.1.9\n");
    return dir.resolve("other");
  }

  private static void createTwice() throws IOException {
    try (Connection connection = cluster.connect();
        Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TWICE)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
              .setCoprocessor("io.spyhop.server.hook.SpyhopRegion")
              .build());
    }
  }

  /** A table with an index, whose store files are tracked in files. */
  private static void createIndexed() throws IOException {
    try (Connection connection = cluster.connect();
        Admin admin = connection.getAdmin();
        Spyhop spyhop = Spyhop.connect(connection)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(INDEXED)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
              .setValue("hbase.store.file-tracker.impl", "FILE")
              .build());
      spyhop
          .admin()
          .createIndex(
              INDEXED, IndexDefinition.builder("i").column("f:q").type(ValueType.STRING).build());
    }
  }

  private static void move(TableName table, Server to) throws IOException {
    try (Connection connection = cluster.connect();
        Admin admin = connection.getAdmin()) {
      ServerName server =
          admin.getRegionServers().stream()
              .filter(s -> s.getPort() == to.port())
              .findFirst()
              .orElseThrow();
      admin.move(admin.getRegions(table).get(0).getEncodedNameAsBytes(), server);
    }
  }

  /** A table whose region is on the server that has HBase's own class of regions. */
  private static void createViews() throws IOException {
    try (Connection connection = cluster.connect();
        Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(VIEWS)
              .setColumnFamily(
                  ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("f"))
                      .setValue(ViewOption.NAME, "true")
                      .build())
              .build());
    }
    move(VIEWS, few);
  }

  private static void finds(String where, String what, String remedy) {
    finds(ill, where, what, remedy);
  }

  private static void finds(Run run, String where, String what, String remedy) {
    List<String> lines = run.out().lines().toList();
    int line = 0;
    while (!(lines.get(line).contains(where) && lines.get(line).contains(what))) {
      line++;
      assertThat(line).as("'%s' of %s in %s", what, where, run).isLessThan(lines.size());
    }
    assertThat(lines.get(line + 1)).startsWith("  -> ").contains(remedy);
  }

  private static String at(Server server) {
    return "region server 127.0.0.1," + server.port() + ",";
  }

  @Test
  void nothing() {
    assertThat(healthy.err()).isEmpty();
    assertThat(healthy.out()).contains("0 indexes").endsWith("Nothing is wrong.\n");
    assertThat(healthy.code()).isZero();
  }

  @Test
  void allAndNoMore() {
    assertThat(ill.out()).endsWith("\n6 findings.\n");
    assertThat(ill.code()).isOne();
  }

  @Test
  void aServerWithoutSpyhop() {
    finds(at(without), "Spyhop is not loaded", "conf/hbase-site-spyhop.xml");
  }

  @Test
  void aDirectoryThatCannotBeWritten() {
    finds(
        at(unwritable), "no index files can be kept in 'file:/dev/null/ifiles", "spyhop.ifile.dir");
  }

  @Test
  void tooFewHandlers() {
    finds(at(few), "2 handlers for writes to index tables are few beside 30", "to 10 or more");
  }

  @Test
  void viewsWhereThereCanBeNone() {
    finds("table views", "SORTED_VIEW is in vain in 1 region on 127.0.0.1,", "hbase.hregion.impl");
  }

  @Test
  void releases() {
    finds("the servers", "0.1.9 on " + at(other), "install one release everywhere");
  }

  @Test
  void anObserverThatIsLoadedTwice() {
    finds(":", "in 1 region of table 'twice'", "out of the table's descriptor");
  }

  /** No class of HBase's client is named. */
  @Test
  void aServerThatIsGone() {
    assertThat(dead.out()).doesNotContain("netty", "Exception");
    finds(dead, at(gone), "does not answer: nothing listens there", "start it");
    assertThat(dead.code()).isOne();
    assertThat(dead.err()).isEmpty();
  }

  @Test
  void aTableThatIsNotRestoredSafely() {
    finds("note: table indexed", "store file tracker is FILE", "clone snapshots");
  }
}
