package io.spyhop.server.index.local;

import io.spyhop.core.predicate.Condition;
import io.spyhop.server.index.local.column.HashedRows;
import io.spyhop.server.index.local.column.RowHashes;
import java.io.IOException;

/**
 * The rows of memstores, as far as a query knows them; each set may have more than it says. Not
 * thread-safe.
 */
public interface MemoryRows {
  /** All rows. */
  HashedRows all();

  /**
   * The rows, all of them among {@link #all}, that have a value in the driving index's range there,
   * and of which the predicate is not true without what HFiles have, in which they are found.
   */
  RowHashes leftToFiles();

  /**
   * The rows, all of them among {@link #all}, of which a condition may be true by what they have
   * there.
   */
  HashedRows of(Condition condition) throws IOException;

  /**
   * Adds what memstores have of a row, at the query's read point.
   *
   * @param row has a cell already
   * @param newestOnly as of {@link WholeRow#merge}
   */
  void addTo(WholeRow row, boolean newestOnly) throws IOException;
}
