package io.spyhop.bench.mdrq;

import io.spyhop.bench.Clients;
import io.spyhop.bench.Latency;
import io.spyhop.bench.Row;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Table;

/** Puts rows into a table, with and without a client that reads it. */
final class WriterAndReader implements Closeable {
  private final Table table;
  private final GrowingRows rows;
  private final Side side;
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
    try (Clients reader = new Clients()) {
      reader.start(
          () -> {
            side.ask();
            queries.incrementAndGet();
          });
      write(time, beside);
      reader.finish();
    }
  }

  private void write(Duration time, Latency latency) throws IOException {
    long end = System.nanoTime() + time.toNanos();
    do {
      long start = System.nanoTime();
      table.put(rows.next());
      latency.since(start);
    } while (System.nanoTime() < end);
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
    table.close();
  }
}
