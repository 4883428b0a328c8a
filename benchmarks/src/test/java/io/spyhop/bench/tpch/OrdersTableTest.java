package io.spyhop.bench.tpch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trino.tpch.Order;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class OrdersTableTest {
  @Test
  void theFirstOrderIsStoredAsDeclared() {
    Put put = OrdersTable.put(new OrderStream(1_500_000).next(1).get(0), 7);
    assertThat(put.getRow()).isEqualTo(Bytes.toBytes(1L));
    assertThat(put.size()).isEqualTo(8);
    assertThat(Bytes.toLong(value(put, OrdersTable.CUSTKEY))).isEqualTo(36_901);
    assertThat(Bytes.toString(value(put, OrdersTable.ORDERSTATUS))).isEqualTo("O");
    assertThat(Bytes.toDouble(value(put, OrdersTable.TOTALPRICE))).isEqualTo(173_665.47);
    assertThat(Bytes.toString(value(put, OrdersTable.ORDERDATE))).isEqualTo("1996-01-02");
    assertThat(Bytes.toString(value(put, OrdersTable.ORDERPRIORITY))).isEqualTo("5-LOW");
    assertThat(Bytes.toString(value(put, OrdersTable.CLERK))).isEqualTo("Clerk#000000951");
    assertThat(Bytes.toInt(value(put, OrdersTable.SHIPPRIORITY))).isZero();
    assertThat(value(put, OrdersTable.COMMENT)).isNotEmpty();
  }

  private static byte[] value(Put put, byte[] qualifier) {
    Cell cell = put.get(OrdersTable.FAMILY, qualifier).get(0);
    assertThat(cell.getTimestamp()).isEqualTo(7);
    return CellUtil.cloneValue(cell);
  }

  @Test
  void splitsGiveEachRegionAsManyRows() {
    int rows = 10_000;
    byte[][] splits = OrdersTable.splits(rows, 4);
    int[] counts = new int[4];
    for (Order order : new OrderStream(rows).next(rows)) {
      counts[region(splits, OrdersTable.key(order.getOrderKey()))]++;
    }
    assertThat(Arrays.stream(counts).boxed().toList()).allMatch(c -> Math.abs(c - 2_500) < 10);
  }

  private static int region(byte[][] splits, byte[] key) {
    return (int) Arrays.stream(splits).filter(s -> Bytes.compareTo(s, key) <= 0).count();
  }

  @Test
  void oneRegionNeedsNoSplit() {
    assertThat(OrdersTable.splits(10, 1)).isEmpty();
  }

  @Test
  void moreRegionsThanRowsAreRefused() {
    assertThatThrownBy(() -> OrdersTable.splits(3, 4)).hasMessageContaining("regions=4");
  }

  @Test
  void indexesAreThoseOfThePaper() {
    assertThat(OrdersTable.indexes())
        .extracting(i -> i.column().toString())
        .isEqualTo(List.of("d:totalprice", "d:orderdate", "d:orderpriority"));
  }
}
