package io.spyhop.server.index.stats;

import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.hbase.HConstants;

/**
 * Rows of a region from start, inclusive, to stop, exclusive; an empty stop is no end. Immutable if
 * nobody writes to the arrays.
 */
public record RowSpan(byte[] start, byte[] stop) {
  /** The next key that a row may have; empty behind the last one of all. */
  public static Optional<byte[]> behind(byte[] row) {
    if (row.length < HConstants.MAX_ROW_LENGTH) {
      return Optional.of(Arrays.copyOf(row, row.length + 1));
    }
    int end = row.length;
    while (end > 0 && row[end - 1] == -1) {
      end--;
    }
    if (end == 0) {
      return Optional.empty();
    }
    byte[] next = Arrays.copyOf(row, end);
    next[end - 1]++;
    return Optional.of(next);
  }
}
