package io.spyhop.server.hook;

import io.spyhop.server.index.global.GlobalService;
import io.spyhop.server.index.global.repair.RepairQueue;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.regionserver.HRegionServer;

/** The global indexes' side of the running region servers, for tests of other packages. */
public final class Globals {
  private Globals() {}

  /** What the live servers of a cluster are to repair. */
  public static List<RepairQueue> repairs(TestCluster cluster) {
    return cluster.util().getMiniHBaseCluster().getLiveRegionServerThreads().stream()
        .map(t -> t.getRegionServer())
        .filter(s -> !s.isAborted() && !s.isStopped())
        .flatMap(s -> observer(s.getRegionServerCoprocessorHost()).stream())
        .map(o -> o.globals().repairs())
        .toList();
  }

  /** That of one server. */
  public static GlobalService of(TestCluster cluster, ServerName server) {
    HRegionServer its = cluster.util().getMiniHBaseCluster().getRegionServer(server);
    return observer(its.getRegionServerCoprocessorHost()).orElseThrow().globals();
  }

  private static Optional<SpyhopRegionServer> observer(
      org.apache.hadoop.hbase.regionserver.RegionServerCoprocessorHost host) {
    return Stream.ofNullable(host)
        .flatMap(h -> Stream.ofNullable(h.findCoprocessor(SpyhopRegionServer.class)))
        .findFirst();
  }

  /** Works until no repair is due. */
  public static void drain(TestCluster cluster) throws IOException {
    try {
      for (RepairQueue queue : repairs(cluster)) {
        queue.drain();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (InterruptedIOException) new InterruptedIOException("draining").initCause(e);
    }
  }
}
