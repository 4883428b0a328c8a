package io.spyhop.bench.mdrq;

import io.spyhop.bench.Compaction;
import io.spyhop.bench.Numbers;
import io.spyhop.bench.Progress;
import io.spyhop.bench.Row;
import io.spyhop.bench.tpch.OrderSource;
import io.spyhop.bench.tpch.OrderStream;
import io.spyhop.bench.tpch.OrdersLoader;
import io.trino.tpch.Order;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;

/**
 * Writes the same rows into a table without and a table with indexes, slice by slice in turns.
 *
 * <p>The turns are A B B A A B and so on. The orders of a slice are generated before the clock
 * starts. Whenever the table changes, the one that was loaded is left in peace until its
 * compactions and index jobs have ended, so that neither table pays for what the other left behind.
 * Of these waits the time counts in which index jobs were queued or ran; compactions do not count
 * for either table, nor do pauses between two looks.
 */
final class InsertTrial {
  private static final int SLICES = 6;

  /** Their orders are in memory. */
  private static final int MAX_SLICE = 500_000;

  private static final long SEED = 1997;
  private static final Duration INDEX_LIMIT = Duration.ofMinutes(30);

  private final Twins twins;
  private final Servers servers;
  private final Load load;
  private final long rows;
  private final Map<TableName, Duration> writing = new HashMap<>();
  private final Map<TableName, Duration> finishing = new HashMap<>();
  private final long timestamp = System.currentTimeMillis();
  private long puts;
  private long unflushed;
  private TableName loaded;

  /**
   * @param rows orders in each table at the end
   */
  InsertTrial(Twins twins, Servers servers, Load load, long rows) {
    this.twins = twins;
    this.servers = servers;
    this.load = load;
    this.rows = rows;
    this.loaded = Twins.PLAIN;
  }

  /** Runs all passes over both tables. */
  void run(Progress.Factory progress) throws IOException {
    long total = 2 * load.passes().stream().mapToLong(p -> p.share(rows)).sum();
    try (Progress shown = progress.start("Loading two tables", total)) {
      for (int i = 0; i < load.passes().size(); i++) {
        // What is written later is newer.
        try (OrdersLoader loader = new OrdersLoader(twins.connection(), timestamp + i)) {
          run(load.passes().get(i), loader, timestamp + i, shown);
        }
      }
    }
    awaitCompactions(Twins.PLAIN);
  }

  private void run(Pass pass, OrdersLoader loader, long time, Progress shown) throws IOException {
    OrderStream orders = new OrderStream(rows);
    int most = (int) Math.min(MAX_SLICE, (rows + SLICES - 1) / SLICES);
    int turn = 0;
    for (List<Order> slice = slice(pass, orders, most);
        !slice.isEmpty();
        slice = slice(pass, orders, most)) {
      List<TableName> order = new ArrayList<>(List.of(Twins.PLAIN, Twins.INDEXED));
      if (turn++ % 2 == 1) {
        Collections.reverse(order);
      }
      for (TableName table : order) {
        write(loader, table, slice, o -> pass.maker().put(o, time), shown);
      }
      puts += slice.size();
      unflushed += (long) slice.size() * pass.maker().cells();
    }
    settle();
    if (pass.flushed()) {
      unflushed = 0;
      flush(Twins.INDEXED);
      awaitIndexes();
      flush(Twins.PLAIN);
    }
  }

  /** The next orders of a pass. */
  static List<Order> slice(Pass pass, OrderStream orders, int most) {
    List<Order> slice = new ArrayList<>();
    while (slice.size() < most) {
      List<Order> next = orders.next(most - slice.size());
      if (next.isEmpty()) {
        break;
      }
      next.stream().filter(pass::has).forEach(slice::add);
    }
    if (pass.shuffled()) {
      Collections.shuffle(slice, new Random(SEED));
    }
    return slice;
  }

  private void write(
      OrdersLoader loader,
      TableName table,
      List<Order> slice,
      Function<Order, Put> maker,
      Progress progress)
      throws IOException {
    if (!table.equals(loaded)) {
      settle();
      loaded = table;
    }
    Duration time = loader.load(table, OrderSource.of(slice), maker, progress);
    writing.merge(table, time, Duration::plus);
  }

  /** Lets the table that was loaded last finish what it does in the background. */
  private void settle() throws IOException {
    if (loaded.equals(Twins.INDEXED)) {
      awaitIndexes();
    } else {
      awaitCompactions(loaded);
    }
  }

  private void awaitIndexes() throws IOException {
    long start = System.currentTimeMillis();
    awaitCompactions(Twins.INDEXED);
    twins.admin().waitUntilActive(Twins.INDEXED, INDEX_LIMIT);
    Duration busy = JobTime.within(start, System.currentTimeMillis(), twins.admin().jobs());
    finishing.merge(Twins.INDEXED, busy, Duration::plus);
  }

  private void awaitCompactions(TableName table) throws IOException {
    if (!load.kept()) {
      Compaction.awaitNone(twins.connection(), table);
    }
  }

  private void flush(TableName table) throws IOException {
    long start = System.nanoTime();
    servers.flush(table);
    finishing.merge(table, Duration.ofNanos(System.nanoTime() - start), Duration::plus);
  }

  /** How fast both loads were. */
  Row report() {
    double plain = rate(Twins.PLAIN, Duration.ZERO);
    double indexed = rate(Twins.INDEXED, Duration.ZERO);
    double plainFlushed = rate(Twins.PLAIN, finishing.getOrDefault(Twins.PLAIN, Duration.ZERO));
    double indexedDone = rate(Twins.INDEXED, finishing.get(Twins.INDEXED));
    return Row.of("plain_rows_per_s", Numbers.rounded(plain))
        .and("spyhop_rows_per_s", Numbers.rounded(indexed))
        .and("ratio", Numbers.ratio(indexed, plain))
        .and("plain_flushed_rows_per_s", Numbers.rounded(plainFlushed))
        .and("spyhop_indexed_rows_per_s", Numbers.rounded(indexedDone))
        .and("indexed_ratio", Numbers.ratio(indexedDone, plainFlushed));
  }

  private double rate(TableName table, Duration more) {
    return puts / Numbers.seconds(writing.get(table).plus(more));
  }

  /** How many cells of each table are in memstores. */
  long unflushedCells() {
    return unflushed;
  }

  /** How long, after loads, index jobs were still busy; the flush included. */
  double indexedAfterSeconds() {
    return Numbers.rounded(Numbers.seconds(finishing.get(Twins.INDEXED)));
  }
}
