package io.spyhop.bench.dynahash;

import io.spyhop.bench.Latency;
import io.spyhop.bench.Numbers;
import io.spyhop.bench.Pause;
import io.spyhop.bench.Placement;
import io.spyhop.bench.Progress;
import io.spyhop.bench.Row;
import io.spyhop.client.Spyhop;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;

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

  private final ElasticCluster.Source clusters;
  private final int rows;
  private final int repetitions;
  private final Duration pause;

  /**
   * @param pause between two buckets
   */
  LoadTrial(ElasticCluster.Source clusters, int rows, int repetitions, Duration pause) {
    this.clusters = clusters;
    this.rows = rows;
    this.repetitions = repetitions;
    this.pause = pause;
  }

  List<Row> run(Progress.Factory progress) throws IOException {
    try (ElasticCluster cluster = clusters.start();
        Spyhop spyhop = Spyhop.connect(cluster.connection());
        Progress steps =
            progress.start(
                "Rebalancing beside writers and queries", 1 + (long) SHARES.length * repetitions)) {
      Placement.freeze(cluster.connection());
      double most = most(cluster.connection(), spyhop);
      steps.step(1);
      List<Row> all = new ArrayList<>();
      for (double share : SHARES) {
        Pooled pooled = new Pooled(cluster.connection(), spyhop, share, share * most);
        for (int i = 0; i < repetitions; i++) {
          pooled.repeat();
          steps.step(1);
        }
        all.add(pooled.result());
      }
      return all;
    }
  }

  private BucketedScheme loaded(Connection connection, Spyhop spyhop) throws IOException {
    BucketedScheme scheme =
        new BucketedScheme("load", connection, spyhop, DynahashBench.BUCKETS, rows);
    scheme.load(FLUSH_BYTES);
    return scheme;
  }

  /**
   * The rows a second that clients can write at most, with queries beside them. A rebalance that
   * does not count comes after it: the first one of a JVM is slow.
   */
  private double most(Connection connection, Spyhop spyhop) throws IOException {
    BucketedScheme scheme = loaded(connection, spyhop);
    TableName table = scheme.table();
    double rate;
    try (Asking asking = new Asking(spyhop, table, Rows.asked(rows), new Latency());
        Writers writers = Writers.unlimited(spyhop, table)) {
      Pause.of(WARM, "clients warm up");
      long start = System.nanoTime();
      long before = writers.written();
      Pause.of(MEASURED, "clients write");
      rate = (writers.written() - before) / Numbers.secondsSince(start);
      writers.finish();
      scheme.move(smaller(connection), Duration.ZERO);
      if (asking.finish() > 0) {
        throw new IOException("table '" + table + "': queries beside writers had wrong rows");
      }
    }
    drop(connection, table);
    return rate;
  }

  /** All servers but one. */
  private static NavigableSet<ServerName> smaller(Connection connection) throws IOException {
    NavigableSet<ServerName> staying = RebalanceTrial.servers(connection);
    staying.pollLast();
    return staying;
  }

  private static void drop(Connection connection, TableName table) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.disableTable(table);
      admin.deleteTable(table);
    }
  }

  /** All rebalances of one share. */
  private final class Pooled {
    private final Connection connection;
    private final Spyhop spyhop;
    private final double share;
    private final double rowsPerSecond;
    private final Latency before = new Latency();
    private final Latency during = new Latency();
    private final Latency after = new Latency();
    private final List<Double> seconds = new ArrayList<>();
    private final List<Double> rates = new ArrayList<>();
    private long queries;
    private boolean equal = true;

    Pooled(Connection connection, Spyhop spyhop, double share, double rowsPerSecond) {
      this.connection = connection;
      this.spyhop = spyhop;
      this.share = share;
      this.rowsPerSecond = rowsPerSecond;
    }

    void repeat() throws IOException {
      BucketedScheme scheme = loaded(connection, spyhop);
      NavigableSet<ServerName> staying = smaller(connection);
      Rows.Digest all = Rows.all(rows);
      try (Asking asking = new Asking(spyhop, scheme.table(), Rows.asked(rows), new Latency());
          Writers writers = Writers.limited(spyhop, scheme.table(), rowsPerSecond)) {
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
      drop(connection, scheme.table());
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
