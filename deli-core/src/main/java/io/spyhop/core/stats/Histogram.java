package io.spyhop.core.stats;

import io.spyhop.core.predicate.KeyRanges;
import io.spyhop.core.value.KeyRange;
import io.spyhop.core.wire.Frame;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * How many index entries have keys in which interval: line {@code i} of an SFile counts the keys in
 * {@code (bound[i-1], bound[i]]}, and one more line those above the last bound (LCIndex, section
 * III.C.1). Immutable, thread-safe.
 */
public final class Histogram {
  /** No bounds, no entries. */
  public static final Histogram EMPTY = new Histogram(new byte[0][], new long[1]);

  private final byte[][] bounds;
  private final long[] counts;

  /**
   * @param bounds strictly ascending keys
   * @param counts one more than bounds
   */
  public Histogram(byte[][] bounds, long[] counts) {
    if (counts.length != bounds.length + 1) {
      throw new IllegalArgumentException(bounds.length + " bounds, " + counts.length + " counts");
    }
    for (int i = 1; i < bounds.length; i++) {
      if (Bytes.compareTo(bounds[i - 1], bounds[i]) >= 0) {
        throw new IllegalArgumentException("histogram bounds do not ascend at " + i);
      }
    }
    this.bounds = bounds.clone();
    this.counts = counts.clone();
  }

  /**
   * An upper bound of the number of entries in the ranges: intervals cut by a range count whole.
   */
  public long estimate(KeyRanges ranges) {
    boolean[] hit = new boolean[counts.length];
    for (KeyRange r : ranges.ranges()) {
      int first = r.lower() == null ? 0 : interval(r.lower().bytes());
      int last = r.upper() == null ? counts.length - 1 : interval(r.upper().bytes());
      Arrays.fill(hit, first, last + 1, true);
    }
    long sum = 0;
    for (int i = 0; i < hit.length; i++) {
      sum += hit[i] ? counts[i] : 0;
    }
    return sum;
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
  }

  static Histogram read(DataInputStream in) throws IOException {
    byte[][] bounds = new byte[Frame.readCount(in, Integer.BYTES + Long.BYTES)][];
    for (int i = 0; i < bounds.length; i++) {
      bounds[i] = Frame.readBytes(in);
    }
    long[] counts = new long[bounds.length + 1];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = in.readLong();
    }
    return new Histogram(bounds, counts);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Histogram other
        && Arrays.deepEquals(bounds, other.bounds)
        && Arrays.equals(counts, other.counts);
  }

  @Override
  public int hashCode() {
    return Arrays.deepHashCode(bounds) * 31 + Arrays.hashCode(counts);
  }
}
