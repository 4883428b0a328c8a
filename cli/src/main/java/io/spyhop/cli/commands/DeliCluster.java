package io.spyhop.cli.commands;

import io.spyhop.bench.deli.BenchCluster;
import io.spyhop.cli.server.DataBlockReads;
import io.spyhop.cli.server.DataDirectory;
import io.spyhop.cli.server.ProcessHBase;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.hbase.client.Connection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Two region servers in JVMs of their own, with the settings of {@code spyhop bench deli}. */
final class DeliCluster implements BenchCluster {
  private static final Logger LOG = LoggerFactory.getLogger(DeliCluster.class);
  private static final int REGION_SERVERS = 2;
  private static final String HEAP = "1g";
  private static final String SCHEDULER = "io.spyhop.server.global.SpyhopRpcSchedulerFactory";

  private final ProcessHBase hbase;
  private final Connection connection;
  private final DataBlockReads blocks;

  private DeliCluster(ProcessHBase hbase, Connection connection, DataBlockReads blocks) {
    this.hbase = hbase;
    this.connection = connection;
    this.blocks = blocks;
  }

  static DeliCluster start(long graceMillis) throws IOException {
    DataDirectory dir = DataDirectory.temporary();
    ProcessHBase hbase = null;
    Connection connection = null;
    try {
      hbase = ProcessHBase.start(dir, REGION_SERVERS, HEAP, settings(graceMillis));
      connection = hbase.connect();
      return new DeliCluster(hbase, connection, new DataBlockReads(hbase.jmxPorts()));
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

  private static Map<String, String> settings(long graceMillis) {
    Map<String, String> settings = new HashMap<>();
    settings.put("spyhop.global.grace.ms", Long.toString(graceMillis));
    // Compactions run when they are measured, and at no other time.
    settings.put("hbase.hstore.compaction.min", "1000");
    settings.put("hbase.hstore.compaction.max", "1000");
    settings.put("hbase.hregion.majorcompaction", "0");
    settings.put("hbase.hstore.blockingStoreFiles", "1000");
    if (isLoadable(SCHEDULER)) {
      settings.put("hbase.region.server.rpc.scheduler.factory.class", SCHEDULER);
    }
    return settings;
  }

  private static boolean isLoadable(String className) {
    try {
      Class.forName(className);
      return true;
    } catch (ClassNotFoundException e) {
      LOG.info("Region servers use HBase's own scheduler: there is no {}", className);
      return false;
    }
  }

  @Override
  public Connection connection() {
    return connection;
  }

  @Override
  public long dataBlocksRead() throws IOException {
    hbase.requireAlive();
    return blocks.total();
  }

  @Override
  public void close() throws IOException {
    try (hbase;
        connection) {
      blocks.close();
    }
  }
}
