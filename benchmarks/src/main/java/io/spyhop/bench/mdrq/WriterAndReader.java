package io.spyhop.bench.mdrq;

import io.spyhop.bench.Latency;
import io.spyhop.bench.Parallel;
import io.spyhop.bench.Row;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Table;

/** Somebody who puts rows into a table, and somebody who reads it. */
final class WriterAndReader implements Closeable {
  private final Table table;
  private final GrowingRows rows;
  private final Side side;
  private final ExecutorService pool = Executors.newFixedThreadPool(2);
  private final Latency alone = new Latency();
  private final Latency beside = new Latency();
  private final AtomicLong queries = new AtomicLong();

  /**
   * @param rows that are put
   * @param side how the table is read
   */
  WriterAndReader(Connection connection, TableName name, GrowingRows rows, Side side)
      throws IOException {
    this.table = connection.getTable(name);
    this.rows = rows;
    this.side = side;
  }

  /** Nobody reads. */
  void writeAlone(Duration time) throws IOException {
    write(time, alone);
  }

  /** The reader asks until the time is over. */
  void writeBesideReader(Duration time) throws IOException {
    AtomicBoolean over = new AtomicBoolean();
    Callable<Void> reader =
        () -> {
          while (!over.get()) {
            side.ask();
            queries.incrementAndGet();
          }
          return null;
        };
    Callable<Void> writer =
        () -> {
          try {
            write(time, beside);
          } finally {
            over.set(true);
          }
          return null;
        };
    Parallel.all(pool, List.of(writer, reader));
  }

  private void write(Duration time, Latency latency) throws IOException {
    long end = System.nanoTime() + time.toNanos();
    while (System.nanoTime() < end) {
      long start = System.nanoTime();
      table.put(rows.next());
      latency.since(start);
    }
  }

  /** What was measured. */
  Row report() {
    return Row.of("alone_longest_ms", alone.maxMillis())
        .and("alone_p99_ms", alone.p99Millis())
        .and("beside_longest_ms", beside.maxMillis())
        .and("beside_p99_ms", beside.p99Millis())
        .and("queries", queries.get());
  }

  @Override
  public void close() throws IOException {
    pool.shutdownNow();
    table.close();
  }
}
