package io.spyhop.client.admin;

import io.spyhop.client.SpyhopNotInstalledException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ClusterMetrics.Option;
import org.apache.hadoop.hbase.client.Admin;

/**
 * Checks that the master and every live region server run Spyhop: a server without the jar that
 * opens a region of an indexed table aborts, and the region then kills the next one. Thread-safe.
 */
public final class InstallationCheck {
  /** The coprocessor that the master reports. */
  public static final String MASTER_COPROCESSOR = "SpyhopMaster";

  /** The coprocessor that region servers report. */
  public static final String REGION_SERVER_COPROCESSOR = "SpyhopRegionServer";

  /** A server that has just started reports its coprocessors with one of its next heartbeats. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final Duration STEP = Duration.ofMillis(200);

  private final Poll poll;

  /** A check that waits by that poll. */
  public InstallationCheck(Poll poll) {
    this.poll = poll;
  }

  /**
   * Returns if all servers run Spyhop, at the latest after ten seconds.
   *
   * @throws SpyhopNotInstalledException if some do not; the message names them
   */
  public void require(Admin admin) throws IOException {
    List<String> without = poll.until(PATIENCE, STEP, () -> serversWithout(admin), List::isEmpty);
    if (!without.isEmpty()) {
      throw new SpyhopNotInstalledException(
          "Spyhop is not loaded on "
              + String.join(", ", without)
              + ": put its jar into HBase's lib/ and the properties of"
              + " conf/hbase-site-spyhop.xml into hbase-site.xml there, and restart these servers");
    }
  }

  private static List<String> serversWithout(Admin admin) throws IOException {
    ClusterMetrics cluster =
        admin.getClusterMetrics(
            EnumSet.of(Option.MASTER, Option.MASTER_COPROCESSORS, Option.LIVE_SERVERS));
    List<String> without = new ArrayList<>();
    if (!cluster.getMasterCoprocessorNames().contains(MASTER_COPROCESSOR)) {
      without.add("master " + cluster.getMasterName());
    }
    cluster
        .getLiveServerMetrics()
        .forEach(
            (server, metrics) -> {
              if (!metrics.getCoprocessorNames().contains(REGION_SERVER_COPROCESSOR)) {
                without.add("region server " + server.getServerName());
              }
            });
    return without;
  }
}
