package io.spyhop.client.internal.prune;

import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.KeyRanges;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.stats.ColumnUse;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The uses that a client's queries on a table made of its columns so far. They only grow: what was
 * left out of statistics is asked for again at most once for each. Thread-safe.
 */
final class ColumnUses {
  private final Map<ColumnName, ColumnUse> uses = new ConcurrentHashMap<>();
  private volatile int version;

  /** A query is going to be asked. */
  void note(BoundPredicate predicate) {
    predicate.mightMatch(
        (column, keys, whenAbsent, whenUndecodable) -> {
          note(column.name(), isPoint(keys) ? ColumnUse.POINTS : ColumnUse.RANGES);
          return true;
        });
  }

  private static boolean isPoint(KeyRanges keys) {
    return keys.ranges().stream().anyMatch(r -> r.lower() != null && r.lower().equals(r.upper()));
  }

  private void note(ColumnName column, ColumnUse use) {
    if (of(column).compareTo(use) < 0) {
      raise(column, use);
    }
  }

  private synchronized void raise(ColumnName column, ColumnUse use) {
    uses.merge(column, use, (a, b) -> a.compareTo(b) < 0 ? b : a);
    version++;
  }

  /** The most that was made of a column. */
  ColumnUse of(ColumnName column) {
    return uses.getOrDefault(column, ColumnUse.NONE);
  }

  /** Grows when a use does; what was packed since may have room for what is used now. */
  int version() {
    return version;
  }
}
