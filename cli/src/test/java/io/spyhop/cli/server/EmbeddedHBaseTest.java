package io.spyhop.cli.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedHBaseTest {
  @TempDir private Path dir;

  @Test
  void aPortInUseIsNamed() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      ServerPorts ports = new ServerPorts(taken.getLocalPort(), 0, 0);
      assertThatThrownBy(() -> EmbeddedHBase.start(DataDirectory.of(dir), ports, 1))
          .isInstanceOf(IOException.class)
          .hasMessage("port " + taken.getLocalPort() + " for ZooKeeper is in use");
    }
  }

  @Test
  @Timeout(value = 60, unit = TimeUnit.SECONDS)
  void aServerThatEndsWhileItStartsIsNoticed() throws IOException {
    DataDirectory data = DataDirectory.of(dir);
    Files.createFile(dir.resolve("hbase"));
    assertThatThrownBy(() -> EmbeddedHBase.start(data, ServerPorts.FREE, 1))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("HBase did not start in '" + dir)
        .hasMessageContaining("ended while it started");
  }

  @Test
  void runsSeveralRegionServers() throws IOException {
    try (EmbeddedHBase hbase = EmbeddedHBase.start(DataDirectory.of(dir), ServerPorts.FREE, 2);
        Connection connection = ConnectionFactory.createConnection(hbase.clientConfiguration());
        Admin admin = connection.getAdmin()) {
      assertThat(admin.getRegionServers()).hasSize(2);
    }
  }
}
