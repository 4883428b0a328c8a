package io.spyhop.bench.tpch;

import io.spyhop.bench.Progress;
import io.spyhop.bench.PutLoader;
import io.trino.tpch.Order;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;

/**
 * Writes orders as {@link PutLoader} does, in batches of consecutive orders. Every cell gets the
 * same timestamp, so that two tables can be loaded alike.
 */
public final class OrdersLoader implements Closeable {
  /** As many puts in one call as in the acceptance figures. */
  public static final int BATCH = 1_000;

  private final PutLoader loader;
  private final long timestamp;

  /**
   * @param timestamp of all cells, in milliseconds
   */
  public OrdersLoader(Connection connection, long timestamp) {
    this.loader = new PutLoader(connection);
    this.timestamp = timestamp;
  }

  /**
   * Writes all orders of a source.
   *
   * @return how long it took, from the first write to the last acknowledgement
   */
  public Duration load(TableName table, OrderSource orders, Progress progress) throws IOException {
    return load(table, orders, o -> OrdersTable.put(o, timestamp), progress);
  }

  /** Does the same with what is made of the orders of a source. */
  public Duration load(
      TableName table, OrderSource orders, Function<Order, Put> maker, Progress progress)
      throws IOException {
    return loader.load(table, () -> puts(orders, maker), progress);
  }

  private static List<Put> puts(OrderSource orders, Function<Order, Put> maker) {
    return orders.next(BATCH).stream().map(maker).collect(Collectors.toCollection(ArrayList::new));
  }

  @Override
  public void close() {
    loader.close();
  }
}
