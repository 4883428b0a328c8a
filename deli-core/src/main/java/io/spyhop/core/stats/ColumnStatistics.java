package io.spyhop.core.stats;

import io.spyhop.core.predicate.KeyRanges;
import io.spyhop.core.value.KeyRange;
import io.spyhop.core.value.ValueKey;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;
import org.apache.hadoop.hbase.util.Bytes;

/** Statistics of one column over a set of cells, for example one HFile. Immutable, thread-safe. */
public final class ColumnStatistics {
  private final ColumnCounts counts;
  private final byte[] min;
  private final byte[] max;
  private final Histogram histogram;

  private ColumnStatistics(ColumnCounts counts, byte[] min, byte[] max, Histogram histogram) {
    this.counts = counts;
    this.min = min;
    this.max = max;
    this.histogram = Objects.requireNonNull(histogram);
  }

  /** Starts building. */
  public static Builder builder() {
    return new Builder();
  }

  /** How many there are of everything. */
  public ColumnCounts counts() {
    return counts;
  }

  /** The smallest key, or null without keyed entries. */
  public byte[] min() {
    return min == null ? null : min.clone();
  }

  /** The largest key, or null without keyed entries. */
  public byte[] max() {
    return max == null ? null : max.clone();
  }

  /** How many entries have a key in the range. */
  public Histogram.Between between(KeyRange range) {
    if (min == null || !KeyRanges.of(range).overlaps(min, max)) {
      return Histogram.Between.NONE;
    }
    ValueKey lower = range.lower();
    ValueKey upper = range.upper();
    return histogram.between(
        new KeyRange(
            lower == null || Bytes.compareTo(lower.bytes(), min) <= 0 ? null : lower,
            upper == null || Bytes.compareTo(upper.bytes(), max) >= 0 ? null : upper));
  }

  /** Writes the binary form that {@link #read} reads. */
  public void write(DataOutputStream out) throws IOException {
    counts.write(out);
    Frame.writeBytesOrNull(out, min);
    Frame.writeBytesOrNull(out, max);
    histogram.write(out);
  }

  /** Reads what {@link #write} wrote. */
  public static ColumnStatistics read(DataInputStream in) throws IOException {
    ColumnCounts counts = ColumnCounts.read(in);
    byte[] min = Frame.readBytesOrNull(in);
    byte[] max = Frame.readBytesOrNull(in);
    if ((min == null) != (max == null)) {
      throw new CorruptFrameException("statistics of a column with one bound");
    }
    return new ColumnStatistics(counts, min, max, Histogram.read(in));
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof ColumnStatistics s
        && counts.equals(s.counts)
        && Arrays.equals(min, s.min)
        && Arrays.equals(max, s.max)
        && histogram.equals(s.histogram);
  }

  @Override
  public int hashCode() {
    return Objects.hash(counts, histogram);
  }

  @Override
  public String toString() {
    return counts
        + " min="
        + (min == null ? "-" : Bytes.toStringBinary(min))
        + " max="
        + (max == null ? "-" : Bytes.toStringBinary(max));
  }

  /** Collects counts; not thread-safe. */
  public static final class Builder {
    private long rows;
    private long entries;
    private long complexEntries;
    private long rowsWithout;
    private long undecodable;
    private long unkeyable;
    private byte[] min;
    private byte[] max;
    private Histogram histogram = Histogram.EMPTY;

    private Builder() {}

    /**
     * Adds the counts of a further set that shares no row with those before; its keys and values
     * without a key are still to be added one by one.
     */
    public void add(ColumnStatistics other) {
      rows += other.counts.rows();
      entries += other.counts.entries();
      complexEntries += other.counts.complexEntries();
      rowsWithout += other.counts.rowsWithout();
      undecodable += other.counts.undecodable();
    }

    /** One more row. */
    public void row(boolean hasColumn) {
      rows++;
      rowsWithout += hasColumn ? 0 : 1;
    }

    /** One more cell that does not decode. */
    public void undecodableCell() {
      undecodable++;
    }

    /** One more entry. */
    public void entry(boolean complex) {
      entries++;
      complexEntries += complex ? 1 : 0;
    }

    /** The last entry has no key. */
    public void unkeyableEntry() {
      unkeyable++;
    }

    /** The next keyed entry in ascending order. */
    public void key(byte[] b, int off, int len) {
      if (min == null) {
        min = Bytes.copy(b, off, len);
      }
      if (max == null || !Bytes.equals(max, 0, max.length, b, off, len)) {
        max = Bytes.copy(b, off, len);
      }
    }

    /** The counts by interval. */
    public void histogram(Histogram histogram) {
      this.histogram = histogram;
    }

    /** The statistics. */
    public ColumnStatistics build() {
      return new ColumnStatistics(
          new ColumnCounts(rows, entries, complexEntries, rowsWithout, undecodable, unkeyable),
          min,
          max,
          histogram);
    }
  }
}
