package io.spyhop.cli.server;

import io.spyhop.core.io.Interruption;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.LocalHBaseCluster;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;
import org.apache.hadoop.hbase.zookeeper.MiniZooKeeperCluster;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running HBase in this JVM: ZooKeeper, one master, one or more region servers, all with Spyhop.
 * Thread-safe.
 */
public final class EmbeddedHBase implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedHBase.class);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(60);

  private static final long LOOK_MILLIS = 500;

  private final MiniZooKeeperCluster zookeeper;
  private final LocalHBaseCluster cluster;
  private final Configuration conf;
  private volatile boolean stopped;

  private EmbeddedHBase(
      MiniZooKeeperCluster zookeeper, LocalHBaseCluster cluster, Configuration conf) {
    this.zookeeper = zookeeper;
    this.cluster = cluster;
    this.conf = conf;
  }

  /**
   * Starts all servers and returns when the master is initialised.
   *
   * @param regionServers how many; with more than one their ports are free ones
   * @throws IOException if a port is taken or a server does not come up
   */
  public static EmbeddedHBase start(DataDirectory dir, ServerPorts ports, int regionServers)
      throws IOException {
    // Hadoop's metrics allow one server of a kind in a JVM otherwise.
    DefaultMetricsSystem.setMiniClusterMode(true);
    Configuration conf = ServerConfiguration.of(dir, ports, regionServers);
    return start(dir, ports, conf, regionServers);
  }

  /**
   * The same with a configuration of the caller's.
   *
   * @param conf gets ZooKeeper's port
   */
  static EmbeddedHBase start(
      DataDirectory dir, ServerPorts ports, Configuration conf, int regionServers)
      throws IOException {
    MiniZooKeeperCluster zookeeper = new MiniZooKeeperCluster(conf);
    conf.setInt(HConstants.ZOOKEEPER_CLIENT_PORT, startZooKeeper(zookeeper, dir, ports));
    try {
      EmbeddedHBase hbase =
          new EmbeddedHBase(zookeeper, new LocalHBaseCluster(conf, regionServers), conf);
      hbase.start();
      return hbase;
    } catch (IOException | RuntimeException e) {
      zookeeper.shutdown();
      throw new IOException(
          "HBase did not start in '" + dir + "' (log: " + dir.log() + "): " + rootMessage(e), e);
    }
  }

  private void start() throws IOException {
    try {
      ClusterStart.run(cluster);
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  private static int startZooKeeper(
      MiniZooKeeperCluster zookeeper, DataDirectory dir, ServerPorts ports) throws IOException {
    if (ports.zookeeper() > 0) {
      zookeeper.addClientPort(ports.zookeeper());
    }
    try {
      int port = zookeeper.startup(dir.zookeeper());
      if (port < 0) {
        throw new IOException("port " + ports.zookeeper() + " for ZooKeeper is in use");
      }
      return port;
    } catch (InterruptedException e) {
      throw Interruption.of("interrupted while starting ZooKeeper", e);
    }
  }

  private static String rootMessage(Throwable e) {
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root.toString();
  }

  /** A client's configuration; the caller's own copy. */
  public Configuration clientConfiguration() {
    return new Configuration(conf);
  }

  /** Where clients connect, {@code host:port} of ZooKeeper. */
  public String connectString() {
    return conf.get(HConstants.ZOOKEEPER_QUORUM) + ":" + conf.get(HConstants.ZOOKEEPER_CLIENT_PORT);
  }

  /** The region servers that run. */
  public List<HRegionServer> regionServers() {
    return cluster.getLiveRegionServers().stream()
        .map(RegionServerThread::getRegionServer)
        .toList();
  }

  /**
   * Returns when the servers have been stopped.
   *
   * @throws IOException if one of them ended by itself
   */
  public void awaitEnd() throws IOException {
    List<Thread> servers = new ArrayList<>(cluster.getMasters());
    servers.addAll(cluster.getRegionServers());
    try {
      while (servers.stream().allMatch(Thread::isAlive)) {
        servers.get(0).join(LOOK_MILLIS);
      }
    } catch (InterruptedException e) {
      throw Interruption.of("interrupted while HBase ran", e);
    }
    if (!stopped) {
      throw new IOException("a server of HBase ended by itself, its log says why");
    }
  }

  /**
   * Stops all servers, memstores flushed, and waits for it for at most a minute. Does nothing when
   * called again.
   */
  @Override
  public synchronized void close() throws IOException {
    if (stopped) {
      return;
    }
    stopped = true;
    Thread stopping = new Thread(cluster::shutdown, "spyhop-stop");
    stopping.setDaemon(true);
    stopping.start();
    try {
      long deadline = System.nanoTime() + STOP_LIMIT.toNanos();
      awaitEnd(stopping, deadline);
      for (Thread master : cluster.getMasters()) {
        awaitEnd(master, deadline); // which the cluster's shutdown does not do
      }
    } catch (InterruptedException e) {
      throw Interruption.of("interrupted while stopping HBase", e);
    } finally {
      zookeeper.shutdown();
    }
  }

  private static void awaitEnd(Thread thread, long deadline) throws InterruptedException {
    long left = Duration.ofNanos(deadline - System.nanoTime()).toMillis();
    thread.join(Math.max(1, left));
    if (thread.isAlive()) {
      LOG.warn("{} did not end within {}, it is left behind", thread.getName(), STOP_LIMIT);
    }
  }
}
