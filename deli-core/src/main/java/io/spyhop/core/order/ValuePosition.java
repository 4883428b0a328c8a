package io.spyhop.core.order;

import io.spyhop.core.value.Operand;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The position of a row in the order of a column's values. Immutable if nobody writes to the row,
 * thread-safe.
 *
 * @param value the column's value
 * @param row the row's key
 */
public record ValuePosition(Operand value, byte[] row) {
  @Override
  public boolean equals(Object o) {
    return o instanceof ValuePosition other
        && value.equals(other.value)
        && Bytes.equals(row, other.row);
  }

  @Override
  public int hashCode() {
    return 31 * value.hashCode() + Bytes.hashCode(row);
  }

  @Override
  public String toString() {
    return value + " of row " + Bytes.toStringBinary(row);
  }
}
