package io.spyhop.cli.commands;

import io.spyhop.bench.BenchCluster;
import io.spyhop.cli.server.DataDirectory;
import io.spyhop.cli.server.ProcessHBase;
import io.spyhop.cli.server.RegionServerMetrics;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;

/**
 * Two region servers in JVMs of their own that compact when they are told to, and at no other time.
 */
final class BenchProcesses implements BenchCluster {
  private static final int REGION_SERVERS = 2;
  private static final String HEAP = "1g";

  private final ProcessHBase hbase;
  private final Connection connection;
  private final RegionServerMetrics metrics;

  private BenchProcesses(ProcessHBase hbase, Connection connection, RegionServerMetrics metrics) {
    this.hbase = hbase;
    this.connection = connection;
    this.metrics = metrics;
  }

  static BenchProcesses start(Map<String, String> settings) throws IOException {
    DataDirectory dir = DataDirectory.temporary();
    ProcessHBase hbase = null;
    Connection connection = null;
    try {
      hbase = ProcessHBase.start(dir, REGION_SERVERS, HEAP, withDefaults(settings));
      connection = hbase.connect();
      return new BenchProcesses(hbase, connection, new RegionServerMetrics(hbase.jmxPorts()));
    } catch (IOException | RuntimeException e) {
      if (connection != null) {
        connection.close();
      }
      if (hbase != null) {
        hbase.close();
      }
      throw e;
    }
  }

  private static Map<String, String> withDefaults(Map<String, String> asked) {
    Map<String, String> settings = new HashMap<>();
    // Compactions run when they are measured, and at no other time.
    settings.put("hbase.hstore.compaction.min", "1000");
    settings.put("hbase.hstore.compaction.max", "1000");
    settings.put("hbase.hregion.majorcompaction", "0");
    settings.put("hbase.hstore.blockingStoreFiles", "1000");
    settings.putAll(asked);
    return settings;
  }

  @Override
  public Connection connection() {
    return connection;
  }

  @Override
  public long dataBlocksRead() throws IOException {
    hbase.requireAlive();
    return metrics.dataBlocksRead();
  }

  @Override
  public long storeFileBytes(TableName table) throws IOException {
    return hbase.storeFileBytes(table);
  }

  @Override
  public void close() throws IOException {
    try (hbase;
        connection) {
      metrics.close();
    }
  }
}
