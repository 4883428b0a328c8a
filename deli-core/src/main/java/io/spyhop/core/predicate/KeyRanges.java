package io.spyhop.core.predicate;

import io.spyhop.core.value.KeyRange;
import io.spyhop.core.value.ValueKey;
import java.util.ArrayList;
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
    List<KeyRange> sorted = new ArrayList<>(ranges);
    sorted.addAll(other.ranges);
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

  /** Keys in this and in the other. */
  public KeyRanges intersect(KeyRanges other) {
    List<KeyRange> both = new ArrayList<>();
    for (KeyRange a : ranges) {
      for (KeyRange b : other.ranges) {
        KeyRange c =
            new KeyRange(laterStart(a.lower(), b.lower()), earlierEnd(a.upper(), b.upper()));
        if (!isEmpty(c)) {
          both.add(c);
        }
      }
    }
    both.sort(BY_LOWER);
    return new KeyRanges(List.copyOf(both));
  }

  /** Whether a key from min to max (encoded, both inclusive) may be in it. */
  public boolean overlaps(byte[] min, byte[] max) {
    for (KeyRange r : ranges) {
      boolean below = r.upper() != null && Bytes.compareTo(r.upper().bytes(), min) < 0;
      boolean above = r.lower() != null && Bytes.compareTo(r.lower().bytes(), max) > 0;
      if (!below && !above) {
        return true;
      }
    }
    return false;
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
  public String toString() {
    return ranges.toString();
  }
}
