package io.spyhop.client.internal.global;

import io.spyhop.client.internal.exec.RowRanges;
import io.spyhop.core.global.EntryRows;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import java.util.List;

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

  List<EntryRows.Span> spans(IndexDefinition index) {
    return EntryRows.of(predicate.keyRanges(predicate.columnOf(index.column())));
  }
}
