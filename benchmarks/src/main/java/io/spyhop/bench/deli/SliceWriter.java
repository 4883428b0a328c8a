package io.spyhop.bench.deli;

import io.spyhop.bench.Latency;
import io.spyhop.bench.Numbers;
import io.spyhop.bench.Parallel;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;

/** Writes slices with eight writers, each of which takes the next batch when it has written one. */
final class SliceWriter implements Closeable {
  /** As many threads as in the acceptance figures. */
  static final int WRITERS = 8;

  private final Connection connection;
  private final ExecutorService writers = Executors.newFixedThreadPool(WRITERS);

  SliceWriter(Connection connection) {
    this.connection = connection;
  }

  /**
   * Writes a slice and returns when the last put is acknowledged.
   *
   * @param batch puts in one call; 1 for single puts
   * @param calls is told how long each call takes
   * @return how many seconds it took
   */
  double write(TableName table, Slice slice, int batch, Latency calls) throws IOException {
    AtomicInteger next = new AtomicInteger();
    long start = System.nanoTime();
    Callable<Void> writer = () -> writeBatches(table, slice, batch, next, calls);
    Parallel.all(writers, Collections.nCopies(WRITERS, writer));
    return Numbers.secondsSince(start);
  }

  private Void writeBatches(
      TableName name, Slice slice, int batch, AtomicInteger next, Latency calls)
      throws IOException {
    try (Table table = connection.getTable(name)) {
      int from = next.getAndAdd(batch);
      while (from < slice.size()) {
        List<Put> puts = puts(slice, from, Math.min(slice.size(), from + batch));
        long start = System.nanoTime();
        if (puts.size() == 1) {
          table.put(puts.get(0));
        } else {
          table.put(puts);
        }
        calls.since(start);
        from = next.getAndAdd(batch);
      }
    }
    return null;
  }

  private static List<Put> puts(Slice slice, int from, int to) {
    List<Put> puts = new ArrayList<>(to - from);
    for (int i = from; i < to; i++) {
      puts.add(DeliTable.put(slice.keys()[i], slice.values()[i]));
    }
    return puts;
  }

  @Override
  public void close() {
    writers.shutdownNow();
  }
}
