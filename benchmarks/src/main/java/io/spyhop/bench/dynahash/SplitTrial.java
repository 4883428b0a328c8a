package io.spyhop.bench.dynahash;

import io.spyhop.bench.Await;
import io.spyhop.bench.Numbers;
import io.spyhop.bench.Pause;
import io.spyhop.bench.Progress;
import io.spyhop.bench.Row;
import io.spyhop.bench.Tables;
import io.spyhop.core.bucket.BucketOptions;
import io.spyhop.core.io.Interruption;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;

/**
 * Measures how long a split keeps clients waiting: HBase closes the region meanwhile. A bucketed
 * table of one bucket and a plain one of one region by turns, both with an index, and a plain one
 * without.
 */
final class SplitTrial {
  private static final Duration SPLIT_LIMIT = Duration.ofMinutes(2);
  private static final Duration WARM = Duration.ofSeconds(2);
  private static final Duration POLL = Duration.ofMillis(50);

  private final Scene scene;
  private final int repetitions;

  /**
   * Tables have all their rows in one HFile.
   *
   * @param repetitions splits of each kind of table
   */
  SplitTrial(Scene scene, int repetitions) {
    this.scene = scene;
    this.repetitions = repetitions;
  }

  /** The kind of table that is split. */
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
    try (Progress steps =
        progress.start("Splitting", (long) Kind.values().length * (1 + repetitions))) {
      List<List<Probe.Waits>> all = new ArrayList<>();
      for (Kind kind : Kind.values()) {
        split(kind);
        all.add(new ArrayList<>());
        steps.step(1);
      }
      for (int i = 0; i < repetitions; i++) {
        for (Kind kind : Kind.values()) {
          all.get(kind.ordinal()).add(split(kind));
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

  private Probe.Waits split(Kind kind) throws IOException {
    TableName table = TableName.valueOf("split");
    create(kind, table);
    try (Table to = scene.spyhop().open(table);
        Admin admin = scene.connection().getAdmin()) {
      BucketedScheme.write(to, Rows.shuffled(scene.rows()));
      admin.flush(table);
      if (kind != Kind.BARE) {
        scene.awaitIndex(table);
      }
      Probe.Waits waits;
      try (Probe probe = new Probe(scene.spyhop(), table, scene.rows())) {
        Pause.of(WARM, "clients warm up");
        probe.begin();
        split(admin, table, kind);
        Pause.of(WARM, "clients find the halves");
        waits = probe.finish();
      }
      Tables.drop(scene.connection(), table);
      return waits;
    }
  }

  private void create(Kind kind, TableName table) throws IOException {
    if (kind == Kind.BUCKETED) {
      scene.spyhop().buckets().create(Rows.table(table).build(), BucketOptions.usual(1));
    } else {
      try (Admin admin = scene.connection().getAdmin()) {
        admin.createTable(Rows.table(table).build());
      }
    }
    if (kind != Kind.BARE) {
      scene.spyhop().admin().createIndexes(table, List.of(Rows.index()));
    }
  }

  private void split(Admin admin, TableName table, Kind kind) throws IOException {
    RegionInfo region = admin.getRegions(table).get(0);
    byte[] row = kind == Kind.BUCKETED ? null : Rows.key(scene.rows() / 2);
    try {
      admin
          .splitRegionAsync(region.getRegionName(), row)
          .get(SPLIT_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("table '" + table + "': cannot split " + region, e);
    } catch (InterruptedException e) {
      throw Interruption.of("interrupted while a region is split", e);
    }
    Await.until("a region is split", POLL, 1, () -> admin.getRegions(table).size() >= 2);
  }
}
