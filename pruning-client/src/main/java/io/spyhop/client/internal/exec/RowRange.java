package io.spyhop.client.internal.exec;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import org.apache.hadoop.hbase.util.Bytes;

/** A range of row keys. Immutable as long as nobody writes to the arrays. */
public final class RowRange {
  /** Every key. */
  public static final RowRange ALL = new RowRange(new byte[0], new byte[0]);

  private final byte[] start;
  private final byte[] stop;

  /**
   * @param start the first key, inclusive; empty for the table's beginning
   * @param stop the key after the last, exclusive; empty for the table's end
   */
  public RowRange(byte[] start, byte[] stop) {
    this.start = start;
    this.stop = stop;
  }

  /** The first key, inclusive; empty for the table's beginning. */
  public byte[] start() {
    return start;
  }

  /** The key after the last, exclusive; empty for the table's end. */
  public byte[] stop() {
    return stop;
  }

  /**
   * Cuts this range at keys: the cost is that of the keys in it.
   *
   * @param keys where to cut, in the order of their bytes, outside the range, too: regions' start
   *     keys as they are listed in the midst of splits and merges
   * @return ranges in key order that together are exactly this one; none if this one is empty
   */
  public List<RowRange> cut(NavigableSet<byte[]> keys) {
    if (isEmpty()) {
      return List.of();
    }
    NavigableSet<byte[]> after = keys.tailSet(start, false);
    NavigableSet<byte[]> inside = stop.length == 0 ? after : after.headSet(stop, false);
    List<RowRange> ranges = new ArrayList<>();
    byte[] from = start;
    for (byte[] key : inside) {
      ranges.add(new RowRange(from, key));
      from = key;
    }
    ranges.add(new RowRange(from, stop));
    return ranges;
  }

  /** Whether a key is in this range. */
  public boolean contains(byte[] key) {
    return Bytes.compareTo(key, start) >= 0 && isBelow(key, stop);
  }

  /** Whether there are keys that are in this range and in the other. */
  public boolean overlaps(RowRange other) {
    byte[] from = Bytes.compareTo(start, other.start) >= 0 ? start : other.start;
    return !isEmpty() && !other.isEmpty() && isBelow(from, stop) && isBelow(from, other.stop);
  }

  /** The keys that are in this range and in the other. */
  public RowRange within(RowRange other) {
    return new RowRange(
        Bytes.compareTo(start, other.start) >= 0 ? start : other.start,
        isBelow(stop, other.stop) && stop.length > 0 ? stop : other.stop);
  }

  /** Whether exactly one key is in this range. */
  public boolean isOneRow() {
    return start.length > 0
        && stop.length == start.length + 1
        && stop[start.length] == 0
        && Arrays.equals(stop, 0, start.length, start, 0, start.length);
  }

  /** Whether no key is in this range; a key has a byte at least. */
  public boolean isEmpty() {
    boolean beforeKeys = start.length == 0 && stop.length == 1 && stop[0] == 0;
    return beforeKeys || !isBelow(start, stop);
  }

  private static boolean isBelow(byte[] key, byte[] stop) {
    return stop.length == 0 || Bytes.compareTo(key, stop) < 0;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof RowRange other
        && Arrays.equals(start, other.start)
        && Arrays.equals(stop, other.stop);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(start) + Arrays.hashCode(stop);
  }

  /** {@code [start, stop)}, bytes that are not printable as {@code \xNN}. */
  @Override
  public String toString() {
    return "[" + Bytes.toStringBinary(start) + ", " + Bytes.toStringBinary(stop) + ")";
  }
}
