package io.spyhop.core.order;

import io.spyhop.core.predicate.BoundColumn;
import java.util.Comparator;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The order of rows by the value of a column, and of equal values by row key, which ascends in both
 * directions. Values compare as in conditions. Immutable, thread-safe.
 *
 * @param column whose values
 * @param descending whether the greatest comes first
 */
public record ValueOrder(BoundColumn column, boolean descending)
    implements Comparator<ValuePosition> {
  @Override
  public int compare(ValuePosition a, ValuePosition b) {
    int c = a.value().compareTo(b.value());
    if (c == 0) {
      return Bytes.compareTo(a.row(), b.row());
    }
    return descending ? -c : c;
  }

  /**
   * Where a row stands.
   *
   * @param cells of the row, in HBase's order
   * @return empty if the column is absent or its newest cell here does not decode
   */
  public Optional<ValuePosition> position(Iterable<Cell> cells) {
    for (Cell c : cells) {
      if (column.name().matches(c)) {
        byte[] value = CellUtil.cloneValue(c);
        return column.type().codec().isDecodable(value, 0, value.length)
            ? Optional.of(
                new ValuePosition(
                    column.type().codec().operandFromStored(value), CellUtil.cloneRow(c)))
            : Optional.empty();
      }
    }
    return Optional.empty();
  }

  /** The column and the direction. */
  @Override
  public String toString() {
    return column.name() + (descending ? " DESC" : "");
  }
}
