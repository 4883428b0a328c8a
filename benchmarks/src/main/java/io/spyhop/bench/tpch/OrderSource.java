package io.spyhop.bench.tpch;

import io.trino.tpch.Order;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Hands out orders in key order, each once. Thread-safe. */
@FunctionalInterface
public interface OrderSource {
  /**
   * The next orders.
   *
   * @param max how many at most, at least 1
   * @return consecutive orders; empty if there are no more
   */
  List<Order> next(int max);

  /** Hands out the orders of a list. */
  static OrderSource of(List<Order> orders) {
    AtomicInteger next = new AtomicInteger();
    return max -> {
      int from = Math.min(orders.size(), next.getAndAdd(max));
      return orders.subList(from, Math.min(orders.size(), from + max));
    };
  }
}
