package io.spyhop.cli.commands;

import io.spyhop.bench.BenchCluster;
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
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;

/**
 * Two region servers in JVMs of their own that compact when they are told to, and at no other time.
 */
final class BenchProcesses implements BenchCluster {
  private static final int REGION_SERVERS = 2;
  private static final String HEAP = "1g";
  private static final int STORE_FILE_DEPTH = 3;

  private final Cluster cluster;
  private final Connection connection;
  private final RegionServerMetrics metrics;

  private BenchProcesses(Cluster cluster, Connection connection, RegionServerMetrics metrics) {
    this.cluster = cluster;
    this.connection = connection;
    this.metrics = metrics;
  }

  static BenchProcesses start(Map<String, String> settings) throws IOException {
    Cluster cluster = null;
    Connection connection = null;
    try {
      Path dir = Files.createTempDirectory("spyhop-");
      cluster = Cluster.start(dir, spec(dir, settings));
      connection = cluster.connect();
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

  private static ClusterSpec spec(Path dir, Map<String, String> settings) {
    return SpyhopCluster.in(dir)
        .regionServers(REGION_SERVERS)
        .heap(ServerRole.REGION_SERVER, HEAP)
        .jvmOption(ServerRole.REGION_SERVER, "-Xms" + HEAP)
        .logLevel("WARN")
        .jmx(true)
        .file(RegionServerMetrics.METRICS_FILE, RegionServerMetrics.METRICS_PROPERTIES)
        .settings(withDefaults(settings))
        .life(ClusterSpec.Life.THROWAWAY)
        .build();
  }

  private static RegionServerMetrics metrics(Cluster cluster) throws IOException {
    return new RegionServerMetrics(
        cluster.servers(ServerRole.REGION_SERVER).stream().map(Server::jmxPort).toList());
  }

  private static Map<String, String> withDefaults(Map<String, String> asked) {
    Map<String, String> settings = new HashMap<>();
    // Compactions run when they are measured, and at no other time.
    settings.put("hbase.hstore.compaction.min", "1000");
    settings.put("hbase.hstore.compaction.max", "1000");
    settings.put("hbase.hregion.majorcompaction", "0");
    settings.put("hbase.hstore.blockingStoreFiles", "1000");
    settings.put("hbase.master.wait.on.regionservers.mintostart", String.valueOf(REGION_SERVERS));
    settings.put(
        HConstants.REGION_SERVER_HANDLER_COUNT,
        String.valueOf(HConstants.DEFAULT_REGION_SERVER_HANDLER_COUNT));
    settings.putAll(asked);
    return settings;
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
  public void close() throws IOException {
    try (cluster;
        connection) {
      metrics.close();
    }
  }
}
