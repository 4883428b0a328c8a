package io.spyhop.bench.tpch;

import io.trino.tpch.Order;
import java.util.List;

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
    return new ListSource(orders);
  }
}
