package io.spyhop.server.testing;

import static org.awaitility.Awaitility.await;

import io.spyhop.server.hook.SpyhopRegionServer;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.MiniHBaseCluster;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;

/** One more region server of a mini cluster, whose configuration does not speak of Spyhop. */
public final class ServerWithoutSpyhop implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration POLL = Duration.ofMillis(20);
  private static final String LOADED = "hbase.coprocessor.regionserver.classes";

  private final TestCluster cluster;
  private final RegionServerThread thread;

  /** Starts the server and waits until it is online. */
  public ServerWithoutSpyhop(TestCluster cluster) throws IOException {
    this.cluster = cluster;
    MiniHBaseCluster mini = cluster.util().getMiniHBaseCluster();
    Configuration conf = mini.getConfiguration();
    String[] loaded = conf.getStrings(LOADED);
    conf.setStrings(
        LOADED,
        Arrays.stream(loaded)
            .filter(c -> !c.equals(SpyhopRegionServer.class.getName()))
            .toArray(String[]::new));
    try {
      thread = mini.startRegionServer();
    } finally {
      conf.setStrings(LOADED, loaded);
    }
    thread.waitForServerOnline();
    cluster.awaitReport(name());
  }

  /** The server's name. */
  public ServerName name() {
    return thread.getRegionServer().getServerName();
  }

  /** Stops the server; its regions are opened elsewhere. */
  @Override
  public void close() throws IOException {
    ServerName gone = name();
    MiniHBaseCluster mini = cluster.util().getMiniHBaseCluster();
    mini.stopRegionServer(gone);
    await("the server's end")
        .atMost(PATIENCE)
        .pollInterval(POLL)
        .until(() -> !cluster.admin().getRegionServers().contains(gone));
    mini.waitForRegionServerToStop(gone, PATIENCE.toMillis());
  }
}
