package io.spyhop.core.global;

import io.spyhop.core.predicate.KeyRanges;
import io.spyhop.core.value.KeyRange;
import io.spyhop.core.value.ValueKey;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.ClientUtil;
import org.apache.hadoop.hbase.util.Bytes;

/** Ranges of values as ranges of an index table's rows. Stateless. */
public final class EntryRows {
  /** The first row that can be an entry's: what is before is noted about the index itself. */
  private static final byte[] FIRST = {0x01};

  private static final byte[] UNKEYABLE_END = {0x02};

  private EntryRows() {}

  /**
   * Rows of the index table.
   *
   * @param from inclusive
   * @param to exclusive; empty is the end of the table
   */
  public record Span(byte[] from, byte[] to) {}

  /**
   * Where the entries of values with these keys are, ascending and disjoint; entries of values that
   * have no key are always among them.
   */
  public static List<Span> of(KeyRanges keys) {
    List<Span> spans = new ArrayList<>();
    boolean open = !keys.ranges().isEmpty() && keys.ranges().get(0).lower() == null;
    if (!open) {
      spans.add(new Span(FIRST, UNKEYABLE_END));
    }
    for (KeyRange r : keys.ranges()) {
      byte[] from = r.lower() == null ? FIRST : r.lower().bytes();
      byte[] to = r.upper() == null ? new byte[0] : after(r.upper());
      spans.add(new Span(from, to));
    }
    return spans;
  }

  /** Where the entries of values are that have no key; some of them may be undecodable. */
  public static Span unkeyable() {
    return new Span(FIRST, UNKEYABLE_END);
  }

  /** As {@link #of}, without {@link #unkeyable}. */
  public static List<Span> keyable(KeyRanges keys) {
    List<Span> spans = new ArrayList<>(of(keys));
    Span first = spans.remove(0);
    if (first.to().length == 0 || Bytes.compareTo(first.to(), UNKEYABLE_END) > 0) {
      spans.add(0, new Span(UNKEYABLE_END, first.to()));
    }
    return spans;
  }

  /** The first row behind all entries of a value: no value key is the prefix of another one. */
  private static byte[] after(ValueKey key) {
    return ClientUtil.calculateTheClosestNextRowKeyForPrefix(key.bytes());
  }
}
