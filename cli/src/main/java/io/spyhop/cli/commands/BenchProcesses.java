package io.spyhop.cli.commands;

import io.spyhop.bench.BenchCluster;
import io.spyhop.bench.ServerUse;
import io.spyhop.bench.dynahash.DynahashBench;
import io.spyhop.cli.server.ClusterUse;
import io.spyhop.cli.server.RegionServerMetrics;
import io.spyhop.cli.server.SpyhopCluster;
import io.spyhop.cluster.Cluster;
import io.spyhop.cluster.ClusterSpec;
import io.spyhop.cluster.Server;
import io.spyhop.cluster.ServerRole;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/** Region servers in JVMs of their own that compact when they are told to, and at no other time. */
final class BenchProcesses implements BenchCluster {
  private static final int LOCAL_SERVERS = 2;
  private static final String HEAP = "1g";
  private static final String LARGE_HEAP = "4g";
  private static final String USUAL_LOG = "INFO";
  private static final String NEVER = "1000";
  private static final int STORE_FILE_DEPTH = 3;

  private final Cluster cluster;
  private final Connection connection;
  private final RegionServerMetrics metrics;

  private BenchProcesses(Cluster cluster, Connection connection, RegionServerMetrics metrics) {
    this.cluster = cluster;
    this.connection = connection;
    this.metrics = metrics;
  }

  /** Two region servers on local files, with settings beyond those of every benchmark. */
  static BenchProcesses onLocalFiles(Map<String, String> asked) throws IOException {
    Map<String, String> settings = new HashMap<>(asked);
    settings.putIfAbsent(
        HConstants.REGION_SERVER_HANDLER_COUNT,
        String.valueOf(HConstants.DEFAULT_REGION_SERVER_HANDLER_COUNT));
    return start(
        LOCAL_SERVERS,
        settings,
        spec -> spec.jvmOption(ServerRole.REGION_SERVER, "-Xms" + HEAP),
        Map.of());
  }

  /**
   * Region servers on an HDFS of their own, with index files on local disks. Its client does not
   * wait longer than a region is away.
   */
  static BenchProcesses onHdfs(Map<String, String> asked) throws IOException {
    return start(
        DynahashBench.SERVERS,
        asked,
        spec -> spec.dataNodes(1),
        Map.of(HConstants.HBASE_CLIENT_PAUSE, "20", HConstants.HBASE_CLIENT_RETRIES_NUMBER, "40"));
  }

  /** One region server on an HDFS of its own, with room for many regions, that logs as usual. */
  static BenchProcesses oneOnHdfs(Map<String, String> asked) throws IOException {
    return start(
        1,
        asked,
        spec -> spec.dataNodes(1).heap(ServerRole.REGION_SERVER, LARGE_HEAP).logLevel(USUAL_LOG),
        Map.of());
  }

  private static BenchProcesses start(
      int servers,
      Map<String, String> settings,
      UnaryOperator<ClusterSpec.Builder> options,
      Map<String, String> clientSettings)
      throws IOException {
    Cluster cluster = null;
    Connection connection = null;
    try {
      Path dir = Files.createTempDirectory("spyhop-");
      cluster = Cluster.start(dir, options.apply(spec(dir, servers, settings)).build());
      Configuration conf = cluster.clientConfiguration();
      clientSettings.forEach(conf::set);
      connection = ConnectionFactory.createConnection(conf);
      return new BenchProcesses(cluster, connection, metrics(cluster));
    } catch (IOException | RuntimeException e) {
      if (connection != null) {
        connection.close();
      }
      if (cluster != null) {
        cluster.close();
      }
      throw e;
    }
  }

  private static ClusterSpec.Builder spec(Path dir, int servers, Map<String, String> asked) {
    Map<String, String> settings = new HashMap<>();
    settings.put("hbase.hstore.compaction.min", NEVER);
    settings.put("hbase.hstore.compaction.max", NEVER);
    settings.put("hbase.hregion.majorcompaction", "0");
    settings.put("hbase.hstore.blockingStoreFiles", NEVER);
    settings.put("hbase.master.wait.on.regionservers.mintostart", String.valueOf(servers));
    settings.putAll(asked);
    return SpyhopCluster.in(dir)
        .regionServers(servers)
        .heap(ServerRole.REGION_SERVER, HEAP)
        .logLevel("WARN")
        .jmx(true)
        .file(RegionServerMetrics.METRICS_FILE, RegionServerMetrics.METRICS_PROPERTIES)
        .settings(settings)
        .life(ClusterSpec.Life.THROWAWAY);
  }

  private static RegionServerMetrics metrics(Cluster cluster) throws IOException {
    return new RegionServerMetrics(
        cluster.servers(ServerRole.REGION_SERVER).stream().map(Server::jmxPort).toList());
  }

  @Override
  public Connection connection() {
    return connection;
  }

  @Override
  public long dataBlocksRead() throws IOException {
    cluster.requireRunning(cluster.servers());
    return metrics.dataBlocksRead();
  }

  @Override
  public long callsAnswered() throws IOException {
    return metrics.callsAnswered();
  }

  @Override
  public long storeFileBytes(TableName table) throws IOException {
    Path root = Path.of(URI.create(cluster.clientConfiguration().get(HConstants.HBASE_DIR)));
    Path data = root.resolve("data").resolve(table.getNamespaceAsString());
    Path files = data.resolve(table.getQualifierAsString());
    try (Stream<Path> all = Files.walk(files)) {
      return all.filter(f -> isStoreFile(files.relativize(f)))
          .mapToLong(f -> f.toFile().length())
          .sum();
    }
  }

  /** Region, family and file; what begins with a dot is something else. */
  private static boolean isStoreFile(Path file) {
    return file.getNameCount() == STORE_FILE_DEPTH
        && StreamSupport.stream(file.spliterator(), false)
            .noneMatch(part -> part.toString().startsWith("."));
  }

  @Override
  public ServerUse use() throws IOException {
    return ClusterUse.of(cluster);
  }

  @Override
  public void restartServers() throws IOException {
    for (Server server : cluster.servers(ServerRole.REGION_SERVER)) {
      cluster.restart(server);
    }
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
    try (cluster;
        connection) {
      metrics.close();
    }
  }
}
