package io.spyhop.client.internal.exec;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Ranges of row keys in their order, none of which overlaps another. Immutable as long as nobody
 * writes to the arrays.
 *
 * @param ranges in row-key order
 */
public record RowRanges(List<RowRange> ranges) {
  /** Every key. */
  public static final RowRanges ALL = of(RowRange.ALL);

  /** Of ranges in order. */
  public RowRanges {
    ranges = List.copyOf(ranges);
  }

  /** One range. */
  public static RowRanges of(RowRange range) {
    return new RowRanges(List.of(range));
  }

  /** Whether a key is in one of them. */
  public boolean contains(byte[] key) {
    int low = 0;
    int high = ranges.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Bytes.compareTo(ranges.get(middle).start(), key) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low > 0 && ranges.get(low - 1).contains(key);
  }

  /** Whether there are keys that are in one of them and in the other range. */
  public boolean overlaps(RowRange other) {
    return ranges.stream().anyMatch(r -> r.overlaps(other));
  }

  /** Each of them cut at keys, as {@link RowRange#cut} does. */
  public List<RowRange> cut(NavigableSet<byte[]> keys) {
    if (ranges.size() == 1) {
      return ranges.get(0).cut(keys);
    }
    List<RowRange> cut = new ArrayList<>();
    ranges.forEach(r -> cut.addAll(r.cut(keys)));
    return cut;
  }

  /**
   * What of them is in other ranges.
   *
   * @param others in row-key order; none overlaps another
   */
  public RowRanges within(List<RowRange> others) {
    List<RowRange> both = new ArrayList<>();
    for (RowRange other : others) {
      ranges.stream().map(r -> r.within(other)).filter(r -> !r.isEmpty()).forEach(both::add);
    }
    return new RowRanges(both);
  }

  /** Whether there are none. */
  public boolean isEmpty() {
    return ranges.isEmpty();
  }

  /** What of them is behind a key. */
  public RowRanges after(byte[] key) {
    byte[] next = Arrays.copyOf(key, key.length + 1);
    List<RowRange> rest = new ArrayList<>();
    for (RowRange r : ranges) {
      byte[] start = Bytes.compareTo(r.start(), next) >= 0 ? r.start() : next;
      RowRange behind = new RowRange(start, r.stop());
      if (!behind.isEmpty()) {
        rest.add(behind);
      }
    }
    return new RowRanges(rest);
  }

  /** The least range that has all of them; an empty one, if they are none. */
  public RowRange hull() {
    return ranges.isEmpty()
        ? new RowRange(new byte[] {0}, new byte[] {0})
        : new RowRange(ranges.get(0).start(), ranges.get(ranges.size() - 1).stop());
  }
}
