package io.spyhop.bench.tpch;

import io.trino.tpch.Order;
import java.util.List;

/** Orders that are in memory. */
final class ListSource implements OrderSource {
  private final List<Order> orders;
  private int position;

  ListSource(List<Order> orders) {
    this.orders = orders;
  }

  @Override
  public synchronized List<Order> next(int max) {
    int end = Math.min(orders.size(), position + max);
    List<Order> batch = orders.subList(position, end);
    position = end;
    return batch;
  }
}
