package io.spyhop.bench.pruning;

import io.spyhop.bench.Clients;
import io.spyhop.bench.Numbers;
import io.spyhop.bench.Pause;
import io.spyhop.bench.Row;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Table;

/**
 * Writes so many of some rows a second, or as many as it can, with four threads on a connection of
 * its own until it is ended. Used by one thread.
 */
final class WriteLoad implements Closeable {
  private static final int WRITERS = 4;

  /** Rows are spread over a second, but written together where they are many. */
  private static final int BATCHES_PER_SECOND = 50;

  private static final int MAX_BATCH = 200;
  private static final double NANOS_PER_SECOND = 1e9;

  private final Dataset data;
  private final ChangingRows rows;
  private final int rowsPerSecond;
  private final Connection connection;
  private final Clients writers = new Clients();
  private final long start = System.nanoTime();
  private final AtomicLong begun = new AtomicLong();
  private final AtomicLong written = new AtomicLong();
  private final AtomicLong changed = new AtomicLong();

  /** Begins to write. */
  WriteLoad(Connection other, Dataset data, ChangingRows rows, int rowsPerSecond)
      throws IOException {
    this.data = data;
    this.rows = rows;
    this.rowsPerSecond = rowsPerSecond;
    this.connection = ConnectionFactory.createConnection(other.getConfiguration());
    for (int i = 0; i < WRITERS; i++) {
      SplittableRandom random = new SplittableRandom(i);
      writers.start(() -> write(random));
    }
  }

  private void write(SplittableRandom random) throws IOException {
    int size = Math.min(MAX_BATCH, 1 + rowsPerSecond / BATCHES_PER_SECOND);
    ChangingRows.Batch batch = rows.batch(random, size);
    long before = begun.getAndAdd(batch.puts().size());
    long due = start + Math.round(before * NANOS_PER_SECOND / rowsPerSecond);
    long early = due - System.nanoTime();
    if (early > 0) {
      Pause.of(Duration.ofNanos(early), "writing at a rate");
    }
    try (Table table = connection.getTable(data.name(batch.table()))) {
      table.put(batch.puts());
    }
    written.addAndGet(batch.puts().size());
    changed.addAndGet(batch.changed());
  }

  /** The rows that it writes. */
  ChangingRows rows() {
    return rows;
  }

  /** Rows a second until now: asked for, written, and of these with other values. */
  Row rates() {
    double seconds = Numbers.secondsSince(start);
    return Row.of("write_asked", rowsPerSecond)
        .and("write_reached", Numbers.rounded(written.get() / seconds))
        .and("write_changed", Numbers.rounded(changed.get() / seconds));
  }

  /**
   * Ends it: all that it began is written.
   *
   * @throws IOException if a write failed
   */
  void end() throws IOException {
    writers.finish();
  }

  @Override
  public void close() throws IOException {
    try (connection) {
      writers.close();
    }
  }
}
