package io.spyhop.bench.dynahash;

import io.spyhop.bench.Numbers;
import io.spyhop.bench.Pause;
import io.spyhop.bench.Placement;
import io.spyhop.bench.Progress;
import io.spyhop.bench.Row;
import io.spyhop.client.Spyhop;
import io.spyhop.core.bucket.BucketOptions;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;

/**
 * How long a split keeps clients waiting: HBase closes the region meanwhile. A bucketed table of
 * one bucket and a plain one of one region by turns, both with an index, and a plain one without.
 */
final class SplitTrial {
  private static final Duration INDEX_LIMIT = Duration.ofMinutes(10);
  private static final Duration SPLIT_LIMIT = Duration.ofMinutes(2);
  private static final Duration WARM = Duration.ofSeconds(2);
  private static final Duration POLL = Duration.ofMillis(50);

  private final ElasticCluster.Source clusters;
  private final int rows;
  private final int repetitions;

  /**
   * @param rows of each table, in one HFile
   * @param repetitions splits of each kind of table
   */
  SplitTrial(ElasticCluster.Source clusters, int rows, int repetitions) {
    this.clusters = clusters;
    this.rows = rows;
    this.repetitions = repetitions;
  }

  /** What is split. */
  private enum Kind {
    BUCKETED("bucketed"),
    PLAIN("plain, indexed"),
    BARE("plain");

    private final String label;

    Kind(String label) {
      this.label = label;
    }
  }

  List<Row> run(Progress.Factory progress) throws IOException {
    try (ElasticCluster cluster = clusters.start();
        Spyhop spyhop = Spyhop.connect(cluster.connection());
        Progress steps =
            progress.start("Splitting", (long) Kind.values().length * (1 + repetitions))) {
      Placement.freeze(cluster.connection());
      List<List<Probe.Waits>> all = new ArrayList<>();
      for (Kind kind : Kind.values()) {
        split(cluster.connection(), spyhop, kind);
        all.add(new ArrayList<>());
        steps.step(1);
      }
      for (int i = 0; i < repetitions; i++) {
        for (Kind kind : Kind.values()) {
          all.get(kind.ordinal()).add(split(cluster.connection(), spyhop, kind));
          steps.step(1);
        }
      }
      List<Row> report = new ArrayList<>();
      for (Kind kind : Kind.values()) {
        report.add(summary(kind, all.get(kind.ordinal())));
      }
      return report;
    }
  }

  private static Row summary(Kind kind, List<Probe.Waits> waits) {
    return Row.of("table", kind.label)
        .and("write_ms", Numbers.median(waits.stream().map(Probe.Waits::writeMillis).toList()))
        .and("read_ms", Numbers.median(waits.stream().map(Probe.Waits::readMillis).toList()))
        .and(
            "longest_write_ms",
            waits.stream().mapToDouble(Probe.Waits::writeMillis).max().orElse(0))
        .and("equal", waits.stream().allMatch(Probe.Waits::equal));
  }

  private Probe.Waits split(Connection connection, Spyhop spyhop, Kind kind) throws IOException {
    TableName table = TableName.valueOf("split");
    create(connection, spyhop, kind, table);
    try (Table to = spyhop.open(table);
        Admin admin = connection.getAdmin()) {
      BucketedScheme.write(to, Rows.shuffled(rows));
      admin.flush(table);
      if (kind != Kind.BARE) {
        spyhop.admin().waitUntilActive(table, INDEX_LIMIT);
      }
      Probe.Waits waits;
      try (Probe probe = new Probe(spyhop, table, rows)) {
        Pause.of(WARM, "clients warm up");
        probe.begin();
        split(admin, table, kind);
        Pause.of(WARM, "clients find the halves");
        waits = probe.finish();
      }
      admin.disableTable(table);
      admin.deleteTable(table);
      return waits;
    }
  }

  private static void create(Connection connection, Spyhop spyhop, Kind kind, TableName table)
      throws IOException {
    if (kind == Kind.BUCKETED) {
      spyhop.buckets().create(Rows.table(table).build(), BucketOptions.usual().withInitial(1));
    } else {
      try (Admin admin = connection.getAdmin()) {
        admin.createTable(Rows.table(table).build());
      }
    }
    if (kind != Kind.BARE) {
      spyhop.admin().createIndexes(table, List.of(Rows.index()));
    }
  }

  private void split(Admin admin, TableName table, Kind kind) throws IOException {
    RegionInfo region = admin.getRegions(table).get(0);
    byte[] row = kind == Kind.BUCKETED ? null : Rows.key(rows / 2);
    try {
      admin
          .splitRegionAsync(region.getRegionName(), row)
          .get(SPLIT_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("table '" + table + "': cannot split " + region, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (InterruptedIOException)
          new InterruptedIOException("interrupted while a region is split").initCause(e);
    }
    while (admin.getRegions(table).size() < 2) {
      Pause.of(POLL, "a region is split");
    }
  }
}
