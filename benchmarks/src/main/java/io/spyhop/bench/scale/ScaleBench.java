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
  private static final double MILLION = 1e6;
  private static final Duration SETTLING = Duration.ofSeconds(30);

  /** Reads before the first that counts; each region is asked, so that the client knows it. */
  private static final int WARM_UP = 20_000;

  /** A memstore with a row takes 2 MB otherwise, and a server's heap has not 10,000 of these. */
  private static final Map<String, String> SMALL_MEMSTORES =
      Map.of("hbase.hregion.memstore.mslab.enabled", "false");

  private final BenchCluster.Source one;
  private final BenchCluster.Source several;
  private final Plan plan;
  private final Duration window;

  /**
   * The sizes to measure, one after the other; of none nothing is measured.
   *
   * @param regions of base tables on one server
   * @param tables that they belong to
   * @param pointRegions of a table of which queries ask for one value
   * @param motionRegions of such a table whose regions move and split
   */
  public record Plan(
      List<Integer> regions, int tables, List<Integer> pointRegions, List<Integer> motionRegions) {}

  /**
   * @param one starts clusters of one region server
   * @param several starts clusters of several
   * @param window how long a server is watched
   */
  public ScaleBench(
      BenchCluster.Source one, BenchCluster.Source several, Plan plan, Duration window) {
    this.one = one;
    this.several = several;
    this.plan = plan;
    this.window = window;
  }

  /** Creates and measures. */
  public Row run(Progress.Factory progress) throws IOException {
    List<Row> idle = new ArrayList<>();
    List<Row> restart = new ArrayList<>();
    for (int count : plan.regions) {
      for (SmallTables.Beside beside : SmallTables.Beside.values()) {
        try (BenchCluster cluster = one.start(Map.of())) {
          SmallTables made = new SmallTables(cluster.connection(), plan.tables, count, beside);
          made.create(progress);
          idle.add(size(count, made).and(idle(cluster)));
          restart.add(size(count, made).and(restart(cluster, made)));
        }
      }
    }
    List<Row> points = new ArrayList<>();
    for (int count : plan.pointRegions) {
      points.add(Row.of("regions", count).and(points(count, progress)));
    }
    List<Row> motion = new ArrayList<>();
    for (int count : plan.motionRegions) {
      motion.addAll(motion(count, progress));
    }
    return Row.of("tables", plan.tables)
        .and("idle", idle)
        .and("restart", restart)
        .and("point_query", points)
        .and("motion", motion);
  }

  private static Row size(int regions, SmallTables made) {
    return Row.of("regions", regions)
        .and("indexes", made.indexes())
        .and("plain_tables", made.plainTables());
  }

  private Row points(int count, Progress.Factory progress) throws IOException {
    try (BenchCluster cluster = one.start(SMALL_MEMSTORES);
        PointTable table = new PointTable(cluster.connection(), count)) {
      table.create(progress);
      Reads queries = reads(cluster, table, table::query);
      Reads gets = reads(cluster, table, table::get);
      return Row.of("queries", queries.count)
          .and("server_cpu_ms", Numbers.rounded(queries.cpuMillis))
          .and("bytes", Numbers.rounded(queries.bytes))
          .and("get_cpu_ms", Numbers.rounded(gets.cpuMillis))
          .and("get_bytes", Numbers.rounded(gets.bytes));
    }
  }

  /** A read of the row with a value. */
  private interface Read {
    void of(long value) throws IOException;
  }

  /** The cost of reads at the server, each. */
  private record Reads(long count, double cpuMillis, double bytes) {}

  private Reads reads(BenchCluster cluster, PointTable table, Read read) throws IOException {
    for (int i = 0; i < WARM_UP; i++) {
      read.of(table.valueIn(i));
    }
    pause(SETTLING);
    ServerUse idle = cluster.use();
    pause(window); // what the server does anyway, more with more regions, is no read's
    ServerUse before = cluster.use();
    long count = 0;
    long begin = System.nanoTime();
    for (; System.nanoTime() - begin < window.toNanos(); count++) {
      read.of(table.anyValue());
    }
    ServerUse after = cluster.use();
    double cpu = after.cpuBefore() - before.cpuAfter() - (before.cpuBefore() - idle.cpuAfter());
    double bytes = after.sentBytes() - before.sentBytes() - (before.sentBytes() - idle.sentBytes());
    return new Reads(count, cpu / MILLION / count, bytes / count);
  }

  private List<Row> motion(int count, Progress.Factory progress) throws IOException {
    try (BenchCluster cluster = several.start(Map.of());
        PointTable table = new PointTable(cluster.connection(), count)) {
      table.create(progress);
      return new Motion(cluster, table, window)
          .run().stream().map(r -> Row.of("regions", count).and(r)).toList();
    }
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
