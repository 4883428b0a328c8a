package io.spyhop.client.internal.global;

import io.spyhop.client.internal.exec.RowRange;
import io.spyhop.client.internal.exec.RowRanges;
import io.spyhop.core.global.EntryRows;
import io.spyhop.core.global.EntryRows.Span;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.KeyRanges;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.value.ComposedKey;
import io.spyhop.core.value.KeyRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A search for entries of global indexes. Immutable, thread-safe.
 *
 * @param predicate of the rows
 * @param indexes of the table
 * @param hint as a query has it
 * @param rows of the base table
 * @param limit how many rows are asked for, {@link #ALL} for all
 * @param maxEntries the most entries that are read of an index
 */
public record EntryQuery(
    BoundPredicate predicate,
    IndexSchema indexes,
    String hint,
    RowRanges rows,
    long limit,
    int maxEntries) {
  /** No limit. */
  public static final long ALL = Long.MAX_VALUE;

  /** Whether it may be answered in the way that costs least. */
  boolean isFree() {
    return hint.equals(Attributes.PATH_AUTO);
  }

  boolean hasLimit() {
    return limit < ALL;
  }

  /** The indexes that can answer, as far as predicate and hint say; often none. */
  public List<IndexDefinition> drivers() {
    boolean any = hint.equals(Attributes.PATH_AUTO) || hint.equals(Attributes.PATH_INDEX);
    return indexes.globals().indexes().stream()
        .filter(d -> any || d.name().equals(hint))
        .filter(this::drives)
        .toList();
  }

  private boolean drives(IndexDefinition index) {
    int column = predicate.columnOf(index.column());
    return column >= 0
        && predicate.columns().get(column).type() == index.type()
        && predicate.canDrive(column);
  }

  /**
   * Where the entries are of rows that may match, ascending and disjoint; at least one span, so
   * that the index is asked. Entries of one value are in the order of their rows.
   */
  List<Span> spans(IndexDefinition index) {
    KeyRanges keys = keys(index);
    List<Span> spans =
        index.type().codec().hasUnkeyable() ? EntryRows.of(keys) : EntryRows.keyable(keys);
    int before = spans.size() - keys.ranges().size();
    List<Span> ofRows = new ArrayList<>(spans);
    for (int i = 0; i < keys.ranges().size(); i++) {
      ofRows.set(before + i, ofRows(spans.get(before + i), keys.ranges().get(i)));
    }
    return ofRows.isEmpty() ? List.of(EntryRows.unkeyable()) : ofRows;
  }

  /** In how many ranges of values entries are read. */
  int ranges(IndexDefinition index) {
    return keys(index).ranges().size();
  }

  private KeyRanges keys(IndexDefinition index) {
    return predicate.keyRanges(predicate.columnOf(index.column()));
  }

  /** Of one value's entries those of the rows that are asked for. */
  private Span ofRows(Span span, KeyRange keys) {
    if (!isOne(keys)) {
      return span;
    }
    byte[] value = keys.lower().bytes();
    RowRange asked = rows.hull();
    byte[] to = asked.stop().length == 0 ? span.to() : ComposedKey.compose(value, asked.stop());
    return new Span(ComposedKey.compose(value, asked.start()), to);
  }

  /** Whether all entries in range are of one value. */
  boolean isOfOneValue(IndexDefinition index) {
    List<Span> spans = spans(index);
    return spans.size() == 1 && valueOf(index, spans.get(0)) != null;
  }

  /** The key of the one value that a span, or what is left of it, has entries of; null if many. */
  byte[] valueOf(IndexDefinition index, Span span) {
    return keys(index).ranges().stream()
        .filter(EntryQuery::isOne)
        .map(r -> r.lower().bytes())
        .filter(value -> Bytes.startsWith(span.from(), value))
        .findFirst()
        .orElse(null);
  }

  private static boolean isOne(KeyRange keys) {
    return keys.lower() != null
        && keys.upper() != null
        && Arrays.equals(keys.lower().bytes(), keys.upper().bytes());
  }
}
