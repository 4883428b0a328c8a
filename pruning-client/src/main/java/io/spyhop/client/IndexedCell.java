package io.spyhop.client;

import java.util.Arrays;
import java.util.Objects;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A version of an indexed column, as the base table has it. Immutable if nobody writes to its
 * arrays.
 *
 * @param row the row key
 * @param value the stored bytes
 * @param timestamp the cell's
 */
public record IndexedCell(byte[] row, byte[] value, long timestamp) {
  @Override
  public boolean equals(Object o) {
    return o instanceof IndexedCell other
        && timestamp == other.timestamp
        && Arrays.equals(row, other.row)
        && Arrays.equals(value, other.value);
  }

  @Override
  public int hashCode() {
    return Objects.hash(Arrays.hashCode(row), Arrays.hashCode(value), timestamp);
  }

  @Override
  public String toString() {
    return Bytes.toStringBinary(row) + " = " + Bytes.toStringBinary(value) + " @" + timestamp;
  }
}
