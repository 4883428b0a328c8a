package io.spyhop.cli.server;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;

/** The settings of an embedded HBase: one machine, local files, Spyhop installed. */
final class ServerConfiguration {
  /** All servers listen here only. */
  static final String LOCALHOST = "127.0.0.1";

  private ServerConfiguration() {}

  /** Everything but the port of ZooKeeper, which is known once that runs. */
  static Configuration of(DataDirectory dir, ServerPorts ports, int regionServers) {
    Configuration conf = HBaseConfiguration.create();
    places(conf, dir);
    addresses(conf, ports, regionServers);
    quickStart(conf, regionServers);
    SpyhopCluster.settings(dir.uri("ifiles")).forEach(conf::set);
    return conf;
  }

  private static void places(Configuration conf, DataDirectory dir) {
    conf.set(HConstants.HBASE_DIR, dir.uri("hbase"));
    conf.set("hbase.tmp.dir", dir.path("tmp"));
    conf.set("hadoop.tmp.dir", dir.path("tmp"));
    conf.setBoolean(HConstants.CLUSTER_DISTRIBUTED, false);
    // The local file system cannot promise to keep what a crash of the machine interrupts.
    conf.setBoolean("hbase.unsafe.stream.capability.enforce", false);
  }

  private static void addresses(Configuration conf, ServerPorts ports, int regionServers) {
    conf.set(HConstants.ZOOKEEPER_QUORUM, LOCALHOST);
    conf.set("hbase.master.hostname", LOCALHOST);
    conf.set("hbase.regionserver.hostname", LOCALHOST);
    conf.set("hbase.master.ipc.address", LOCALHOST);
    conf.set("hbase.regionserver.ipc.address", LOCALHOST);
    conf.setInt(HConstants.MASTER_PORT, ports.master());
    // Several servers in one JVM cannot share a port.
    conf.setInt(HConstants.REGIONSERVER_PORT, regionServers == 1 ? ports.regionServer() : 0);
    conf.setInt(HConstants.MASTER_INFO_PORT, -1);
    conf.setInt(HConstants.REGIONSERVER_INFO_PORT, -1);
  }

  private static void quickStart(Configuration conf, int regionServers) {
    conf.setInt("hbase.master.wait.on.regionservers.mintostart", regionServers);
    conf.setInt("hbase.master.wait.on.regionservers.maxtostart", regionServers);
    conf.setInt("hbase.regionserver.msginterval", 500);
    // EmbeddedHBase stops the servers itself, and waits for a bounded time only.
    conf.setBoolean("hbase.shutdown.hook", false);
  }
}
