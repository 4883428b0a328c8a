package io.spyhop.core.stats;

import io.spyhop.core.schema.BloomSize;
import io.spyhop.core.value.ValueType;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongPredicate;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A {@link ColumnSummary} that cells are added to while others look whether theirs would change it,
 * which takes no lock: what it contains, it contains for ever. Thread-safe.
 */
public final class GrowingSummary {
  private final ValueType type;

  private final LongPredicate room;

  /** The size of the filter, 0 without one. */
  private final int bits;

  /** Whether there was no room for the filter. */
  private volatile boolean unfiltered;

  /** The filter, or null before the first value: most columns of most regions never have one. */
  private volatile AtomicLongArray words;

  private int clearBits;

  /** Whether all bits of the filter are set, so that it need not be looked at. */
  private volatile boolean full;

  private volatile byte[] min;
  private volatile byte[] max;
  private volatile boolean undecodable;
  private volatile boolean unkeyable;
  private volatile boolean absent;

  /** The state as a summary, or null if it has changed since one was made. */
  private ColumnSummary made;

  /**
   * Of no cells, with a filter that keeps its size.
   *
   * @param room asked for the filter's bytes before its first key; without room there is no filter
   */
  public GrowingSummary(ValueType type, BloomSize bloom, LongPredicate room) {
    this.type = type;
    this.room = room;
    this.made = ColumnSummary.empty(type, bloom);
    this.bits = made.bloom() == null ? 0 : made.bloom().bits();
    this.clearBits = bits;
    this.full = bits == 0;
  }

  /** Whether one more cell with that key would change nothing. */
  public boolean contains(byte[] key) {
    byte[] least = min;
    return least != null
        && Bytes.compareTo(key, least) >= 0
        && Bytes.compareTo(key, max) <= 0
        && (full || mightContain(key));
  }

  private boolean mightContain(byte[] key) {
    AtomicLongArray filter = words;
    long hash = BloomBits.hash(key);
    for (int i = 0; i < BloomBits.HASHES; i++) {
      int bit = BloomBits.bit(hash, i, bits);
      if ((filter.get(bit >> 6) & 1L << bit) == 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether a change that says all with its kind has been made.
   *
   * @throws IllegalArgumentException if it is no such kind of a column
   */
  public boolean has(SummaryChange.Kind kind) {
    return switch (kind) {
      case UNDECODABLE -> undecodable;
      case UNKEYABLE -> unkeyable;
      case ABSENT -> absent;
      default -> throw new IllegalArgumentException(kind + " says not all of a column");
    };
  }

  /**
   * Makes a change, as {@link SummaryChange#applyTo} does.
   *
   * @throws IllegalStateException if the change is of no column
   */
  public synchronized void apply(SummaryChange change) {
    switch (change.kind()) {
      case VALUE -> add(change.bytes());
      case UNDECODABLE -> undecodable = true;
      case UNKEYABLE -> unkeyable = true;
      case ABSENT -> absent = true;
      default -> throw new IllegalStateException(change.kind() + " is of no column");
    }
    made = null;
  }

  /** The greatest key is there before the least: who sees the one sees the other. */
  private void add(byte[] key) {
    if (!full) {
      set(BloomBits.hash(key));
    }
    if (max == null || Bytes.compareTo(key, max) > 0) {
      max = key;
    }
    if (min == null || Bytes.compareTo(key, min) < 0) {
      min = key;
    }
  }

  private void set(long hash) {
    if (words == null && !room.test(bits / Byte.SIZE)) {
      unfiltered = true;
      full = true;
      return;
    }
    if (words == null) {
      words = new AtomicLongArray(bits / Long.SIZE);
    }
    AtomicLongArray filter = words;
    for (int i = 0; i < BloomBits.HASHES; i++) {
      int bit = BloomBits.bit(hash, i, bits);
      long word = filter.get(bit >> 6);
      if ((word & 1L << bit) == 0) {
        filter.set(bit >> 6, word | 1L << bit);
        clearBits--;
      }
    }
    full = clearBits == 0;
  }

  /** Whether there is a filter, or will be with the first key. */
  public boolean isFiltered() {
    return bits > 0 && !unfiltered;
  }

  /** The bytes of the filter for which there was room. */
  public long filterBytes() {
    return words == null ? 0 : bits / Byte.SIZE;
  }

  /** Everything so far. */
  public synchronized ColumnSummary summary() {
    if (made == null) {
      made = new ColumnSummary(type, min, max, undecodable, unkeyable, absent, bloom());
    }
    return made;
  }

  private BloomBits bloom() {
    if (!isFiltered()) {
      return null;
    }
    AtomicLongArray filter = words;
    if (filter == null) {
      return BloomBits.empty(bits);
    }
    long[] copy = new long[filter.length()];
    for (int i = 0; i < copy.length; i++) {
      copy[i] = filter.get(i);
    }
    return new BloomBits(copy);
  }
}
