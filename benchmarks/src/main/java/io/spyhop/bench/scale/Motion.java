package io.spyhop.bench.scale;

import io.spyhop.bench.BenchCluster;
import io.spyhop.bench.Clients;
import io.spyhop.bench.Latency;
import io.spyhop.bench.Parallel;
import io.spyhop.bench.Row;
import io.spyhop.core.io.Interruption;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.util.Bytes;

/** Queries for single values while regions of the table move or split. Not thread-safe. */
final class Motion {
  private static final int CLIENTS = 4;
  private static final Duration INTERVAL = Duration.ofSeconds(3);
  private static final Duration WARM_UP = Duration.ofSeconds(10);

  private final BenchCluster cluster;
  private final PointTable table;
  private final Duration window;

  /** Something that happens to a region. */
  private enum Event {
    NONE,
    MOVE,
    SPLIT
  }

  Motion(BenchCluster cluster, PointTable table, Duration window) {
    this.cluster = cluster;
    this.table = table;
    this.window = window;
  }

  /** Measures with each event, every few seconds. */
  List<Row> run() throws IOException {
    measure(Event.NONE, WARM_UP);
    List<Row> rows = new ArrayList<>();
    for (Event event : Event.values()) {
      long before = cluster.use().regionScans();
      Latency times = measure(event, window);
      rows.add(
          Row.of("event", event.name().toLowerCase(Locale.ROOT))
              .and("p50_ms", times.medianMillis())
              .and("p99_ms", times.p99Millis())
              .and("max_ms", times.maxMillis())
              .and("regions_scanned", cluster.use().regionScans() - before));
    }
    return rows;
  }

  private Latency measure(Event event, Duration time) throws IOException {
    Latency times = new Latency();
    long end = System.nanoTime() + time.toNanos();
    try (Clients clients = new Clients();
        Admin admin = cluster.connection().getAdmin()) {
      for (int i = 0; i < CLIENTS; i++) {
        clients.start(
            () -> {
              long begin = System.nanoTime();
              table.query(table.anyValue());
              times.since(begin);
            });
      }
      while (System.nanoTime() - end < 0) {
        happen(event, admin);
        TimeUnit.NANOSECONDS.sleep(
            Math.min(INTERVAL.toNanos(), Math.max(0, end - System.nanoTime())));
      }
      clients.finish();
    } catch (InterruptedException e) {
      throw Interruption.of("interrupted while queries are measured", e);
    }
    return times;
  }

  private void happen(Event event, Admin admin) throws IOException {
    if (event == Event.MOVE) {
      List<RegionInfo> regions = admin.getRegions(PointTable.NAME);
      RegionInfo region = regions.get(ThreadLocalRandom.current().nextInt(regions.size()));
      List<ServerName> others = new ArrayList<>(admin.getRegionServers());
      others.remove(serverOf(region));
      ServerName to = others.get(ThreadLocalRandom.current().nextInt(others.size()));
      admin.move(region.getEncodedNameAsBytes(), to);
    } else if (event == Event.SPLIT) {
      RegionInfo region =
          admin.getRegions(PointTable.NAME).stream()
              .filter(Motion::isWhole)
              .findFirst()
              .orElseThrow();
      Parallel.get(admin.splitRegionAsync(region.getRegionName(), middle(region)));
    }
  }

  /** Whether a region is as the table was made. */
  private static boolean isWhole(RegionInfo region) {
    return region.getStartKey().length <= Integer.BYTES
        && region.getEndKey().length <= Integer.BYTES;
  }

  private ServerName serverOf(RegionInfo region) throws IOException {
    try (RegionLocator regions = cluster.connection().getRegionLocator(PointTable.NAME)) {
      return regions.getRegionLocation(region.getStartKey(), true).getServerName();
    }
  }

  /** Between the rows of a region that was not split before. */
  private static byte[] middle(RegionInfo region) {
    byte[] start = region.getStartKey().length == 0 ? Bytes.toBytes(0) : region.getStartKey();
    return Bytes.add(start, new byte[] {5});
  }
}
