package io.spyhop.bench.dynahash;

import io.spyhop.bench.Numbers;
import io.spyhop.bench.Placement;
import io.spyhop.bench.Progress;
import io.spyhop.bench.Row;
import io.spyhop.bench.dynahash.Rows.Digest;
import io.spyhop.client.BucketedTable;
import io.spyhop.client.Query;
import io.spyhop.client.RowOrder;
import io.spyhop.client.Spyhop;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Random;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/**
 * A bucketed table and a plain one of as many regions, with the same rows and the same index, do
 * the same by turns, in many rounds: what else the machine does then meets both alike.
 */
final class OverheadTrial {
  private static final Duration INDEX_LIMIT = Duration.ofMinutes(10);
  private static final double NANOS_PER_MILLI = 1e6;
  private static final int WORKS = 10;
  private static final String RESIZED = ", a server less";
  private static final int CHUNKS = 20;
  private static final int WARM = 3;
  private static final int GETS = 200;
  private static final int RANGE = 1_000;
  private static final int CACHING = 1_000;

  private final ElasticCluster.Source clusters;
  private final int rows;
  private final int rounds;

  /**
   * @param rounds measured ones of each kind of work
   */
  OverheadTrial(ElasticCluster.Source clusters, int rows, int rounds) {
    this.clusters = clusters;
    this.rows = rows;
    this.rounds = rounds;
  }

  /** Does one round's work on one of both tables, and says what it found. */
  private interface Work {
    Digest run(Table table, int round) throws IOException;
  }

  /** What a round must find. */
  private interface Expected {
    Digest of(int round);
  }

  List<Row> run(Progress.Factory progress) throws IOException {
    try (ElasticCluster cluster = clusters.start();
        Spyhop spyhop = Spyhop.connect(cluster.connection())) {
      Placement.freeze(cluster.connection());
      BucketedScheme scheme =
          new BucketedScheme(
              RebalanceTrial.DYNAHASH, cluster.connection(), spyhop, DynahashBench.BUCKETS, rows);
      scheme.create();
      TableName name = createPlain(cluster.connection(), spyhop);
      Placement.even(cluster.connection(), scheme.table());
      try (Table plain = cluster.connection().getTable(name);
          BucketedTable bucketed = spyhop.bucketed(scheme.table());
          Progress steps = progress.start("A bucketed table beside a plain one", WORKS)) {
        return new Twins(plain, bucketed, steps).all(spyhop, scheme, cluster.connection());
      }
    }
  }

  private TableName createPlain(Connection connection, Spyhop spyhop) throws IOException {
    TableName name = TableName.valueOf("plain");
    byte[][] splits = new byte[DynahashBench.BUCKETS - 1][];
    for (int i = 0; i < splits.length; i++) {
      splits[i] = Rows.key((i + 1L) * rows / DynahashBench.BUCKETS);
    }
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(Rows.table(name).build(), splits);
    }
    spyhop.admin().createIndexes(name, List.of(Rows.index()));
    Placement.even(connection, name);
    return name;
  }

  /** Both tables. */
  private final class Twins {
    private final Table plain;
    private final BucketedTable bucketed;
    private final Progress steps;
    private final List<Row> measured = new ArrayList<>();

    Twins(Table plain, BucketedTable bucketed, Progress steps) {
      this.plain = plain;
      this.bucketed = bucketed;
      this.steps = steps;
    }

    List<Row> all(Spyhop spyhop, BucketedScheme scheme, Connection connection) throws IOException {
      ingest();
      scheme.settle();
      try (Admin admin = connection.getAdmin()) {
        admin.flush(plain.getName());
      }
      spyhop.admin().waitUntilActive(plain.getName(), INDEX_LIMIT);
      measure("get", this::gets, this::got);
      measure("range scan", this::range, r -> Rows.range(first(r), last(r)));
      readAll(spyhop, "");
      Query any = Rows.query().rowOrder(RowOrder.ANY);
      Digest asked = Rows.asked(rows);
      measure("unordered mdrq", (t, r) -> query(spyhop, t, any), r -> asked);
      shrink(spyhop, scheme, connection);
      readAll(spyhop, RESIZED);
      return measured;
    }

    /** What the paper's Figures 8 and 9 compare, by the servers that there are. */
    private void readAll(Spyhop spyhop, String suffix) throws IOException {
      Digest everything = Rows.all(rows);
      Digest asked = Rows.asked(rows);
      measure(
          "ordered scan" + suffix, (t, r) -> Answers.of(t.getScanner(scan()), 0), r -> everything);
      measure("unordered scan" + suffix, (t, r) -> Answers.of(unordered(t), 0), r -> everything);
      measure("mdrq" + suffix, (t, r) -> query(spyhop, t, Rows.query()), r -> asked);
    }

    /** Takes a server from both. */
    private void shrink(Spyhop spyhop, BucketedScheme scheme, Connection connection)
        throws IOException {
      NavigableSet<ServerName> staying = RebalanceTrial.servers(connection);
      ServerName goes = staying.pollLast();
      scheme.move(staying, Duration.ZERO);
      List<ServerName> others = List.copyOf(staying);
      try (Admin admin = connection.getAdmin()) {
        int moved = 0;
        for (RegionInfo region : admin.getRegions(goes)) {
          if (region.getTable().equals(plain.getName())) {
            admin.move(region.getEncodedNameAsBytes(), others.get(moved++ % others.size()));
          }
        }
      }
      spyhop.admin().waitUntilActive(plain.getName(), INDEX_LIMIT);
    }

    /** Rounds of their own: a row is new only once. The scans afterwards find them all. */
    private void ingest() throws IOException {
      List<Long> all = Rows.shuffled(rows);
      List<Double> plainMs = new ArrayList<>();
      List<Double> bucketedMs = new ArrayList<>();
      for (int i = 0; i < CHUNKS; i++) {
        int from = (int) ((long) i * rows / CHUNKS);
        List<Long> chunk = all.subList(from, (int) ((i + 1L) * rows / CHUNKS));
        double a = millis(() -> BucketedScheme.write(plain, chunk));
        double b = millis(() -> BucketedScheme.write(bucketed, chunk));
        if (i >= WARM) {
          plainMs.add(a);
          bucketedMs.add(b);
        }
      }
      add("ingest", plainMs, bucketedMs, true);
    }

    private void measure(String name, Work work, Expected expected) throws IOException {
      List<Double> plainMs = new ArrayList<>();
      List<Double> bucketedMs = new ArrayList<>();
      boolean equal = true;
      for (int i = 0; i < WARM + rounds; i++) {
        int round = i;
        Digest[] found = new Digest[2];
        double a = millis(() -> found[0] = work.run(plain, round));
        double b = millis(() -> found[1] = work.run(bucketed, round));
        Digest right = expected.of(round);
        equal &= right.equals(found[0]) && right.equals(found[1]);
        if (i >= WARM) {
          plainMs.add(a);
          bucketedMs.add(b);
        }
      }
      add(name, plainMs, bucketedMs, equal);
    }

    private void add(String name, List<Double> plainMs, List<Double> bucketedMs, boolean equal) {
      double a = Numbers.median(plainMs);
      double b = Numbers.median(bucketedMs);
      measured.add(
          Row.of("work", name)
              .and("plain", a)
              .and("bucketed", b)
              .and("ratio", Numbers.ratio(b, a))
              .and("equal", equal));
      steps.step(1);
    }

    private Digest gets(Table table, int round) throws IOException {
      Digest digest = new Digest();
      for (long row : some(round)) {
        Result found = table.get(new Get(Rows.key(row)));
        if (!found.isEmpty()) {
          digest.add(found.getRow(), found);
        }
      }
      return digest;
    }

    private Digest got(int round) {
      Digest digest = new Digest();
      for (long row : some(round)) {
        digest.add(Rows.range(row, row + 1));
      }
      return digest;
    }

    private long[] some(int round) {
      return new Random(round).longs(GETS, 0, rows).toArray();
    }

    private Digest range(Table table, int round) throws IOException {
      Scan some = scan().withStartRow(Rows.key(first(round))).withStopRow(Rows.key(last(round)));
      return Answers.of(table.getScanner(some), 0);
    }

    private long first(int round) {
      return new Random(round).nextInt(Math.max(1, rows - RANGE));
    }

    private long last(int round) {
      return Math.min(rows, first(round) + RANGE);
    }
  }

  private static Scan scan() {
    return new Scan().setCaching(CACHING);
  }

  private static ResultScanner unordered(Table table) throws IOException {
    return table instanceof BucketedTable bucketed
        ? bucketed.getScanner(scan(), RowOrder.ANY)
        : table.getScanner(scan());
  }

  private static Digest query(Spyhop spyhop, Table table, Query query) throws IOException {
    return Answers.of(spyhop, table.getName(), query, 0);
  }

  /** Takes a time. */
  private interface Timed {
    void run() throws IOException;
  }

  private static double millis(Timed timed) throws IOException {
    long start = System.nanoTime();
    timed.run();
    return (System.nanoTime() - start) / NANOS_PER_MILLI;
  }
}
