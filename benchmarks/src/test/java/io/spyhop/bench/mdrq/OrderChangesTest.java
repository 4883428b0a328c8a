package io.spyhop.bench.mdrq;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.bench.tpch.OrderStream;
import io.spyhop.bench.tpch.OrdersTable;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Result;
import org.junit.jupiter.api.Test;

class OrderChangesTest {
  private static final int ROWS = 10_000;

  private static OrderChanges changes() {
    List<Result> matching =
        new OrderStream(ROWS)
            .next(ROWS).stream()
                .filter(o -> o.getTotalPrice() >= 20_000 && o.getTotalPrice() <= 45_000)
                .map(o -> OrdersTable.put(o, 1).getFamilyCellMap().get(OrdersTable.FAMILY))
                .map(Result::create)
                .toList();
    return OrderChanges.of(ROWS, matching);
  }

  @Test
  void everyKindOfChangeHappens() {
    assertThat(changes().sentences()).hasSize(OrderChanges.Kind.values().length);
  }

  @Test
  void theHalvesAreEquallyLargeAndTouchDifferentRows() {
    OrderChanges changes = changes();
    List<Mutation> first = changes.half(0);
    List<Mutation> second = changes.half(1);
    assertThat(first.size() - second.size()).isBetween(0, 1);
    assertThat(Stream.of(first, second).flatMap(List::stream).map(Mutation::getRow).toList())
        .as("no row is changed twice")
        .doesNotHaveDuplicates();
  }

  @Test
  void areTheSameEveryTime() {
    assertThat(changes().sentences()).isEqualTo(changes().sentences());
    assertThat(changes().half(0).toString()).isEqualTo(changes().half(0).toString());
  }
}
