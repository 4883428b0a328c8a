package io.spyhop.bench.mdrq;

import io.spyhop.bench.tpch.OrdersTable;
import io.trino.tpch.Order;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;

/** Makes a put of an order. */
enum PutMaker {
  /** The whole order. */
  ORDER(8) {
    @Override
    Put put(Order order, long timestamp) {
      return OrdersTable.put(order, timestamp);
    }
  },

  /** The indexed columns alone. */
  NARROW(3) {
    @Override
    Put put(Order order, long timestamp) {
      return OrdersTable.narrowPut(order, timestamp);
    }
  },

  /** A column that no index knows. */
  NOTE(1) {
    @Override
    Put put(Order order, long timestamp) {
      return new Put(OrdersTable.key(order.getOrderKey()), timestamp)
          .addColumn(OrdersTable.FAMILY, NOTES, Bytes.toBytes("seen by " + order.getClerk()));
    }
  },

  /** Another price, an indexed column: low ones become high and the other way round. */
  OTHER_PRICE(1) {
    @Override
    Put put(Order order, long timestamp) {
      return new Put(OrdersTable.key(order.getOrderKey()), timestamp)
          .addColumn(OrdersTable.FAMILY, OrdersTable.TOTALPRICE, Bytes.toBytes(other(order)));
    }

    private static double other(Order order) {
      return (MIRROR - order.getTotalPriceInCents() % MIRROR) / CENTS;
    }
  };

  private static final byte[] NOTES = Bytes.toBytes("note");
  private static final double CENTS = 100;

  /** In cents; most prices are below it. */
  private static final long MIRROR = 30_000_000;

  private final int cells;

  PutMaker(int cells) {
    this.cells = cells;
  }

  /** How many cells each put has. */
  int cells() {
    return cells;
  }

  /** The put of one order. */
  abstract Put put(Order order, long timestamp);
}
