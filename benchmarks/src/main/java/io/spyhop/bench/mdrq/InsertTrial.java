package io.spyhop.bench.mdrq;

import io.spyhop.bench.Progress;
import io.spyhop.bench.tpch.OrderSource;
import io.spyhop.bench.tpch.OrderStream;
import io.spyhop.bench.tpch.OrdersLoader;
import io.spyhop.bench.tpch.OrdersTable;
import io.spyhop.client.Spyhop;
import io.trino.tpch.Order;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;

/**
 * Loads the same orders into a table without and a table with indexes, slice by slice in turns.
 *
 * <p>The turns are A B B A A B and so on. The orders of a slice are generated before the clock
 * starts. Whenever the table changes, the one that was loaded is left in peace until its
 * compactions and index jobs have ended, so that neither table pays for what the other left behind;
 * the time that the index jobs take then is not lost but counted separately.
 */
final class InsertTrial {
  private static final int SLICES = 6;
  private static final int MAX_WARMUP_ROWS = 100_000;
  private static final int WARMUP_SHARE = 10;
  private static final Duration INDEX_LIMIT = Duration.ofMinutes(30);
  private static final TableName WARMUP = TableName.valueOf("bench_warmup");

  private final Connection connection;
  private final Spyhop spyhop;
  private final TableName plain;
  private final TableName indexed;
  private final Map<TableName, Duration> times = new HashMap<>();
  private TableName loaded;
  private Duration indexing = Duration.ZERO;

  InsertTrial(Connection connection, Spyhop spyhop, TableName plain, TableName indexed) {
    this.connection = connection;
    this.spyhop = spyhop;
    this.plain = plain;
    this.indexed = indexed;
    this.loaded = plain;
  }

  /** Loads all orders into both tables, and flushes both. */
  void run(long rows, Progress.Factory progress) throws IOException {
    try (OrdersLoader loader = new OrdersLoader(connection, System.currentTimeMillis())) {
      warmUp(loader, rows);
      try (Progress shown = progress.start("Loading two tables", 2 * rows)) {
        OrderStream orders = new OrderStream(rows);
        int slice = Math.toIntExact((rows + SLICES - 1) / SLICES);
        for (int i = 0; i < SLICES; i++) {
          List<Order> next = orders.next(slice);
          load(loader, i % 2 == 0 ? plain : indexed, next, shown);
          load(loader, i % 2 == 0 ? indexed : plain, next, shown);
        }
        settle();
      }
    }
    countIndexing(() -> flush(indexed));
    awaitIndexes();
    flush(plain);
    Quiet.await(connection, plain);
    Quiet.await(connection, indexed);
    awaitIndexes();
  }

  /** The first writes of a JVM are slow; nobody shall pay for them. */
  private void warmUp(OrdersLoader loader, long rows) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(OrdersTable.descriptor(WARMUP));
      long warmup = Math.max(1, Math.min(MAX_WARMUP_ROWS, rows / WARMUP_SHARE));
      try (Progress silent = Progress.NONE.start("", warmup)) {
        loader.load(WARMUP, new OrderStream(warmup), silent);
      }
      admin.disableTable(WARMUP);
      admin.deleteTable(WARMUP);
    }
  }

  private void load(OrdersLoader loader, TableName table, List<Order> slice, Progress progress)
      throws IOException {
    if (!table.equals(loaded)) {
      settle();
      loaded = table;
    }
    Duration time = loader.load(table, OrderSource.of(slice), progress);
    times.merge(table, time, Duration::plus);
  }

  /** Lets the table that was loaded last finish what it does in the background. */
  private void settle() throws IOException {
    if (loaded.equals(indexed)) {
      awaitIndexes();
    }
    Quiet.await(connection, loaded);
  }

  private void flush(TableName table) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.flush(table);
    }
  }

  private void awaitIndexes() throws IOException {
    countIndexing(() -> spyhop.admin().waitUntilActive(indexed, INDEX_LIMIT));
  }

  private void countIndexing(Step step) throws IOException {
    long start = System.nanoTime();
    step.run();
    indexing = indexing.plusNanos(System.nanoTime() - start);
  }

  /** Something that takes time. */
  @FunctionalInterface
  private interface Step {
    void run() throws IOException;
  }

  /** How fast both loads were. */
  BenchReport.Insert report(long rows) {
    double plainRate = rows / Figures.seconds(times.get(plain));
    double indexedRate = rows / Figures.seconds(times.get(indexed));
    return new BenchReport.Insert(
        Figures.rounded(plainRate),
        Figures.rounded(indexedRate),
        Figures.ratio(indexedRate, plainRate));
  }

  /** How long, after loads, index jobs were still busy; the flush included. */
  double indexedAfterSeconds() {
    return Figures.rounded(Figures.seconds(indexing));
  }
}
