package io.spyhop.core.stats;

import io.spyhop.core.value.KeyRange;
import io.spyhop.core.value.ValueKey;
import io.spyhop.core.wire.Frame;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Counts of index entries by interval of keys: line {@code i} of an SFile counts the keys in {@code
 * (bound[i-1], bound[i]]}, and one more line those above the last bound (LCIndex, section III.C.1).
 * Beyond the paper, of each interval it is known how many have the bound itself as their key, which
 * is all of them where one value is frequent. Immutable, thread-safe.
 */
public final class Histogram {
  /** No bounds, no entries. */
  public static final Histogram EMPTY = new Histogram(new byte[0][], new long[1], new long[0]);

  private final byte[][] bounds;
  private final long[] counts;
  private final long[] atBounds;

  /**
   * Bounds on a number of entries.
   *
   * @param least at least
   * @param most at most
   */
  public record Between(long least, long most) {
    /** No entry. */
    static final Between NONE = new Between(0, 0);

    /** Of two sets that have no entry in common. */
    Between plus(Between other) {
      return new Between(least + other.least, most + other.most);
    }
  }

  /**
   * @param bounds strictly ascending keys
   * @param counts one more than bounds
   * @param atBounds of each count but the last, those whose key is the bound
   */
  public Histogram(byte[][] bounds, long[] counts, long[] atBounds) {
    if (counts.length != bounds.length + 1 || atBounds.length != bounds.length) {
      throw new IllegalArgumentException(
          bounds.length + " bounds, " + counts.length + " and " + atBounds.length + " counts");
    }
    for (int i = 1; i < bounds.length; i++) {
      if (Bytes.compareTo(bounds[i - 1], bounds[i]) >= 0) {
        throw new IllegalArgumentException("histogram bounds do not ascend at " + i);
      }
    }
    this.bounds = bounds.clone();
    this.counts = counts.clone();
    this.atBounds = atBounds.clone();
    for (int i = 0; i < bounds.length; i++) {
      if (atBounds[i] < 0 || atBounds[i] > counts[i]) {
        throw new IllegalArgumentException(atBounds[i] + " of " + counts[i] + " at bound " + i);
      }
    }
  }

  /** How many entries one range has: those of intervals that it cuts may be in it or not. */
  public Between between(KeyRange range) {
    int first = range.lower() == null ? 0 : interval(range.lower().bytes());
    int last = range.upper() == null ? bounds.length : interval(range.upper().bytes());
    Between sum = Between.NONE;
    for (int i = first; i <= last; i++) {
      boolean toBound = i < last || range.upper() == null || isBound(range.upper(), i);
      if (i == first && isBound(range.lower(), i)) {
        sum = sum.plus(new Between(atBounds[i], atBounds[i]));
      } else if (toBound && (i > first || range.lower() == null)) {
        sum = sum.plus(new Between(counts[i], counts[i]));
      } else {
        sum = sum.plus(cut(i, toBound));
      }
    }
    return sum;
  }

  private boolean isBound(ValueKey key, int i) {
    return key != null && i < bounds.length && Bytes.equals(key.bytes(), bounds[i]);
  }

  private Between cut(int i, boolean toBound) {
    long at = i < bounds.length ? atBounds[i] : 0;
    return toBound ? new Between(at, counts[i]) : new Between(0, counts[i] - at);
  }

  /** The interval that a key falls into. */
  int interval(byte[] key) {
    int i = Arrays.binarySearch(bounds, key, Bytes::compareTo);
    return i >= 0 ? i : -i - 1;
  }

  /** All entries. */
  public long total() {
    return Arrays.stream(counts).sum();
  }

  /** The bounds, ascending. */
  public List<byte[]> bounds() {
    return List.of(bounds);
  }

  /** The counts, one more than bounds. */
  public long[] counts() {
    return counts.clone();
  }

  void write(DataOutputStream out) throws IOException {
    out.writeInt(bounds.length);
    for (byte[] b : bounds) {
      Frame.writeBytes(out, b);
    }
    for (long c : counts) {
      out.writeLong(c);
    }
    for (long c : atBounds) {
      out.writeLong(c);
    }
  }

  static Histogram read(DataInputStream in) throws IOException {
    byte[][] bounds = new byte[Frame.readCount(in, Integer.BYTES + 2 * Long.BYTES)][];
    for (int i = 0; i < bounds.length; i++) {
      bounds[i] = Frame.readBytes(in);
    }
    long[] counts = new long[bounds.length + 1];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = in.readLong();
    }
    long[] atBounds = new long[bounds.length];
    for (int i = 0; i < atBounds.length; i++) {
      atBounds[i] = in.readLong();
    }
    return new Histogram(bounds, counts, atBounds);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Histogram other
        && Arrays.deepEquals(bounds, other.bounds)
        && Arrays.equals(counts, other.counts)
        && Arrays.equals(atBounds, other.atBounds);
  }

  @Override
  public int hashCode() {
    return Arrays.deepHashCode(bounds) * 31 + Arrays.hashCode(counts);
  }
}
