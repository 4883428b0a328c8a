package io.spyhop.cli.commands;

import io.spyhop.bench.dynahash.DynahashBench;
import io.spyhop.bench.dynahash.ElasticCluster;
import io.spyhop.cli.server.SpyhopCluster;
import io.spyhop.cluster.Cluster;
import io.spyhop.cluster.ClusterSpec;
import io.spyhop.cluster.Server;
import io.spyhop.cluster.ServerRole;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/**
 * Region servers in JVMs of their own on an HDFS of their own, with index files on local disks;
 * nothing is compacted, so that what moves is what was loaded.
 */
final class ElasticProcesses implements ElasticCluster {
  private static final String HEAP = "1g";
  private static final String NEVER = "1000";

  private final Cluster cluster;
  private final Connection connection;

  private ElasticProcesses(Cluster cluster, Connection connection) {
    this.cluster = cluster;
    this.connection = connection;
  }

  static ElasticProcesses start() throws IOException {
    Path dir = Files.createTempDirectory("spyhop-");
    Cluster cluster = Cluster.start(dir, spec(dir));
    try {
      return new ElasticProcesses(cluster, connect(cluster));
    } catch (IOException | RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  /** As clients are to be set that must not wait longer than a region is away. */
  private static Connection connect(Cluster cluster) throws IOException {
    Configuration conf = cluster.clientConfiguration();
    conf.set(HConstants.HBASE_CLIENT_PAUSE, "20");
    conf.set(HConstants.HBASE_CLIENT_RETRIES_NUMBER, "40");
    return ConnectionFactory.createConnection(conf);
  }

  private static ClusterSpec spec(Path dir) {
    return SpyhopCluster.in(dir)
        .dataNodes(1)
        .regionServers(DynahashBench.SERVERS)
        .heap(ServerRole.REGION_SERVER, HEAP)
        .logLevel("WARN")
        .settings(
            Map.of(
                "hbase.hstore.compaction.min",
                NEVER,
                "hbase.hstore.compaction.max",
                NEVER,
                "hbase.hregion.majorcompaction",
                "0",
                "hbase.hstore.blockingStoreFiles",
                NEVER,
                "hbase.master.wait.on.regionservers.mintostart",
                String.valueOf(DynahashBench.SERVERS)))
        .life(ClusterSpec.Life.THROWAWAY)
        .build();
  }

  @Override
  public Connection connection() {
    return connection;
  }

  @Override
  public ServerName addServer() throws IOException {
    Server added = cluster.addRegionServer(Map.of());
    cluster.awaitUp(List.of(added));
    try (Admin admin = connection.getAdmin()) {
      for (ServerName name : admin.getRegionServers()) {
        if (added.is(name)) {
          return name;
        }
      }
    }
    throw new IOException(added + " is up, but the master does not list it");
  }

  @Override
  public void close() throws IOException {
    try (cluster) {
      connection.close();
    }
  }
}
