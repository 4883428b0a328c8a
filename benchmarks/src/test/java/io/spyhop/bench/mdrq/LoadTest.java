package io.spyhop.bench.mdrq;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.bench.tpch.OrderStream;
import io.spyhop.bench.tpch.OrdersTable;
import io.trino.tpch.Order;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LoadTest {
  private static final int ROWS = 5_000;
  private static final List<Order> ORDERS = new OrderStream(ROWS).next(ROWS);

  private static final Set<PutMaker> WHOLE = Set.of(PutMaker.ORDER, PutMaker.NARROW);

  private static List<Long> rows(Pass pass) {
    OrderStream orders = new OrderStream(ROWS);
    List<Long> keys = new ArrayList<>();
    for (List<Order> slice = InsertTrial.slice(pass, orders, 1_000);
        !slice.isEmpty();
        slice = InsertTrial.slice(pass, orders, 1_000)) {
      slice.forEach(o -> keys.add(o.getOrderKey()));
    }
    return keys;
  }

  @ParameterizedTest
  @EnumSource
  void everyRowIsWrittenOnce(State state) {
    List<Long> written = new ArrayList<>();
    for (Pass pass : state.load().passes()) {
      if (WHOLE.contains(pass.maker())) {
        written.addAll(rows(pass));
      }
    }
    assertThat(written)
        .containsExactlyInAnyOrderElementsOf(ORDERS.stream().map(Order::getOrderKey).toList());
  }

  @ParameterizedTest
  @EnumSource
  void aPassHasItsShare(State state) {
    for (Pass pass : state.load().passes()) {
      double share = pass.share(ROWS);
      assertThat((double) rows(pass).size()).isBetween(0.85 * share, 1.15 * share);
    }
  }

  @Test
  void whatIsNotShuffledComesInKeyOrder() {
    assertThat(rows(Pass.unflushed(10))).isSorted();
    List<Long> shuffled = rows(Pass.shuffled(0, 20));
    assertThat(shuffled).isNotEqualTo(shuffled.stream().sorted().toList());
  }

  @Test
  void eachShuffledPassReachesAllOverTheTable() {
    long last = ORDERS.get(ROWS - 1).getOrderKey();
    for (Pass pass : State.SHUFFLED.load().passes()) {
      assertThat(rows(pass)).anyMatch(key -> key < last / 100).anyMatch(key -> key > last * 0.99);
    }
  }

  @Test
  void flushesAreCounted() {
    assertThat(State.SHUFFLED.load().flushes()).isEqualTo(5);
    assertThat(State.MEMSTORE_10.load().flushes()).isEqualTo(1);
    assertThat(State.MIXED.load().flushes()).isEqualTo(5);
    assertThat(State.UPDATED_OTHER.load().flushes()).isEqualTo(2);
  }

  @Test
  void aFifthHasAnotherPriceAndATenthIsInMemstores() {
    List<Pass> passes = State.MIXED.load().passes();
    int updated = 0;
    int unflushed = 0;
    for (Pass pass : passes) {
      updated += pass.maker() == PutMaker.OTHER_PRICE ? pass.to() - pass.from() : 0;
      unflushed = pass.flushed() ? 0 : unflushed + pass.to() - pass.from();
    }
    assertThat(updated).isEqualTo(20);
    assertThat(unflushed).isEqualTo(10);
  }

  @Test
  void twentyMillionRowsByDefault() {
    assertThat(State.ROWS_20M.load().rows(1_500_000)).isEqualTo(20_000_000);
    assertThat(State.FLUSHED.load().rows(1_500_000)).isEqualTo(1_500_000);
  }

  @ParameterizedTest
  @EnumSource
  void aPutHasAsManyCellsAsItSays(PutMaker maker) {
    for (Order order : ORDERS) {
      Put put = maker.put(order, 17);
      assertThat(put.size()).isEqualTo(maker.cells());
      assertThat(put.getRow()).isEqualTo(OrdersTable.key(order.getOrderKey()));
      assertThat(put.getTimestamp()).isEqualTo(17);
    }
  }

  @Test
  void theOtherPriceIsAnotherThatTheIndexTakes() {
    for (Order order : ORDERS) {
      Put put = PutMaker.OTHER_PRICE.put(order, 17);
      Cell cell = put.get(OrdersTable.FAMILY, OrdersTable.TOTALPRICE).get(0);
      double price = Bytes.toDouble(CellUtil.cloneValue(cell));
      assertThat(price).isBetween(0.01, 300_000.0).isNotEqualTo(order.getTotalPrice());
    }
  }
}
