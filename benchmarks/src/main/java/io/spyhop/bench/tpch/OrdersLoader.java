package io.spyhop.bench.tpch;

import io.spyhop.bench.Parallel;
import io.spyhop.bench.Progress;
import io.trino.tpch.Order;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;

/**
 * Writes orders with several writers, each of which takes the next batch of consecutive orders when
 * it has written one. Every cell gets the same timestamp, so that two tables can be loaded alike.
 */
public final class OrdersLoader implements Closeable {
  /** As many writers as in the acceptance figures. */
  public static final int WRITERS = 8;

  /** As many puts in one call as in the acceptance figures. */
  public static final int BATCH = 1_000;

  private final Connection connection;
  private final long timestamp;
  private final ExecutorService writers = Executors.newFixedThreadPool(WRITERS);

  /**
   * @param timestamp of all cells, in milliseconds
   */
  public OrdersLoader(Connection connection, long timestamp) {
    this.connection = connection;
    this.timestamp = timestamp;
  }

  /**
   * Writes all orders of a source.
   *
   * @return how long it took, from the first write to the last acknowledgement
   */
  public Duration load(TableName table, OrderSource orders, Progress progress) throws IOException {
    long start = System.nanoTime();
    Callable<Void> writer = () -> write(table, orders, progress);
    Parallel.all(writers, Collections.nCopies(WRITERS, writer));
    return Duration.ofNanos(System.nanoTime() - start);
  }

  private Void write(TableName name, OrderSource orders, Progress progress) throws IOException {
    try (Table table = connection.getTable(name)) {
      List<Order> batch = orders.next(BATCH);
      while (!batch.isEmpty()) {
        table.put(puts(batch));
        progress.step(batch.size());
        batch = orders.next(BATCH);
      }
    }
    return null;
  }

  private List<Put> puts(List<Order> batch) {
    return batch.stream()
        .map(o -> OrdersTable.put(o, timestamp))
        .collect(Collectors.toCollection(() -> new ArrayList<>(batch.size())));
  }

  @Override
  public void close() {
    writers.shutdownNow();
  }
}
