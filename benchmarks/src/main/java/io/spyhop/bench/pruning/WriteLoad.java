package io.spyhop.bench.pruning;

import io.spyhop.bench.Clients;
import io.spyhop.bench.Numbers;
import io.spyhop.bench.Pause;
import io.spyhop.bench.tpcds.TpcdsTable;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;

/**
 * Writes rows of the dimension tables again as they are, so many a second, on a connection of its
 * own until it is closed. Rows are drawn by chance over all regions; answers stay what they are.
 */
final class WriteLoad implements Closeable {
  private static final int BATCH = 10;

  /** Of so many rows of a table, one is written again and again. */
  private static final int EVERY = 20;

  private static final double NANOS_PER_SECOND = 1e9;
  private static final long SEED = 17;

  private final Dataset data;
  private final Connection connection;
  private final Clients writer = new Clients();
  private final SplittableRandom random = new SplittableRandom(SEED);
  private final long start = System.nanoTime();
  private final AtomicLong written = new AtomicLong();

  /** Rows that can be written. */
  record Rows(TpcdsTable table, List<Put> puts) {
    static List<Rows> of(Dataset data) {
      List<Rows> rows = new ArrayList<>();
      for (TpcdsTable table : data.tables()) {
        if (table != TpcdsTable.STORE_SALES && table != TpcdsTable.STORE) {
          rows.add(new Rows(table, data.sample(table, EVERY)));
        }
      }
      return rows;
    }
  }

  /** Begins to write. */
  WriteLoad(Connection other, Dataset data, List<Rows> rows, int rowsPerSecond) throws IOException {
    this.data = data;
    this.connection = ConnectionFactory.createConnection(other.getConfiguration());
    writer.start(() -> write(rows, rowsPerSecond));
  }

  private void write(List<Rows> rows, int rowsPerSecond) throws IOException {
    long due = start + Math.round(written.get() * NANOS_PER_SECOND / rowsPerSecond);
    long early = due - System.nanoTime();
    if (early > 0) {
      Pause.of(Duration.ofNanos(early), "writing at a rate");
    }
    Rows from = rows.get(random.nextInt(rows.size()));
    List<Put> batch = new ArrayList<>(BATCH);
    for (int i = 0; i < BATCH; i++) {
      batch.add(from.puts().get(random.nextInt(from.puts().size())));
    }
    try (Table table = connection.getTable(data.name(from.table()))) {
      table.put(batch);
    }
    written.addAndGet(BATCH);
  }

  /**
   * Ends it.
   *
   * @return how many rows a second were written
   * @throws IOException if a write failed
   */
  double end() throws IOException {
    writer.finish();
    return written.get() / Numbers.secondsSince(start);
  }

  @Override
  public void close() throws IOException {
    try (connection) {
      writer.close();
    }
  }
}
