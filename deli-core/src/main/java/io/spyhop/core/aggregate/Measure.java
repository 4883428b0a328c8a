package io.spyhop.core.aggregate;

import io.spyhop.core.value.ValueType;
import java.util.Optional;
import java.util.function.Function;

/**
 * A figure that is kept of a column's values in each group. Values that are absent or do not decode
 * are none.
 *
 * @param kind of figure
 * @param column its place in {@link AggregateRequest#columns()}
 */
public record Measure(Kind kind, int column) {
  /** Kinds of figures. Their places are sent over the wire: they do not change. */
  public enum Kind {
    /** How many values there are: a {@link Long}. */
    COUNT(type -> Optional.of(new ValueCount())),
    /** How many values there are that differ: a {@link Long}. */
    DISTINCT(type -> Optional.of(new DistinctValues(type.codec()))),
    /** The least value as conditions compare them, or null: as the type decodes it. */
    MIN(type -> Optional.of(new ExtremeValue(type.codec(), -1))),
    /** The greatest value as conditions compare them, or null: as the type decodes it. */
    MAX(type -> Optional.of(new ExtremeValue(type.codec(), 1))),
    /** Sum and average of numbers: a {@link Total}. */
    SUM(Measure::total);

    @SuppressWarnings("ImmutableEnumChecker") // the functions have no state
    private final Function<ValueType, Optional<Accumulator>> maker;

    Kind(Function<ValueType, Optional<Accumulator>> maker) {
      this.maker = maker;
    }

    /** Whether there is such a figure of values of a type. */
    public boolean fits(ValueType type) {
      return maker.apply(type).isPresent();
    }

    /** An empty one, of a type that {@link #fits}. */
    Accumulator accumulator(ValueType type) {
      return maker.apply(type).orElseThrow();
    }
  }

  /** Empty if values of the type are not summed. */
  private static Optional<Accumulator> total(ValueType type) {
    return switch (type) {
      case INT, LONG, TEXT_LONG, ORDERED_INT8, ORDERED_INT16, ORDERED_INT32, ORDERED_INT64 ->
          Optional.of(new WholeTotal(type.codec()));
      case FLOAT, DOUBLE, TEXT_DOUBLE, ORDERED_FLOAT32, ORDERED_FLOAT64 ->
          Optional.of(new FloatingTotal(type.codec()));
      case DECIMAL, ORDERED_NUMERIC -> Optional.of(new DecimalTotal(type.codec()));
      case STRING, BYTES, BOOLEAN, TIMESTAMP, DATE, ORDERED_STRING, ORDERED_BLOB ->
          Optional.empty();
    };
  }
}
