package io.spyhop.client.internal.prune;

import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.prune.Pruner;
import io.spyhop.core.schema.BloomSize;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.stats.ColumnSummary;
import io.spyhop.core.stats.SourceSummary;
import java.util.SortedMap;
import java.util.TreeMap;

/** Tells predicates that statistics can never answer from others. Stateless, thread-safe. */
public final class Prunability {
  private Prunability() {}

  /**
   * Whether some region could be left out: whether a region without any cell could be, as far as
   * the table's declared columns say. Where not, nobody need be asked for statistics.
   */
  public static boolean canPrune(BoundPredicate predicate, IndexSchema schema) {
    SortedMap<ColumnName, ColumnSummary> columns = new TreeMap<>();
    for (ColumnName column : schema.columns()) {
      schema
          .typeOf(column)
          .ifPresent(t -> columns.put(column, ColumnSummary.empty(t, BloomSize.OFF)));
    }
    return !Pruner.mightMatch(predicate, new SourceSummary(false, false, columns), true);
  }
}
