package io.spyhop.core.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.core.predicate.Binder;
import io.spyhop.core.predicate.Predicate.ColumnRef;
import io.spyhop.core.predicate.Predicates;
import io.spyhop.core.predicate.RowJudge;
import io.spyhop.core.predicate.SchemaResolver;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.value.ValueType;
import io.spyhop.core.wire.CorruptFrameException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OrderRequestTest {
  private static final SchemaResolver ANY =
      new SchemaResolver("t", IndexSchema.of(List.of()), List.of("f"));

  @ParameterizedTest
  @EnumSource(ValueType.class)
  void aRequestIsReadAsItWasWritten(ValueType type) throws Exception {
    Binder.Valued valued = Binder.bindValued(null, new ColumnRef("f:v", type), ANY);
    ValuePosition after = new ValuePosition(type.codec().some(), Bytes.toBytes("r"));
    OrderRequest request =
        new OrderRequest(
            valued.predicate(),
            new ValueOrder(valued.column(), true),
            Bytes.toBytes("s"),
            Optional.of(after));
    OrderRequest read = OrderRequest.decode(request.encode());
    assertThat(read.predicate()).isEqualTo(request.predicate());
    assertThat(read.order()).isEqualTo(request.order());
    assertThat(read.start()).isEqualTo(request.start());
    assertThat(read.after()).contains(after);
  }

  @ParameterizedTest
  @EnumSource(ValueType.class)
  void aValueIsAskedFor(ValueType type) {
    Binder.Valued valued = Binder.bindValued(null, new ColumnRef("f:v", type), ANY);
    RowJudge judge = valued.predicate().judge();
    judge.reset();
    assertThat(judge.matches()).as("absent").isFalse();
    byte[] some = type.codec().some().stored();
    judge.reset();
    judge.offer(0, some, 0, some.length);
    assertThat(judge.matches()).as("a value").isTrue();
    assertThat(valued.predicate().canDrive(0)).isTrue();
  }

  @Test
  void aPredicateThatDoesNotAskForAValueIsRefused() {
    ColumnRef column = new ColumnRef("f:v", ValueType.LONG);
    Binder.Valued valued = Binder.bindValued(null, column, ANY);
    OrderRequest request =
        new OrderRequest(
            Binder.bind(Predicates.column("f:v", ValueType.LONG).isNull(), ANY),
            new ValueOrder(valued.column(), false),
            new byte[0],
            Optional.empty());
    assertThatThrownBy(() -> OrderRequest.decode(request.encode()))
        .isInstanceOf(CorruptFrameException.class);
  }

  @Test
  void theTypeThatTheConditionSaysHolds() {
    Binder.Valued valued =
        Binder.bindValued(
            Predicates.column("f:v", ValueType.INT).gt(3), new ColumnRef("v", null), ANY);
    assertThat(valued.column().type()).isEqualTo(ValueType.INT);
  }

  @Test
  void whoRunsTheFilterAsAnyOtherGetsNoAnswer() throws Exception {
    Binder.Valued valued = Binder.bindValued(null, new ColumnRef("f:v", ValueType.LONG), ANY);
    ValueOrderFilter filter =
        new ValueOrderFilter(
            new OrderRequest(
                valued.predicate(),
                new ValueOrder(valued.column(), false),
                new byte[0],
                Optional.empty()));
    byte[] name = Bytes.toBytes("f");
    KeyValue cell = new KeyValue(name, name, Bytes.toBytes("v"), Bytes.toBytes(1L));
    assertThatThrownBy(() -> filter.filterRowKey(cell)).isInstanceOf(OrderRefusedException.class);
    assertThatThrownBy(() -> filter.filterCell(cell)).isInstanceOf(OrderRefusedException.class);
    filter.serve();
    assertThat(filter.filterRowKey(cell)).isFalse();
    filter.filterCell(cell);
    assertThat(filter.filterRow()).isFalse();
  }

  @Test
  void rowsAscendInBothDirections() {
    Binder.Valued valued = Binder.bindValued(null, new ColumnRef("f:v", ValueType.LONG), ANY);
    ValuePosition one = at(1, "a");
    for (boolean descending : new boolean[] {false, true}) {
      ValueOrder order = new ValueOrder(valued.column(), descending);
      assertThat(order.compare(one, at(1, "b"))).isNegative();
      assertThat(order.compare(one, at(2, "a")) < 0).isEqualTo(!descending);
    }
  }

  private static ValuePosition at(long value, String row) {
    return new ValuePosition(ValueType.LONG.codec().operand(value), Bytes.toBytes(row));
  }
}
