package io.spyhop.jdbc;

import java.util.Arrays;
import org.apache.calcite.sql.SqlKind;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A range of row keys. Immutable.
 *
 * @param start inclusive; empty for the beginning
 * @param stop exclusive; empty for the end
 * @param isEmpty whether it has no key at all
 */
record KeyRange(byte[] start, byte[] stop, boolean isEmpty) {
  static final KeyRange ALL = new KeyRange(new byte[0], new byte[0], false);
  static final KeyRange NONE = new KeyRange(new byte[0], new byte[0], true);

  /** Whether keys that compare so with one are a range. */
  static boolean isRange(SqlKind kind) {
    return kind != SqlKind.NOT_EQUALS;
  }

  /** The keys that compare so with one. */
  static KeyRange of(SqlKind kind, byte[] key) {
    byte[] next = Arrays.copyOf(key, key.length + 1);
    return switch (kind) {
      case EQUALS -> new KeyRange(key, next, false);
      case LESS_THAN -> key.length == 0 ? NONE : new KeyRange(new byte[0], key, false);
      case LESS_THAN_OR_EQUAL -> new KeyRange(new byte[0], next, false);
      case GREATER_THAN -> new KeyRange(next, new byte[0], false);
      default -> new KeyRange(key, new byte[0], false);
    };
  }

  /** The keys of both. */
  KeyRange and(KeyRange other) {
    byte[] from = Bytes.compareTo(start, other.start) < 0 ? other.start : start;
    byte[] to =
        stop.length == 0
            ? other.stop
            : other.stop.length == 0 || Bytes.compareTo(stop, other.stop) < 0 ? stop : other.stop;
    boolean none = isEmpty || other.isEmpty || to.length > 0 && Bytes.compareTo(from, to) >= 0;
    return new KeyRange(from, to, none);
  }
}
