package io.spyhop.bench.mdrq;

import io.spyhop.bench.tpch.OrderStream;
import io.spyhop.bench.tpch.OrdersTable;
import io.trino.tpch.Order;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Changes that make an index wrong that is not kept exactly: rows leave an answer, enter it, lose a
 * column, vanish. The same changes for the same rows. Immutable.
 */
final class OrderChanges {
  private static final double OUT_OF_RANGE = 500_000;
  private static final double IN_RANGE = 30_000;
  private static final String LATE = "1998-06-01";
  private static final String URGENT = "1-URGENT";

  /** Of the rows of the answer, every so-manieth may be changed: a ninth of them all is. */
  private static final int INSIDER_STEP = 4;

  /** Of the rows outside the answer, every so-manieth is changed. */
  private static final int OUTSIDER_STEP = 100;

  /** TPC-H uses the first 8 of every 32 order keys: this one after a used one is free. */
  private static final long FREE_KEY = 8;

  private static final int MAX_NEWCOMERS = 100;

  /** A change of a row. */
  enum Kind {
    DELETED("deleted %,d matching rows"),
    LOST_DATE("deleted the order date of %,d matching rows"),
    MOVED_OUT("moved the price of %,d matching rows out of the range"),
    OTHER_PRIORITY("changed the priority of %,d matching rows"),
    MOVED_IN("moved the price of %,d other rows into the range"),
    NOW_MATCHES_ALL("gave %,d other rows a price, a date and a priority that match every query"),
    NEWCOMER("added %,d rows that have a price only");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    String sentence(int count) {
      return String.format(Locale.ROOT, text, count);
    }
  }

  private final List<Mutation> mutations = new ArrayList<>();
  private final Map<Kind, Integer> counts = new EnumMap<>(Kind.class);

  private OrderChanges() {}

  /**
   * Changes for a loaded table.
   *
   * @param rows how many orders it was loaded with
   * @param matching the answer to {@link MdrqQuery#SCAN_A}
   */
  static OrderChanges of(long rows, List<Result> matching) {
    OrderChanges changes = new OrderChanges();
    for (int i = 0; i * INSIDER_STEP < matching.size(); i++) {
      changes.changeMatching(i, matching.get(i * INSIDER_STEP));
    }
    changes.changeOthers(rows);
    return changes;
  }

  private void changeMatching(int i, Result row) {
    byte[] key = row.getRow();
    if (i % 11 == 0) {
      add(Kind.DELETED, new Delete(key));
    } else if (i % 13 == 0) {
      add(Kind.LOST_DATE, new Delete(key).addColumns(OrdersTable.FAMILY, OrdersTable.ORDERDATE));
    } else if (i % 5 == 0) {
      add(Kind.MOVED_OUT, price(new Put(key), OUT_OF_RANGE + i));
    } else if (i % 7 == 0) {
      byte[] old = row.getValue(OrdersTable.FAMILY, OrdersTable.ORDERPRIORITY);
      boolean medium = MdrqQuery.MEDIUM.equals(Bytes.toString(old));
      add(Kind.OTHER_PRIORITY, priority(new Put(key), medium ? URGENT : MdrqQuery.MEDIUM));
    }
  }

  private void changeOthers(long rows) {
    OrderStream stream = new OrderStream(rows);
    int others = 0;
    for (List<Order> batch = stream.next(OUTSIDER_STEP);
        !batch.isEmpty();
        batch = stream.next(OUTSIDER_STEP)) {
      Order order = batch.get(0);
      if (order.getTotalPrice() > MdrqQuery.SCAN_A.maxPrice()) {
        changeOther(others++, order.getOrderKey());
      }
    }
  }

  private void changeOther(int i, long orderKey) {
    Put put = price(new Put(OrdersTable.key(orderKey)), IN_RANGE);
    if (i % 2 == 0) {
      add(Kind.MOVED_IN, put);
    } else {
      put.addColumn(OrdersTable.FAMILY, OrdersTable.ORDERDATE, Bytes.toBytes(LATE));
      add(Kind.NOW_MATCHES_ALL, priority(put, MdrqQuery.MEDIUM));
    }
    if (i < MAX_NEWCOMERS) {
      add(Kind.NEWCOMER, price(new Put(OrdersTable.key(orderKey + FREE_KEY)), IN_RANGE + i));
    }
  }

  private static Put price(Put put, double price) {
    return put.addColumn(OrdersTable.FAMILY, OrdersTable.TOTALPRICE, Bytes.toBytes(price));
  }

  private static Put priority(Put put, String priority) {
    return put.addColumn(OrdersTable.FAMILY, OrdersTable.ORDERPRIORITY, Bytes.toBytes(priority));
  }

  private void add(Kind kind, Mutation mutation) {
    mutations.add(mutation);
    counts.merge(kind, 1, Integer::sum);
  }

  /** Every other change, beginning with the first or the second. */
  List<Mutation> half(int first) {
    return IntStream.range(0, mutations.size())
        .filter(i -> i % 2 == first)
        .mapToObj(mutations::get)
        .toList();
  }

  /** What the changes are, one sentence each. */
  List<String> sentences() {
    return counts.entrySet().stream().map(e -> e.getKey().sentence(e.getValue())).toList();
  }
}
