package io.spyhop.server.index.memstore;

import io.spyhop.core.predicate.KeyRanges;
import io.spyhop.core.value.KeyRange;
import io.spyhop.core.value.ValueKey;
import io.spyhop.core.value.ValueType;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;

/**
 * Ranges of codes: 8 bytes of value keys as unsigned numbers, in the order of the keys. Values
 * whose keys begin alike have the same code, so that a range of codes has the codes of all keys in
 * a range of keys, and perhaps more. Immutable, thread-safe.
 */
final class ValueCodes {
  /** A write without the column. */
  static final long NONE = 0;

  /** A write with a value that has no key, or with several: it may be any. */
  static final long UNSURE = 1;

  /** The least code of a value. */
  private static final long LEAST = 2;

  /** Types whose keys begin with sign and size; all keys of another type begin with one byte. */
  private static final Set<ValueType> SIZED =
      EnumSet.of(ValueType.DECIMAL, ValueType.ORDERED_NUMERIC);

  private static final Map<ValueType, Byte> FIRST_BYTES = firstBytes();

  private static final int BYTE_MASK = 0xFF;

  private final long[] lower;
  private final long[] upper;

  private ValueCodes(List<KeyRange> ranges, ValueType type) {
    this.lower = new long[ranges.size()];
    this.upper = new long[ranges.size()];
    for (int i = 0; i < lower.length; i++) {
      long least = bound(ranges.get(i).lower(), type);
      long most = bound(ranges.get(i).upper(), type);
      lower[i] = least == UNSURE ? LEAST : least;
      upper[i] = most == UNSURE ? -1 : most;
    }
  }

  private static Map<ValueType, Byte> firstBytes() {
    Map<ValueType, Byte> bytes = new EnumMap<>(ValueType.class);
    for (ValueType type : ValueType.values()) {
      bytes.put(type, type.codec().some().key().bytes()[0]);
    }
    return bytes;
  }

  private static long bound(ValueKey key, ValueType type) {
    return key == null ? UNSURE : code(key, type);
  }

  /** The codes that keys of a type in these ranges may have. */
  static ValueCodes of(KeyRanges keys, ValueType type) {
    return new ValueCodes(keys.ranges(), type);
  }

  /** The code of a put cell's value. */
  static long of(Cell cell, ValueType type) {
    ValueKey key =
        type.codec().key(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength());
    return key == null ? UNSURE : code(key, type);
  }

  private static long code(ValueKey key, ValueType type) {
    byte[] b = key.bytes();
    if (key.isUnkeyable() || b.length == 0) {
      return UNSURE;
    }
    if (SIZED.contains(type)) {
      return cut(b, 0);
    }
    return b[0] == FIRST_BYTES.get(type) ? cut(b, 1) : UNSURE;
  }

  private static long cut(byte[] key, int from) {
    long code = 0;
    for (int i = from; i < from + Long.BYTES; i++) {
      code = code << Byte.SIZE | (i < key.length ? key[i] & BYTE_MASK : 0);
    }
    return code == NONE || code == UNSURE ? LEAST : code;
  }

  /** Whether a write with this code may have a value in the ranges. */
  boolean mayContain(long code) {
    if (code == NONE || code == UNSURE) {
      return code == UNSURE;
    }
    int at = upper.length == 1 && Long.compareUnsigned(upper[0], code) >= 0 ? 0 : firstFrom(code);
    return at < lower.length && Long.compareUnsigned(lower[at], code) <= 0;
  }

  /** The first range that does not end below a code. */
  private int firstFrom(long code) {
    int from = 0;
    int to = upper.length;
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (Long.compareUnsigned(upper[middle], code) >= 0) {
        to = middle;
      } else {
        from = middle + 1;
      }
    }
    return from;
  }
}
