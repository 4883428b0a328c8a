package io.spyhop.core.predicate;

import io.spyhop.core.value.KeyRange;
import io.spyhop.core.value.ValueKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A set of value keys as sorted, disjoint ranges, both ends inclusive. Immutable, thread-safe.
 *
 * <p>Ends are always inclusive, whatever the predicate said: a key may be cut or rounded, and then
 * values on both sides of an exclusive bound share the bound's key (correctness rule 4).
 */
public final class KeyRanges {
  /** Every key. */
  public static final KeyRanges ALL = new KeyRanges(List.of(new KeyRange(null, null)));

  /** No key. */
  public static final KeyRanges NONE = new KeyRanges(List.of());

  private static final Comparator<KeyRange> BY_LOWER =
      Comparator.comparing(
          KeyRange::lower, Comparator.nullsFirst(Comparator.<ValueKey>naturalOrder()));

  private final List<KeyRange> ranges;

  /** Computed when it is first asked for, perhaps by several threads; there may be many ranges. */
  private int hash;

  private KeyRanges(List<KeyRange> ranges) {
    this.ranges = ranges;
  }

  /**
   * One range; null is no bound, and neither is the key of a value that has none. Empty if lower is
   * above upper.
   */
  public static KeyRanges of(ValueKey lower, ValueKey upper) {
    return of(new KeyRange(bound(lower), bound(upper)));
  }

  private static ValueKey bound(ValueKey key) {
    return key == null || key.isUnkeyable() ? null : key;
  }

  /** One range. */
  public static KeyRanges of(KeyRange range) {
    return isEmpty(range) ? NONE : new KeyRanges(List.of(range));
  }

  /** The ranges, ascending and disjoint. */
  public List<KeyRange> ranges() {
    return ranges;
  }

  /** Whether there is no key in it. */
  public boolean isEmpty() {
    return ranges.isEmpty();
  }

  /** Keys in this or in the other. */
  public KeyRanges union(KeyRanges other) {
    return unionOf(List.of(this, other));
  }

  /** Keys in any of these; takes the time to sort their ranges. */
  public static KeyRanges unionOf(Collection<KeyRanges> all) {
    List<KeyRange> sorted = new ArrayList<>();
    all.forEach(k -> sorted.addAll(k.ranges));
    sorted.sort(BY_LOWER);
    List<KeyRange> merged = new ArrayList<>();
    for (KeyRange r : sorted) {
      KeyRange last = merged.isEmpty() ? null : merged.get(merged.size() - 1);
      if (last != null && touches(last, r)) {
        merged.set(merged.size() - 1, new KeyRange(last.lower(), higher(last.upper(), r.upper())));
      } else {
        merged.add(r);
      }
    }
    return new KeyRanges(List.copyOf(merged));
  }

  /** Keys in this and in the other; takes time linear in the ranges of both. */
  public KeyRanges intersect(KeyRanges other) {
    List<KeyRange> both = new ArrayList<>();
    int i = 0;
    int j = 0;
    while (i < ranges.size() && j < other.ranges.size()) {
      KeyRange a = ranges.get(i);
      KeyRange b = other.ranges.get(j);
      KeyRange c = new KeyRange(laterStart(a.lower(), b.lower()), earlierEnd(a.upper(), b.upper()));
      if (!isEmpty(c)) {
        both.add(c);
      }
      if (endsFirst(a, b)) {
        i++;
      } else {
        j++;
      }
    }
    return new KeyRanges(List.copyOf(both));
  }

  private static boolean endsFirst(KeyRange a, KeyRange b) {
    return a.upper() != null && (b.upper() == null || a.upper().compareTo(b.upper()) <= 0);
  }

  /** Whether a key from min to max (encoded, both inclusive) may be in it. */
  public boolean overlaps(byte[] min, byte[] max) {
    int first = firstFrom(min);
    return first < ranges.size() && !startsAbove(ranges.get(first), max);
  }

  /** The ranges that have a key from min to max (encoded, both inclusive). */
  public List<KeyRange> overlapping(byte[] min, byte[] max) {
    int first = firstFrom(min);
    int end = first(first, r -> startsAbove(r, max));
    return ranges.subList(first, end);
  }

  /** The first range that does not end below a key. */
  private int firstFrom(byte[] key) {
    return first(0, r -> r.upper() == null || Bytes.compareTo(r.upper().bytes(), key) >= 0);
  }

  private static boolean startsAbove(KeyRange r, byte[] key) {
    return r.lower() != null && Bytes.compareTo(r.lower().bytes(), key) > 0;
  }

  /** The first range from there on of which something is true that is true of all after it. */
  private int first(int start, java.util.function.Predicate<KeyRange> condition) {
    int from = start;
    int to = ranges.size();
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (condition.test(ranges.get(middle))) {
        to = middle;
      } else {
        from = middle + 1;
      }
    }
    return from;
  }

  private static boolean isEmpty(KeyRange r) {
    return r.lower() != null && r.upper() != null && r.lower().compareTo(r.upper()) > 0;
  }

  private static boolean touches(KeyRange earlier, KeyRange later) {
    return earlier.upper() == null
        || later.lower() == null
        || later.lower().compareTo(earlier.upper()) <= 0;
  }

  private static ValueKey higher(ValueKey a, ValueKey b) {
    return a == null || b == null ? null : a.compareTo(b) >= 0 ? a : b;
  }

  private static ValueKey laterStart(ValueKey a, ValueKey b) {
    return a == null ? b : b == null || a.compareTo(b) >= 0 ? a : b;
  }

  private static ValueKey earlierEnd(ValueKey a, ValueKey b) {
    return a == null ? b : b == null || a.compareTo(b) <= 0 ? a : b;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof KeyRanges other && (this == other || ranges.equals(other.ranges));
  }

  @Override
  public int hashCode() {
    if (hash == 0) {
      hash = ranges.hashCode();
    }
    return hash;
  }

  @Override
  public String toString() {
    return ranges.toString();
  }
}
