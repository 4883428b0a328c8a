package io.spyhop.jdbc;

import io.spyhop.client.Aggregate;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;

/**
 * Aggregates in place of rows. Immutable, thread-safe.
 *
 * @param groupBy fields of the table
 * @param aggregates behind them; at least one
 * @param row the fields that come out
 */
record Figures(List<Integer> groupBy, List<Figure> aggregates, RelDataType row) {
  /**
   * One aggregate.
   *
   * @param isZeroForNone whether it is 0 of no values
   */
  record Figure(Aggregate aggregate, boolean isZeroForNone) {}
}
