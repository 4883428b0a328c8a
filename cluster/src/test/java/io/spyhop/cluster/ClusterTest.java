package io.spyhop.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.spyhop.cluster.Server.State;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** The life of one cluster with everything in processes of its own, each step after the other. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ClusterTest {
  private static final TableName NAME = TableName.valueOf("t");
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] ROW = Bytes.toBytes("r");
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private static Path temp;
  private static Path dir;
  private static Cluster cluster;

  @BeforeAll
  static void start() throws IOException {
    dir = temp.resolve("cluster");
    ClusterSpec spec =
        ClusterSpec.builder()
            .dataNodes(1)
            .regionServers(2)
            .jvmOption("-XX:TieredStopAtLevel=1")
            .setting("zookeeper.session.timeout", "6000")
            .life(ClusterSpec.Life.ENDS_WITH_JVM)
            .build();
    cluster = Cluster.start(dir, spec);
  }

  @AfterAll
  static void end() throws IOException {
    if (cluster != null) {
      cluster.close();
      assertThat(ClusterDirectory.open(dir).processes()).isEmpty();
    }
  }

  @Test
  @Order(1)
  void everyServerHasAProcess() throws IOException {
    assertThat(cluster.servers())
        .extracting(Server::name)
        .containsExactly(
            "namenode", "datanode-0", "zookeeper", "master", "regionserver-0", "regionserver-1");
    for (Server server : cluster.servers()) {
      assertThat(server.state()).as(server.name()).isEqualTo(State.RUNNING);
      assertThat(server.log()).isNotEmptyFile();
    }
    assertThat(cluster.servers()).extracting(Server::pid).doesNotHaveDuplicates();
    try (Connection connection = cluster.connect();
        Admin admin = connection.getAdmin()) {
      assertThat(admin.getRegionServers()).hasSize(2);
      admin.createTable(
          TableDescriptorBuilder.newBuilder(NAME)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
              .build());
    }
    write("a");
  }

  private static void write(String value) throws IOException {
    try (Connection connection = cluster.connect();
        Table table = connection.getTable(NAME)) {
      table.put(new Put(ROW).addColumn(F, F, Bytes.toBytes(value)));
    }
  }

  private static String read() throws IOException {
    try (Connection connection = cluster.connect();
        Table table = connection.getTable(NAME)) {
      return Bytes.toString(table.get(new Get(ROW)).getValue(F, F));
    }
  }

  @Test
  @Order(2)
  void aSecondOneInTheDirectoryIsRefused() {
    assertThatThrownBy(() -> Cluster.start(dir, ClusterSpec.builder().build()))
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("a cluster runs in '" + dir + "' (6 processes")
        .hasMessageContaining("stop it first");
    Server running = regionServer(0);
    assertThatThrownBy(running::start)
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("regionserver-0 runs already, as process");
    assertThatThrownBy(() -> cluster.forget(running))
        .isInstanceOf(ClusterException.class)
        .hasMessage("regionserver-0 still runs");
  }

  private static Server regionServer(int number) {
    try {
      return cluster.regionServer(number);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  @Order(3)
  void whatIsKilledIsStartedAgainAtItsPort() throws IOException {
    Server server = regionServer(0);
    int port = server.port();
    long before = server.pid().orElseThrow();
    assertThat(server.kill()).isTrue();
    assertThat(server.kill()).isFalse();
    assertThat(server.state()).isEqualTo(State.ENDED);
    assertThatThrownBy(() -> cluster.requireRunning(cluster.servers()))
        .hasMessageContaining("regionserver-0 has ended (log: " + dir);
    assertThatThrownBy(server::pause).hasMessage("regionserver-0 does not run");
    cluster.restart(server);
    assertThat(server.port()).isEqualTo(port);
    assertThat(server.pid().orElseThrow()).isNotEqualTo(before);
    assertThat(cluster.isReported(server)).isTrue();
    assertThat(read()).isEqualTo("a");
  }

  @Test
  @Order(4)
  void aPausedServerIsThoughtDead() throws IOException {
    Server server = regionServer(1);
    server.pause();
    assertThat(server.isRunning()).isTrue();
    await().atMost(PATIENCE).until(() -> !cluster.isReported(server));
    server.resume();
    await().atMost(PATIENCE).until(() -> !server.isRunning()); // it learns that it is dead
    cluster.startAll();
    assertThat(cluster.isReported(server)).isTrue();
  }

  @Test
  @Order(5)
  void oneMoreIsAddedByAnotherProcess() throws IOException {
    try (Cluster other = Cluster.attach(dir)) {
      assertThat(other.connectString()).isEqualTo(cluster.connectString());
      Server added = other.addRegionServer(Map.of("hbase.regionserver.handler.count", "3"));
      assertThat(added.name()).isEqualTo("regionserver-2");
      other.awaitUp(List.of(added));
    }
    Server added = regionServer(2);
    assertThat(added.isRunning()).isTrue();
    added.kill();
    cluster.forget(added);
    assertThat(cluster.servers(ServerRole.REGION_SERVER)).hasSize(2);
    assertThatThrownBy(() -> cluster.regionServer(2))
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("no server regionserver-2 among [namenode, ");
  }

  @Test
  @Order(6)
  void itIsStoppedAndStartedAgain() throws IOException {
    write("b");
    cluster.stop();
    for (Server server : cluster.servers()) {
      assertThat(server.state()).as(server.name()).isEqualTo(State.STOPPED);
    }
    cluster.stop(); // nothing more to do
    assertThatThrownBy(() -> Cluster.start(dir, ClusterSpec.builder().build()))
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("there is a stopped cluster in '" + dir + "'");
    cluster.startAll();
    assertThat(read()).isEqualTo("b");
  }
}
