package io.spyhop.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.cluster.Server.State;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Wrong input is named before anything is started. */
class RefusalsTest {
  @TempDir private Path dir;

  private void shouldRefuse(Path where, ClusterSpec.Builder spec, String message) {
    assertThatThrownBy(() -> Cluster.start(where, spec.build()))
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining(message);
  }

  @Test
  void aDirectoryOfSomebodyElse() throws IOException {
    Path mine = Files.createFile(dir.resolve("mine"));
    shouldRefuse(dir, ClusterSpec.builder(), "'" + dir + "' is not empty and no cluster's");
    shouldRefuse(mine, ClusterSpec.builder(), "'" + mine + "' is not a directory");
    shouldRefuse(mine.resolve("sub"), ClusterSpec.builder(), "cannot make the directory");
    shouldRefuse(
        dir.resolve("a cluster"),
        ClusterSpec.builder().dataNodes(1),
        "use a directory without spaces and other signs that are written with %");
    try (var files = Files.list(dir)) {
      assertThat(files).containsExactly(mine);
    }
    assertThatThrownBy(() -> Cluster.attach(dir))
        .isInstanceOf(ClusterException.class)
        .hasMessage("there is no cluster in '" + dir + "'");
  }

  @Test
  void aPortInUse() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(Loopback.HOST))) {
      int port = socket.getLocalPort();
      Path fresh = dir.resolve("fresh");
      shouldRefuse(
          fresh,
          ClusterSpec.builder().port(ServerRole.ZOOKEEPER, port),
          "port " + port + " for the zookeeper is in use");
      assertThat(fresh).doesNotExist();
      Server server = planned(port);
      assertThatThrownBy(server::start)
          .isInstanceOf(ClusterException.class)
          .hasMessage("port " + port + " of regionserver-0 is in use");
    }
    assertThatThrownBy(
            () ->
                ClusterSpec.builder()
                    .port(ServerRole.ZOOKEEPER, 2181)
                    .port(ServerRole.MASTER, 99_999)
                    .build())
        .hasMessage("master port 99999 is not in 1..65535");
    shouldRefuse(
        dir.resolve("twice"),
        ClusterSpec.builder().port(ServerRole.ZOOKEEPER, 22_181).port(ServerRole.MASTER, 22_181),
        "port 22181 for the master is in use");
  }

  private Server planned(int port) throws IOException {
    ClusterDirectory made = ClusterDirectory.create(dir.resolve("planned"));
    ServerPlan plan =
        new ServerPlan(ServerRole.REGION_SERVER, 0, port, 0, "64m", "nothing", List.of(), Map.of());
    plan.write(made.plan(plan.name()));
    return new Server(made, plan, true);
  }

  @Test
  void numbersThatCannotBe() {
    assertThatThrownBy(() -> ClusterSpec.builder().regionServers(0).build())
        .hasMessage("0 region servers are less than 1");
    assertThatThrownBy(() -> ClusterSpec.builder().dataNodes(-1).build())
        .hasMessage("-1 data nodes are less than 0");
  }

  /** The numbers of processes come again. */
  @Test
  void aProcessOfSomebodyElseIsNotTakenForAServer() throws IOException {
    Server server = planned(Loopback.freePort(Set.of()));
    Path pid = dir.resolve("planned/pids/regionserver-0.properties");
    for (long other : new long[] {ProcessHandle.current().pid(), Integer.MAX_VALUE}) {
      new ProcessRecord(other, 0).write(pid);
      assertThat(server.isRunning()).isFalse();
      assertThat(server.state()).isEqualTo(State.ENDED);
      assertThat(server.kill()).isFalse();
    }
    Files.writeString(pid, "rubbish");
    assertThatThrownBy(server::state).hasMessage("'" + pid + "' is damaged: no number pid");
  }

  @Test
  void plansAreReadAsTheyWereWritten() throws IOException {
    ServerPlan plan =
        new ServerPlan(
            ServerRole.REGION_SERVER,
            3,
            1,
            2,
            "1g",
            "/a b:/c\\d",
            List.of("-Da=\"b\"", "-Dc= d"),
            Map.of("x.y", "ä=\n1"));
    Path file = dir.resolve("plan");
    plan.write(file);
    assertThat(ServerPlan.read(file)).isEqualTo(plan);
  }
}
