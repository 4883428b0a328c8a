package io.spyhop.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.cli.commands.Cli.Run;
import io.spyhop.cluster.Cluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code spyhop cluster}: real processes, by commands alone. */
class ClusterCommandTest {
  private static final TableName KEPT = TableName.valueOf("kept");

  @TempDir private static Path dir;
  private static Path home;

  @BeforeAll
  static void start() {
    home = dir.resolve("cluster");
    Run run = cluster("start", "--region-servers=1", "--data-nodes=0", "--heap=256m");
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isZero();
    assertThat(run.out()).contains("3 servers are up after", "--zookeeper 127.0.0.1:");
  }

  @AfterAll
  static void killAll() throws IOException {
    if (Cluster.isIn(home)) {
      try (Cluster cluster = Cluster.attach(home)) {
        cluster.killAll();
      }
    }
  }

  private static Run cluster(String command, String... more) {
    List<String> all = new ArrayList<>(List.of("cluster", command, "--dir", home.toString()));
    all.addAll(List.of(more));
    return Cli.run(all.toArray(new String[0]));
  }

  private static void fails(Run run, int code, String message) {
    assertThat(run.err().lines()).singleElement().asString().contains(message);
    assertThat(run.code()).isEqualTo(code);
  }

  private static List<String> states() {
    return cluster("status")
        .out()
        .lines()
        .filter(line -> line.matches("(master|zookeeper|regionserver-\\d+) .*"))
        .map(line -> line.replaceFirst("^(\\S+) +(\\S+) .*", "$1 $2"))
        .toList();
  }

  /** From the first death to the last stop, and once more up with its data. */
  @Test
  void aClustersLife() throws IOException {
    createTable();
    assertThat(cluster("kill", "0").out()).isEqualTo("regionserver-0 is killed.\n");
    assertThat(cluster("status").code()).isOne();
    assertThat(states())
        .containsExactly("zookeeper running", "master running", "regionserver-0 ended");
    fails(cluster("kill", "0"), 2, "regionserver-0 does not run");
    assertThat(cluster("add").out()).startsWith("regionserver-1 is up after");
    assertThat(cluster("restart", "regionserver-0").out()).contains("is up again after");
    assertThat(cluster("stop").out()).contains("is stopped after");
    assertThat(states())
        .containsExactly(
            "zookeeper stopped",
            "master stopped",
            "regionserver-0 stopped",
            "regionserver-1 stopped");
    fails(cluster("start", "--region-servers=2"), 2, "starts as it was, without --region-servers");
    fails(cluster("add"), 1, "master has ended");
    assertThat(cluster("start").out()).contains("4 servers are up after");
    assertThat(cluster("status").code()).isZero();
    requireTable();
  }

  private static void createTable() throws IOException {
    try (Cluster cluster = Cluster.attach(home);
        Connection connection = cluster.connect()) {
      connection
          .getAdmin()
          .createTable(
              TableDescriptorBuilder.newBuilder(KEPT)
                  .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                  .build());
    }
  }

  private static void requireTable() throws IOException {
    try (Cluster cluster = Cluster.attach(home);
        Connection connection = cluster.connect()) {
      assertThat(connection.getAdmin().tableExists(KEPT)).isTrue();
    }
  }

  @Test
  void aSecondStart() {
    fails(cluster("start"), 2, "a cluster runs in '" + home + "'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"7", "regionserver-7", "nobody", ""})
  void serversThatAreNotThere(String server) {
    fails(cluster("kill", server), 2, "no server ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"status", "stop", "add"})
  void noClusterThere(String command) {
    Path none = dir.resolve("none");
    Run run = Cli.run("cluster", command, "--dir", none.toString());
    fails(run, 2, "there is no cluster in '" + none + "'");
    assertThat(none).doesNotExist();
  }

  @Test
  void aDirectoryThatIsNotOurs() throws IOException {
    Path other = Files.createDirectory(dir.resolve("other"));
    Path file = Files.writeString(other.resolve("precious"), "text");
    Run run = Cli.run("cluster", "start", "--dir", other.toString());
    fails(run, 2, "the directory '" + other + "' is not empty and no cluster's");
    assertThat(other).isDirectoryContaining(file::equals);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--region-servers=0", "--data-nodes=-1", "--zookeeper-port=70000"})
  void impossibleWishes(String option) {
    Path other = dir.resolve("impossible");
    Run run = Cli.run("cluster", "start", "--dir", other.toString(), option);
    fails(run, 2, option.substring(option.indexOf('=') + 1));
    assertThat(other).doesNotExist();
  }
}
