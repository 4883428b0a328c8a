package io.spyhop.bench.dynahash;

import io.spyhop.bench.Latency;
import io.spyhop.bench.Numbers;
import io.spyhop.bench.Pause;
import io.spyhop.bench.Progress;
import io.spyhop.bench.Row;
import io.spyhop.bench.Tables;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;

/**
 * A server goes while clients write and ask. Each rebalance is of a new table: where a bucket was
 * before its index files would still be. All on one cluster, one after the other.
 */
final class LoadTrial {
  private static final double[] SHARES = {0, 0.2, 0.4, 0.6, 0.8};
  private static final Duration WARM = Duration.ofSeconds(3);
  private static final Duration MEASURED = Duration.ofSeconds(15);

  /** As much smaller than HBase's as the tables are: buckets are flushed every few seconds. */
  private static final long FLUSH_BYTES = 2 << 20;

  private final Scene scene;
  private final int repetitions;
  private final Duration pause;

  /**
   * @param pause between two buckets
   */
  LoadTrial(Scene scene, int repetitions, Duration pause) {
    this.scene = scene;
    this.repetitions = repetitions;
    this.pause = pause;
  }

  List<Row> run(Progress.Factory progress) throws IOException {
    try (Progress steps =
        progress.start(
            "Rebalancing beside writers and queries", 1 + (long) SHARES.length * repetitions)) {
      double most = most();
      steps.step(1);
      List<Row> all = new ArrayList<>();
      for (double share : SHARES) {
        Pooled pooled = new Pooled(share, share * most);
        for (int i = 0; i < repetitions; i++) {
          pooled.repeat();
          steps.step(1);
        }
        all.add(pooled.result());
      }
      return all;
    }
  }

  private BucketedScheme loaded() throws IOException {
    BucketedScheme scheme = new BucketedScheme("load", scene, DynahashBench.BUCKETS);
    scheme.load(FLUSH_BYTES);
    return scheme;
  }

  /**
   * The rows a second that clients can write at most, with queries beside them. A rebalance that
   * does not count comes after it: the first one of a JVM is slow.
   */
  private double most() throws IOException {
    BucketedScheme scheme = loaded();
    TableName table = scheme.table();
    double rate;
    try (Asking asking =
            new Asking(scene.spyhop(), table, Rows.asked(scene.rows()), new Latency());
        Writers writers = Writers.unlimited(scene.spyhop(), table)) {
      Pause.of(WARM, "clients warm up");
      long start = System.nanoTime();
      long before = writers.written();
      Pause.of(MEASURED, "clients write");
      rate = (writers.written() - before) / Numbers.secondsSince(start);
      writers.finish();
      scheme.move(scene.serversButOne(), Duration.ZERO);
      if (asking.finish() > 0) {
        throw new IOException("table '" + table + "': queries beside writers had wrong rows");
      }
    }
    Tables.drop(scene.connection(), table);
    return rate;
  }

  /** All rebalances of one share. */
  private final class Pooled {
    private final double share;
    private final double rowsPerSecond;
    private final Latency before = new Latency();
    private final Latency during = new Latency();
    private final Latency after = new Latency();
    private final List<Double> seconds = new ArrayList<>();
    private final List<Double> rates = new ArrayList<>();
    private long queries;
    private boolean equal = true;

    Pooled(double share, double rowsPerSecond) {
      this.share = share;
      this.rowsPerSecond = rowsPerSecond;
    }

    void repeat() throws IOException {
      BucketedScheme scheme = loaded();
      NavigableSet<ServerName> staying = scene.serversButOne();
      Rows.Digest all = Rows.all(scene.rows());
      try (Asking asking =
              new Asking(scene.spyhop(), scheme.table(), Rows.asked(scene.rows()), new Latency());
          Writers writers = Writers.limited(scene.spyhop(), scheme.table(), rowsPerSecond)) {
        Pause.of(WARM, "clients warm up");
        asking.tell(before);
        Pause.of(MEASURED, "clients ask");
        asking.tell(during);
        rebalance(scheme, staying, asking, writers);
        asking.tell(after);
        Pause.of(MEASURED, "clients ask");
        equal &= asking.finish() == 0;
        all.add(writers.finish());
      }
      equal &= scheme.scan(all);
      Tables.drop(scene.connection(), scheme.table());
    }

    private void rebalance(
        BucketedScheme scheme, NavigableSet<ServerName> staying, Asking asking, Writers writers)
        throws IOException {
      long start = System.nanoTime();
      long rowsBefore = writers.written();
      long queriesBefore = asking.answered();
      seconds.add(scheme.move(staying, pause).seconds());
      rates.add((writers.written() - rowsBefore) / Numbers.secondsSince(start));
      queries += asking.answered() - queriesBefore;
    }

    Row result() {
      return Row.of("write_share", share)
          .and("seconds", Numbers.median(seconds))
          .and("query_p99_before_ms", before.p99Millis())
          .and("query_p99_during_ms", during.p99Millis())
          .and("query_p99_after_ms", after.p99Millis())
          .and("rows_per_s", Numbers.median(rates))
          .and("queries", queries)
          .and("equal", equal);
    }
  }
}
