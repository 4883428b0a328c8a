package io.spyhop.bench.dynahash;

import io.spyhop.bench.Numbers;
import io.spyhop.bench.Placement;
import io.spyhop.bench.Progress;
import io.spyhop.bench.Row;
import io.spyhop.bench.Tables;
import io.spyhop.bench.dynahash.Rows.Digest;
import io.spyhop.client.BucketedTable;
import io.spyhop.client.Query;
import io.spyhop.client.RowOrder;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Random;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
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
  private static final int WORKS = 10;
  private static final String RESIZED = ", a server less";
  private static final int CHUNKS = 20;
  private static final int WARM = 3;
  private static final int GETS = 200;
  private static final int RANGE = 1_000;
  private static final int CACHING = 1_000;

  private final Scene scene;
  private final int rows;
  private final int rounds;

  /**
   * @param rounds measured ones of each kind of work
   */
  OverheadTrial(Scene scene, int rounds) {
    this.scene = scene;
    this.rows = scene.rows();
    this.rounds = rounds;
  }

  /** Does one round's work on one of both tables, and says what it found. */
  private interface Work {
    Digest run(Table table, int round) throws IOException;
  }

  /** The expected answer of a round. */
  private interface Expected {
    Digest of(int round);
  }

  List<Row> run(Progress.Factory progress) throws IOException {
    BucketedScheme scheme =
        new BucketedScheme(RebalanceTrial.DYNAHASH, scene, DynahashBench.BUCKETS);
    scheme.create();
    TableName name = createPlain();
    Placement.even(scene.connection(), scheme.table());
    try (Table plain = scene.connection().getTable(name);
        BucketedTable bucketed = scene.spyhop().bucketed(scheme.table());
        Progress steps = progress.start("A bucketed table beside a plain one", WORKS)) {
      return new Twins(plain, bucketed, steps).all(scheme);
    }
  }

  private TableName createPlain() throws IOException {
    TableName name = TableName.valueOf("plain");
    byte[][] splits = Tables.splits(rows, DynahashBench.BUCKETS, Rows::key);
    try (Admin admin = scene.connection().getAdmin()) {
      admin.createTable(Rows.table(name).build(), splits);
    }
    scene.spyhop().admin().createIndexes(name, List.of(Rows.index()));
    Placement.even(scene.connection(), name);
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

    List<Row> all(BucketedScheme scheme) throws IOException {
      ingest();
      scheme.settle();
      Tables.flush(scene.connection(), plain.getName());
      scene.awaitIndex(plain.getName());
      measure("get", this::gets, this::got);
      measure("range scan", this::range, r -> Rows.range(first(r), last(r)));
      readAll("");
      Query any = Rows.query().rowOrder(RowOrder.ANY);
      Digest asked = Rows.asked(rows);
      measure("unordered mdrq", (t, r) -> query(t, any), r -> asked);
      shrink(scheme);
      readAll(RESIZED);
      return measured;
    }

    /** What the paper's Figures 8 and 9 compare, by the servers that there are. */
    private void readAll(String suffix) throws IOException {
      Digest everything = Rows.all(rows);
      Digest asked = Rows.asked(rows);
      measure(
          "ordered scan" + suffix, (t, r) -> Answers.of(t.getScanner(scan()), 0), r -> everything);
      measure("unordered scan" + suffix, (t, r) -> Answers.of(unordered(t), 0), r -> everything);
      measure("mdrq" + suffix, (t, r) -> query(t, Rows.query()), r -> asked);
    }

    /** Takes a server from both. */
    private void shrink(BucketedScheme scheme) throws IOException {
      NavigableSet<ServerName> staying = scene.servers();
      ServerName goes = staying.pollLast();
      scheme.move(staying, Duration.ZERO);
      List<ServerName> others = List.copyOf(staying);
      try (Admin admin = scene.connection().getAdmin()) {
        int moved = 0;
        for (RegionInfo region : admin.getRegions(goes)) {
          if (region.getTable().equals(plain.getName())) {
            admin.move(region.getEncodedNameAsBytes(), others.get(moved++ % others.size()));
          }
        }
      }
      scene.awaitIndex(plain.getName());
    }

    /** Rounds of their own: a row is new only once. The scans afterwards find them all. */
    private void ingest() throws IOException {
      List<Long> all = Rows.shuffled(rows);
      List<Double> plainMs = new ArrayList<>();
      List<Double> bucketedMs = new ArrayList<>();
      for (int i = 0; i < CHUNKS; i++) {
        int from = (int) ((long) i * rows / CHUNKS);
        List<Long> chunk = all.subList(from, (int) ((i + 1L) * rows / CHUNKS));
        double a = Numbers.millis(() -> BucketedScheme.write(plain, chunk));
        double b = Numbers.millis(() -> BucketedScheme.write(bucketed, chunk));
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
        double a = Numbers.millis(() -> found[0] = work.run(plain, round));
        double b = Numbers.millis(() -> found[1] = work.run(bucketed, round));
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

  private Digest query(Table table, Query query) throws IOException {
    return Answers.of(scene.spyhop(), table.getName(), query, 0);
  }
}
