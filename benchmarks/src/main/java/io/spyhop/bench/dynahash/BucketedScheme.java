package io.spyhop.bench.dynahash;

import io.spyhop.bench.Numbers;
import io.spyhop.bench.Tables;
import io.spyhop.client.BucketInfo;
import io.spyhop.core.bucket.Balance;
import io.spyhop.core.bucket.Bucket;
import io.spyhop.core.bucket.BucketOptions;
import io.spyhop.core.protocol.RebalanceState;
import io.spyhop.core.protocol.RebalanceState.Moved;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;

/** A bucketed table, with as many buckets as it was created with. Not thread-safe. */
final class BucketedScheme implements Scheme {
  private static final int BATCH = 1_000;

  private final String name;
  private final TableName table;
  private final Scene scene;
  private final int buckets;

  /**
   * @param name the scheme's, and the beginning of the table's
   */
  BucketedScheme(String name, Scene scene, int buckets) {
    this.name = name;
    this.table = TableName.valueOf(name + "_" + buckets);
    this.scene = scene;
    this.buckets = buckets;
  }

  @Override
  public String name() {
    return name;
  }

  TableName table() {
    return table;
  }

  @Override
  public void load() throws IOException {
    create();
    write();
  }

  /**
   * The same.
   *
   * @param flushBytes of a bucket's memstore beyond which it is flushed
   */
  void load(long flushBytes) throws IOException {
    create(Rows.bucketed(table).setMemStoreFlushSize(flushBytes).build());
    write();
  }

  private void write() throws IOException {
    try (Table to = scene.spyhop().open(table)) {
      write(to, Rows.shuffled(scene.rows()));
    }
    settle();
  }

  /** Makes the table, without rows. */
  void create() throws IOException {
    create(Rows.bucketed(table).build());
  }

  private void create(TableDescriptor descriptor) throws IOException {
    scene.spyhop().buckets().create(descriptor, BucketOptions.usual(buckets));
    scene.spyhop().admin().createIndexes(table, List.of(Rows.index()));
  }

  /** Flushes, and waits for the index. */
  void settle() throws IOException {
    Tables.flush(scene.connection(), table);
    scene.awaitIndex(table);
  }

  /** Writes rows in batches. */
  static void write(Table to, List<Long> rows) throws IOException {
    for (int i = 0; i < rows.size(); i += BATCH) {
      List<Long> some = rows.subList(i, Math.min(rows.size(), i + BATCH));
      to.put(some.stream().map(Rows::put).toList());
    }
  }

  @Override
  public Outcome spread(Set<ServerName> staying) throws IOException {
    Change change = move(staying, Duration.ZERO);
    boolean equal =
        Rows.asked(scene.rows()).equals(Answers.of(scene.spyhop(), table, Rows.query(), 0))
            && scan(Rows.all(scene.rows()));
    RebalanceState noted = change.noted();
    return new Outcome(
        change.seconds(),
        noted.moves().stream().mapToLong(Moved::bytes).sum(),
        change.least(),
        balance(staying),
        change.missing(),
        noted.moves().size(),
        noted.moves().stream().mapToLong(Moved::blockedMillis).max().orElse(0),
        equal);
  }

  /**
   * A rebalance.
   *
   * @param seconds until all indexes were there
   * @param missing index files when the master was done
   */
  record Change(double seconds, long least, long missing, RebalanceState noted) {}

  /** Has the master rebalance it, with a pause between buckets, and waits for what is missing. */
  Change move(Set<ServerName> staying, Duration pause) throws IOException {
    long least = LeastMoves.bytes(IndexFiles.of(scene.connection(), table).bytes(), staying);
    long start = System.nanoTime();
    scene.spyhop().buckets().rebalance(table, staying, pause, m -> {});
    double seconds = Numbers.secondsSince(start);
    long missing = IndexFiles.of(scene.connection(), table).missing();
    if (missing > 0) {
      scene.awaitIndex(table);
      seconds = Numbers.secondsSince(start);
    }
    return new Change(
        seconds, least, missing, Journal.last(scene.connection().getConfiguration(), table));
  }

  /** Whether a scan finds these rows. */
  boolean scan(Rows.Digest expected) throws IOException {
    try (Table from = scene.spyhop().open(table)) {
      return expected.equals(Answers.of(from.getScanner(new Scan()), 0));
    }
  }

  private double balance(Set<ServerName> staying) throws IOException {
    Map<ServerName, List<Bucket>> held = new TreeMap<>();
    staying.forEach(s -> held.put(s, new ArrayList<>()));
    for (BucketInfo info : scene.spyhop().buckets().buckets(table)) {
      ServerName server = info.server().orElseThrow(() -> new IOException(info + " is nowhere"));
      held.computeIfAbsent(server, s -> new ArrayList<>()).add(info.bucket());
    }
    if (!staying.containsAll(held.keySet())) {
      throw new IOException(
          "table '" + table + "': buckets are left where none should be: " + held);
    }
    return Numbers.rounded(Balance.of(held).maxOverMean());
  }
}
