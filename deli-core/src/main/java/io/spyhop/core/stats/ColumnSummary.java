package io.spyhop.core.stats;

import io.spyhop.core.predicate.KeyRanges;
import io.spyhop.core.schema.BloomSize;
import io.spyhop.core.value.KeyRange;
import io.spyhop.core.value.ValueCodec;
import io.spyhop.core.value.ValueKey;
import io.spyhop.core.value.ValueType;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A summary of the put cells of one column in a set of cells: least and greatest value key, and a
 * bloom filter of the keys (paper, section 4.1). All versions count, as a newer one may go.
 * Immutable, thread-safe.
 */
public final class ColumnSummary {
  /** The size of a filter that should be sized to data that are still to come. */
  private static final int GROWING_BITS = 4096;

  /** How much of a value is shown. */
  private static final int MAX_SHOWN = 40;

  /** The bytes of a summary at least. */
  static final int LEAST = Frame.LEAST_UTF + 2 * Frame.LEAST_BYTES + 4;

  private final ValueType type;
  private final byte[] min;
  private final byte[] max;
  private final boolean undecodable;
  private final boolean unkeyable;
  private final boolean absent;
  private final BloomBits bloom;

  ColumnSummary(
      ValueType type,
      byte[] min,
      byte[] max,
      boolean undecodable,
      boolean unkeyable,
      boolean absent,
      BloomBits bloom) {
    this.type = Objects.requireNonNull(type);
    this.min = min;
    this.max = max;
    this.undecodable = undecodable;
    this.unkeyable = unkeyable;
    this.absent = absent;
    this.bloom = bloom;
  }

  /** Of no cells; to be grown cell by cell, so that its filter keeps its size. */
  public static ColumnSummary empty(ValueType type, BloomSize bloom) {
    int size = bloom.isAuto() ? GROWING_BITS : bloom.startBits();
    BloomBits bits = bloom.isOn() ? BloomBits.empty(size) : null;
    return new ColumnSummary(type, null, null, false, false, false, bits);
  }

  /** Starts collecting. */
  public static Builder builder(ValueType type, BloomSize bloom) {
    return new Builder(type, bloom);
  }

  /** How the column's cells were read. */
  public ValueType type() {
    return type;
  }

  /** The least key, or null without keyed cells; a copy. */
  public byte[] min() {
    return min == null ? null : min.clone();
  }

  /** The greatest key, or null without keyed cells; a copy. */
  public byte[] max() {
    return max == null ? null : max.clone();
  }

  /** Whether some cell's value has no key. */
  public boolean hasUnkeyable() {
    return unkeyable;
  }

  /** The bloom filter of the keys, or null. */
  public BloomBits bloom() {
    return bloom;
  }

  boolean hasUndecodable() {
    return undecodable;
  }

  boolean hasAbsent() {
    return absent;
  }

  /** The same with another filter, which must have all keys, or null for none. */
  ColumnSummary withBloom(BloomBits other) {
    return new ColumnSummary(type, min, max, undecodable, unkeyable, absent, other);
  }

  /**
   * The summary of both sets of cells. A filter remains where both have one, or one has no keys.
   *
   * @throws IllegalArgumentException if they were read as different types
   */
  public ColumnSummary union(ColumnSummary other) {
    if (type != other.type) {
      throw new IllegalArgumentException("summaries of a " + type + " and of a " + other.type);
    }
    return new ColumnSummary(
        type,
        min == null || other.min != null && Bytes.compareTo(other.min, min) < 0 ? other.min : min,
        max == null || other.max != null && Bytes.compareTo(other.max, max) > 0 ? other.max : max,
        undecodable || other.undecodable,
        unkeyable || other.unkeyable,
        absent || other.absent,
        bloomOf(other));
  }

  private BloomBits bloomOf(ColumnSummary other) {
    if (min == null) {
      return other.bloom == null || bloom == null ? other.bloom : bloom.union(other.bloom);
    }
    if (other.min == null) {
      return bloom == null || other.bloom == null ? bloom : bloom.union(other.bloom);
    }
    return bloom == null || other.bloom == null ? null : bloom.union(other.bloom);
  }

  /** The same and one more key. */
  ColumnSummary with(byte[] key) {
    return new ColumnSummary(
        type,
        min == null || Bytes.compareTo(key, min) < 0 ? key : min,
        max == null || Bytes.compareTo(key, max) > 0 ? key : max,
        undecodable,
        unkeyable,
        absent,
        bloom == null ? null : bloom.with(key));
  }

  ColumnSummary withUndecodable() {
    return new ColumnSummary(type, min, max, true, unkeyable, absent, bloom);
  }

  ColumnSummary withUnkeyable() {
    return new ColumnSummary(type, min, max, undecodable, true, absent, bloom);
  }

  public ColumnSummary withAbsent() {
    return new ColumnSummary(type, min, max, undecodable, unkeyable, true, bloom);
  }

  /**
   * Whether a condition on the column may be true of some row of the set.
   *
   * @param keys outside these it is not true of any decodable value
   * @param whenAbsent whether it is true of rows without the column
   * @param whenUndecodable whether it is true of cells that do not decode
   */
  public boolean might(KeyRanges keys, boolean whenAbsent, boolean whenUndecodable) {
    return whenAbsent && absent || whenUndecodable && undecodable || unkeyable || mightHave(keys);
  }

  private boolean mightHave(KeyRanges keys) {
    if (min == null) {
      return false;
    }
    List<KeyRange> within = keys.overlapping(min, max);
    return bloom == null ? !within.isEmpty() : within.stream().anyMatch(this::mightHave);
  }

  private boolean mightHave(KeyRange r) {
    boolean point = r.lower() != null && r.lower().equals(r.upper());
    return !point || bloom.mightContain(r.lower().bytes());
  }

  /** Bytes that it takes in memory, about: the paper's size of one entry of the cache. */
  public int heapSize() {
    int keys = (min == null ? 0 : min.length) + (max == null ? 0 : max.length);
    return 64 + keys + (bloom == null ? 0 : bloom.bits() / 8);
  }

  /** Writes what {@link #read} reads. */
  public void write(DataOutputStream out) throws IOException {
    out.writeUTF(type.name());
    Frame.writeBytesOrNull(out, min);
    Frame.writeBytesOrNull(out, max);
    out.writeBoolean(undecodable);
    out.writeBoolean(unkeyable);
    out.writeBoolean(absent);
    out.writeBoolean(bloom != null);
    if (bloom != null) {
      bloom.write(out);
    }
  }

  /** Reads what {@link #write} wrote. */
  public static ColumnSummary read(DataInputStream in) throws IOException {
    ValueType type = ValueType.valueOf(Frame.readUtf(in));
    byte[] min = Frame.readBytesOrNull(in);
    byte[] max = Frame.readBytesOrNull(in);
    if ((min == null) != (max == null)) {
      throw new CorruptFrameException("summary of a column with one bound");
    }
    return new ColumnSummary(
        type,
        min,
        max,
        in.readBoolean(),
        in.readBoolean(),
        in.readBoolean(),
        in.readBoolean() ? BloomBits.read(in) : null);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof ColumnSummary s
        && type == s.type
        && Arrays.equals(min, s.min)
        && Arrays.equals(max, s.max)
        && undecodable == s.undecodable
        && unkeyable == s.unkeyable
        && absent == s.absent
        && Objects.equals(bloom, s.bloom);
  }

  @Override
  public int hashCode() {
    return Objects.hash(type, Arrays.hashCode(min), Arrays.hashCode(max), undecodable, bloom);
  }

  /** For people: values as literals are written, long ones cut. */
  @Override
  public String toString() {
    String range = min == null ? "no values" : shown(min) + ".." + shown(max);
    return range
        + (undecodable ? ", undecodable" : "")
        + (unkeyable ? ", unkeyable" : "")
        + (absent ? ", rows without" : "")
        + (bloom == null ? "" : ", bloom " + bloom);
  }

  private String shown(byte[] key) {
    String text = type.codec().displayKey(key);
    return text.length() <= MAX_SHOWN ? text : text.substring(0, MAX_SHOWN) + "...";
  }

  /** Collects cells; not thread-safe. */
  public static final class Builder {
    /** A filter is as small as it can be with at most this share of its bits set. */
    private static final int USED_PART = 4;

    private final ValueType type;
    private final ValueCodec codec;
    private final boolean auto;
    private final long[] words;
    private byte[] min;
    private byte[] max;
    private boolean undecodable;
    private boolean unkeyable;
    private boolean absent;

    private Builder(ValueType type, BloomSize bloom) {
      this.type = type;
      this.codec = type.codec();
      this.auto = bloom.isAuto();
      this.words = bloom.isOn() ? new long[bloom.startBits() / 64] : null;
    }

    /** Adds a put cell's value. */
    public void add(byte[] value, int off, int len) {
      ValueKey key = codec.key(value, off, len);
      if (key == null) {
        undecodable = true;
      } else if (key.isUnkeyable()) {
        unkeyable = true;
      } else {
        add(key.bytes());
      }
    }

    private void add(byte[] key) {
      if (min == null || Bytes.compareTo(key, min) < 0) {
        min = key;
      }
      if (max == null || Bytes.compareTo(key, max) > 0) {
        max = key;
      }
      if (words != null) {
        BloomBits.add(words, key);
      }
    }

    /** Some row has no put of the column. */
    public void addAbsent() {
      absent = true;
    }

    /** The summary of all cells so far. */
    public ColumnSummary build() {
      BloomBits bloom = words == null ? null : new BloomBits(words.clone());
      while (auto && bloom.bits() > BloomSize.MIN_BITS) {
        BloomBits smaller = bloom.folded();
        if (smaller.used() > smaller.bits() / USED_PART) {
          break;
        }
        bloom = smaller;
      }
      return new ColumnSummary(type, min, max, undecodable, unkeyable, absent, bloom);
    }
  }
}
