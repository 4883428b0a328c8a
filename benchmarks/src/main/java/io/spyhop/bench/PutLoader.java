package io.spyhop.bench;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;

/**
 * Writes rows with several writers, each of which takes the next batch when it has written one.
 * Thread-safe.
 */
public final class PutLoader implements Closeable {
  /** As many writers as in the acceptance figures. */
  public static final int WRITERS = 8;

  private final Connection connection;
  private final ExecutorService writers = Executors.newFixedThreadPool(WRITERS);

  /** Hands out rows, each once. Thread-safe. */
  @FunctionalInterface
  public interface Source {
    /** The next batch; empty if there are no more. */
    List<Put> next();
  }

  /** Writes over that connection, which stays open. */
  public PutLoader(Connection connection) {
    this.connection = connection;
  }

  /**
   * Writes all rows of a source.
   *
   * @return how long it took, from the first write to the last acknowledgement
   */
  public Duration load(TableName table, Source rows, Progress progress) throws IOException {
    return load(table, rows, progress, new Latency());
  }

  /** Does the same, and says how long each call took. */
  public Duration load(TableName table, Source rows, Progress progress, Latency calls)
      throws IOException {
    long start = System.nanoTime();
    Callable<Void> writer = () -> write(table, rows, progress, calls);
    Parallel.all(writers, Collections.nCopies(WRITERS, writer));
    return Duration.ofNanos(System.nanoTime() - start);
  }

  private Void write(TableName name, Source rows, Progress progress, Latency calls)
      throws IOException {
    try (Table table = connection.getTable(name)) {
      for (List<Put> batch = rows.next(); !batch.isEmpty(); batch = rows.next()) {
        long start = System.nanoTime();
        if (batch.size() == 1) {
          table.put(batch.get(0));
        } else {
          table.put(batch);
        }
        calls.since(start);
        progress.step(batch.size());
      }
    }
    return null;
  }

  @Override
  public void close() {
    writers.shutdownNow();
  }
}
