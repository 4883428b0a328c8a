package io.spyhop.bench.dynahash;

import io.spyhop.bench.ClientRpcs;
import io.spyhop.bench.Numbers;
import io.spyhop.bench.Placement;
import io.spyhop.bench.Progress;
import io.spyhop.bench.Row;
import io.spyhop.bench.Tables;
import io.spyhop.client.Query;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import io.spyhop.core.bucket.BucketOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Work on few rows: a bucketed table, and some of other options, beside a plain one of as many
 * regions, by turns. Answers are compared.
 */
final class SmallTrial {
  private static final int WORKS = 14;
  private static final String FIRST = "the 10 from a key on";
  private static final int FEW = 10;

  private static final int BITS = 8;

  /** Two prefixes a bucket. */
  private static final int FEW_BITS = 4;

  private static final int BATCH = 1_000;
  private static final int WARM = 2_000;
  private static final double WARM_SECONDS = 15;
  private static final long HALF = 50;
  private static final int PARTS = 4;
  private static final double MICROS_PER_MILLI = 1e3;

  private final Scene scene;
  private final int rows;
  private final int rounds;

  /**
   * @param rounds measured ones of each kind of work
   */
  SmallTrial(Scene scene, int rounds) {
    this.scene = scene;
    this.rows = scene.rows();
    this.rounds = rounds;
  }

  /** Does one round's work on one table; the keys of the rows that it found. */
  private interface Work {
    List<String> run(Table table, int round) throws IOException;
  }

  List<Row> run(Progress.Factory progress) throws IOException {
    TableName plain = TableName.valueOf("plain");
    try (Admin admin = scene.connection().getAdmin()) {
      admin.createTable(
          Rows.table(plain).build(), Tables.splits(rows, DynahashBench.BUCKETS, Rows::key));
    }
    BucketOptions eight = BucketOptions.usual(DynahashBench.BUCKETS).withBits(BITS);
    TableName eightBits = create("eight_bits", eight);
    TableName sixBits = create("six_bits", BucketOptions.usual());
    TableName fourBits = create("four_bits", eight.withBits(FEW_BITS));
    TableName twelveBits = create("twelve_bits", eight.withBits(BucketOptions.MAX_BITS));
    TableName oneBucket = create("one_bucket", BucketOptions.usual(1).withBits(BITS));
    for (TableName table : List.of(plain, eightBits, sixBits, fourBits, twelveBits, oneBucket)) {
      load(table);
    }
    try (Connection counted =
            ConnectionFactory.createConnection(
                ClientRpcs.counted(scene.connection().getConfiguration()));
        Spyhop spyhop = Spyhop.connect(counted);
        Progress steps = progress.start("Few rows of a bucketed table beside a plain one", WORKS)) {
      Sides sides = new Sides(spyhop, spyhop.open(plain), steps);
      sides.all(spyhop.open(eightBits));
      sides.measure(FIRST + ", the usual 6 bits", spyhop.open(sixBits), sides::first);
      sides.measure(FIRST + ", 4 bits", spyhop.open(fourBits), sides::first);
      sides.measure(FIRST + ", 12 bits", spyhop.open(twelveBits), sides::first);
      sides.measure(FIRST + ", one bucket", spyhop.open(oneBucket), sides::first);
      return sides.measured;
    }
  }

  private TableName create(String name, BucketOptions options) throws IOException {
    TableName table = TableName.valueOf(name);
    scene.spyhop().buckets().create(Rows.bucketed(table).build(), options);
    return table;
  }

  private void load(TableName name) throws IOException {
    scene.spyhop().admin().createIndexes(name, List.of(Rows.index()));
    Placement.even(scene.connection(), name);
    try (Table table = scene.spyhop().open(name)) {
      BucketedScheme.write(table, Rows.shuffled(rows));
    }
    Tables.flush(scene.connection(), name);
    scene.awaitIndex(name);
  }

  /** The plain table, and what is compared with it. */
  private final class Sides {
    private final Spyhop spyhop;
    private final Table plain;
    private final Progress steps;
    private final List<Row> measured = new ArrayList<>();

    Sides(Spyhop spyhop, Table plain, Progress steps) {
      this.spyhop = spyhop;
      this.plain = plain;
      this.steps = steps;
    }

    void all(Table bucketed) throws IOException {
      measure("scan of one key", bucketed, (t, r) -> scan(t, from(r).withStopRow(key(r), true)));
      measure("scan of 10 keys", bucketed, (t, r) -> scan(t, from(r).withStopRow(key(r, FEW))));
      measure("gets of 10 keys, one batch", bucketed, this::gets);
      measure(FIRST, bucketed, this::first);
      measure("the 10 up to a key", bucketed, (t, r) -> scan(t, few(r).setReversed(true)));
      measure("10 with a value", bucketed, (t, r) -> scan(t, few(r).setFilter(Rows.below(HALF))));
      measure("query in a quarter of the keys", bucketed, (t, r) -> query(t, quarter(r)));
      Query half = Query.where("CAST(w AS LONG) < " + HALF).limit(FEW);
      measure("query, limit 10", bucketed, (t, r) -> query(t, half));
      measure("put", bucketed, (t, r) -> write(t, number(r), 1));
      measure("batch of 1,000 puts", bucketed, (t, r) -> write(t, number(r), BATCH));
    }

    /** What hashes cost anyway: the rows lie on all servers. */
    private List<String> gets(Table table, int round) throws IOException {
      List<Get> gets = new ArrayList<>();
      for (int i = 0; i < FEW; i++) {
        gets.add(new Get(key(round, i)));
      }
      return keys(List.of(table.get(gets)));
    }

    List<String> first(Table table, int round) throws IOException {
      return scan(table, few(round));
    }

    void measure(String name, Table bucketed, Work work) throws IOException {
      List<Double> plainMs = new ArrayList<>();
      List<Double> bucketedMs = new ArrayList<>();
      warmUp(bucketed, work);
      boolean equal = true;
      long calls = 0;
      for (int i = 0; i < rounds; i++) {
        int round = i;
        List<List<String>> found = new ArrayList<>();
        plainMs.add(Numbers.millis(() -> found.add(work.run(plain, round))));
        long before = ClientRpcs.count();
        bucketedMs.add(Numbers.millis(() -> found.add(work.run(bucketed, round))));
        calls += ClientRpcs.count() - before;
        equal &= found.get(0).equals(found.get(1));
      }
      double a = Numbers.median(plainMs) * MICROS_PER_MILLI;
      double b = Numbers.median(bucketedMs) * MICROS_PER_MILLI;
      measured.add(
          Row.of("work", name)
              .and("plain_us", a)
              .and("bucketed_us", b)
              .and("ratio", Numbers.ratio(b, a))
              .and("rpcs", Numbers.ratio((double) calls, rounds))
              .and("equal", equal));
      steps.step(1);
    }

    /** Servers that have just started run code that is not compiled yet. */
    private void warmUp(Table bucketed, Work work) throws IOException {
      long start = System.nanoTime();
      for (int i = 0; i < WARM && Numbers.secondsSince(start) < WARM_SECONDS; i++) {
        work.run(plain, rounds + i);
        work.run(bucketed, rounds + i);
      }
    }

    private List<String> scan(Table table, Scan scan) throws IOException {
      try (ResultScanner found = table.getScanner(scan)) {
        return keys(found);
      }
    }

    private List<String> query(Table table, Query query) throws IOException {
      try (RowCursor found = spyhop.table(table.getName()).query(query)) {
        return keys(found);
      }
    }

    private List<String> keys(Iterable<Result> found) {
      List<String> keys = new ArrayList<>();
      found.forEach(r -> keys.add(Bytes.toStringBinary(r.getRow())));
      return keys;
    }

    /** Rows are as they were. */
    private List<String> write(Table table, long from, int many) throws IOException {
      List<Put> puts = LongStream.range(from, from + many).mapToObj(Rows::put).toList();
      if (many == 1) {
        table.put(puts.get(0));
      } else {
        table.put(puts);
      }
      return List.of();
    }
  }

  private Scan few(int round) {
    return from(round).setLimit(FEW);
  }

  private Scan from(int round) {
    return new Scan().withStartRow(key(round));
  }

  private Query quarter(int round) {
    long from = (long) rows / PARTS * Math.floorMod(round, PARTS);
    return Rows.query().range(Rows.key(from), Rows.key(from + rows / PARTS));
  }

  private byte[] key(int round) {
    return Rows.key(number(round));
  }

  private byte[] key(int round, int behind) {
    return Rows.key(number(round) + behind);
  }

  /** There are enough rows on both sides. */
  private long number(int round) {
    return BATCH + (long) new Random(round).nextInt(rows - 2 * BATCH);
  }
}
