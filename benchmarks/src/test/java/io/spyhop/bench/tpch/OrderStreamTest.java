package io.spyhop.bench.tpch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trino.tpch.Order;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OrderStreamTest {
  private static final int BATCH = 1_000;

  @ParameterizedTest
  @ValueSource(longs = {1, 999, 1_500, 2_000, 10_007, 149_999})
  void hasAsManyOrdersAsAskedFor(long rows) {
    OrderStream stream = new OrderStream(rows);
    long count = 0;
    long last = 0;
    for (List<Order> b = stream.next(BATCH); !b.isEmpty(); b = stream.next(BATCH)) {
      count += b.size();
      assertThat(b.get(0).getOrderKey()).as("keys ascend").isGreaterThan(last);
      last = b.get(b.size() - 1).getOrderKey();
    }
    assertThat(count).isEqualTo(rows);
  }

  @Test
  void scaleFactorOneHasTheKnownNumberOfOrdersInThePriceRange() {
    OrderStream stream = new OrderStream(1_500_000);
    long matching = 0;
    for (List<Order> b = stream.next(BATCH); !b.isEmpty(); b = stream.next(BATCH)) {
      matching +=
          b.stream()
              .filter(o -> o.getTotalPrice() >= 20_000 && o.getTotalPrice() <= 45_000)
              .count();
    }
    assertThat(matching).isEqualTo(116_444);
  }

  @Test
  void isTheSameEveryTime() {
    assertThat(lines(new OrderStream(3_000))).isEqualTo(lines(new OrderStream(3_000)));
  }

  private static List<String> lines(OrderStream stream) {
    return stream.next(3_000).stream().map(Order::toLine).toList();
  }

  @Test
  void aListIsHandedOutInBatches() {
    List<Order> orders = new OrderStream(5).next(5);
    OrderSource source = OrderSource.of(orders);
    assertThat(source.next(3)).isEqualTo(orders.subList(0, 3));
    assertThat(source.next(3)).isEqualTo(orders.subList(3, 5));
    assertThat(source.next(3)).isEmpty();
  }

  @Test
  void noOrdersAreRefused() {
    assertThatThrownBy(() -> new OrderStream(0)).hasMessageContaining("rows=0");
  }
}
