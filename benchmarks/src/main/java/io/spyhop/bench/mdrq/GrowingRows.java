package io.spyhop.bench.mdrq;

import io.spyhop.bench.tpch.OrdersTable;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Rows all over a table whose values grow, as those of a clock or a counter do: each changes the
 * statistics of its region. No query of the benchmark finds them. Thread-safe.
 */
final class GrowingRows {
  /** Beyond all prices and customers of TPC-H. */
  private static final long BEYOND = 10_000_000;

  /** TPC-H uses the first 8 of every 32 order keys: this one is free. */
  private static final long FREE_KEY = 9;

  private static final long KEYS_A_GROUP = 32;
  private static final long ROWS_A_GROUP = 8;

  /** From one row to the next, so many groups further. */
  private static final long STEP = 7_919;

  private final long groups;
  private final AtomicLong made = new AtomicLong();

  /**
   * @param rows orders in the table
   */
  GrowingRows(long rows) {
    this.groups = Math.max(1, rows / ROWS_A_GROUP);
  }

  /** The next row. */
  Put next() {
    long i = made.incrementAndGet();
    return new Put(OrdersTable.key(i * STEP % groups * KEYS_A_GROUP + FREE_KEY))
        .addColumn(OrdersTable.FAMILY, OrdersTable.CUSTKEY, Bytes.toBytes(BEYOND + i))
        .addColumn(OrdersTable.FAMILY, OrdersTable.TOTALPRICE, Bytes.toBytes((double) (BEYOND + i)))
        .addColumn(OrdersTable.FAMILY, OrdersTable.CLERK, Bytes.toBytes("a clerk"));
  }
}
