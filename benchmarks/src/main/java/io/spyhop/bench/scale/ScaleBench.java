package io.spyhop.bench.scale;

import io.spyhop.bench.BenchCluster;
import io.spyhop.bench.Numbers;
import io.spyhop.bench.Progress;
import io.spyhop.bench.Row;
import io.spyhop.bench.ServerUse;
import io.spyhop.core.io.Interruption;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * One region server with many regions of few rows. Each number of regions has a cluster of its own.
 * Not thread-safe.
 */
public final class ScaleBench {
  private static final double MEGABYTE = 1e6;
  private static final Duration SETTLING = Duration.ofSeconds(30);

  private final BenchCluster.Source clusters;
  private final List<Integer> regions;
  private final int tables;
  private final Duration window;

  /**
   * @param regions of base tables, for one measurement after the other
   * @param tables that they belong to
   * @param window how long a server is watched that has nothing to do
   */
  public ScaleBench(
      BenchCluster.Source clusters, List<Integer> regions, int tables, Duration window) {
    this.clusters = clusters;
    this.regions = List.copyOf(regions);
    this.tables = tables;
    this.window = window;
  }

  /** Creates and measures. */
  public Row run(Progress.Factory progress) throws IOException {
    List<Row> idle = new ArrayList<>();
    List<Row> restart = new ArrayList<>();
    for (int count : regions) {
      for (boolean indexed : new boolean[] {false, true}) {
        try (BenchCluster cluster = clusters.start(Map.of())) {
          SmallTables made = new SmallTables(cluster.connection(), tables, count, indexed);
          made.create(progress);
          Row what = Row.of("regions", count).and("indexes", made.indexes());
          idle.add(what.and(idle(cluster)));
          restart.add(what.and(restart(cluster, made)));
        }
      }
    }
    return Row.of("tables", tables).and("idle", idle).and("restart", restart);
  }

  private Row idle(BenchCluster cluster) throws IOException {
    pause(SETTLING);
    ServerUse before = cluster.use();
    long begin = System.nanoTime();
    pause(window);
    double seconds = secondsSince(begin);
    ServerUse after = cluster.use();
    double cpu = (after.cpuBefore() - before.cpuAfter()) / (double) TimeUnit.SECONDS.toNanos(1);
    double minutes = seconds / TimeUnit.MINUTES.toSeconds(1);
    return Row.of("cpu_percent", Numbers.rounded(100 * cpu / seconds))
        .and("heap_mb", Numbers.rounded(after.heapBytes() / MEGABYTE))
        .and("threads", after.threads())
        .and("fds", after.descriptors())
        .and(
            "namenode_ops_s",
            Numbers.rounded((after.nameNodeOps() - before.nameNodeOps()) / seconds))
        .and("meta_ops_s", Numbers.rounded((after.metaReads() - before.metaReads()) / seconds))
        .and("log_lines_min", Numbers.rounded((after.logLines() - before.logLines()) / minutes));
  }

  private static Row restart(BenchCluster cluster, SmallTables made) throws IOException {
    long begin = System.nanoTime();
    long lines = cluster.use().logLines();
    cluster.restartServers();
    made.awaitOnline();
    double online = secondsSince(begin);
    made.awaitActive();
    double active = secondsSince(begin);
    return Row.of("online_s", Numbers.rounded(online))
        .and("active_s", Numbers.rounded(active))
        .and("log_lines", cluster.use().logLines() - lines);
  }

  private static double secondsSince(long begin) {
    return (System.nanoTime() - begin) / (double) TimeUnit.SECONDS.toNanos(1);
  }

  private static void pause(Duration time) throws IOException {
    try {
      TimeUnit.NANOSECONDS.sleep(time.toNanos());
    } catch (InterruptedException e) {
      throw Interruption.of("interrupted while a server was watched", e);
    }
  }
}
