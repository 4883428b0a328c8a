package io.spyhop.bench.tpch;

import io.trino.tpch.Order;
import io.trino.tpch.OrderGenerator;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * Generates the first orders of TPC-H: always the same for the same number, with the distributions
 * of the benchmark. 1,500,000 orders are exactly scale factor 1.
 */
public final class OrderStream implements OrderSource {
  private static final double ROWS_PER_SCALE = OrderGenerator.SCALE_BASE;

  /** Below it TPC-H has hardly any customers to order something. */
  private static final double MIN_SCALE = 0.001;

  private final Iterator<Order> generator;
  private long remaining;

  /**
   * @param rows how many orders
   */
  public OrderStream(long rows) {
    if (rows < 1) {
      throw new IllegalArgumentException("rows=" + rows + " is less than 1");
    }
    generator = new OrderGenerator(scale(rows), 1, 1).iterator();
    remaining = rows;
  }

  /** The smallest scale that has that many orders. */
  private static double scale(long rows) {
    double exact = rows / ROWS_PER_SCALE;
    boolean enough = (long) (exact * ROWS_PER_SCALE) >= rows;
    return Math.max(MIN_SCALE, enough ? exact : (rows + 1) / ROWS_PER_SCALE);
  }

  @Override
  public synchronized List<Order> next(int max) {
    int count = (int) Math.min(max, remaining);
    List<Order> batch = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      batch.add(generator.next());
    }
    remaining -= count;
    return batch;
  }
}
