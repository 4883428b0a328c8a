package io.spyhop.core.aggregate;

import java.util.Arrays;

/**
 * The values that rows of one group have in common, canonical.
 *
 * @param values one for each grouping column, null where it is absent; taken over
 */
record GroupKey(byte[][] values) {
  /** Of all rows, where they are not grouped. */
  static final GroupKey ALL = new GroupKey(new byte[0][]);

  /** What they take. */
  long bytes() {
    long bytes = 0;
    for (byte[] value : values) {
      bytes += Long.BYTES + (value == null ? 0 : Long.BYTES * 2 + value.length);
    }
    return bytes;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof GroupKey other && Arrays.deepEquals(values, other.values);
  }

  @Override
  public int hashCode() {
    return Arrays.deepHashCode(values);
  }
}
