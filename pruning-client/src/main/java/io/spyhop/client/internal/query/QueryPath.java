package io.spyhop.client.internal.query;

import io.spyhop.client.internal.exec.RowRanges;
import io.spyhop.client.internal.exec.RowStream;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * A way to find the rows of one query. It is made for one run of the query, asks nothing before it
 * is opened, and tells afterwards what it did. Not thread-safe.
 */
public interface QueryPath {
  /**
   * Opens the rows of ranges.
   *
   * @return empty if this path does not serve the query, and the next one is to be tried
   */
  Optional<RowStream> open(RowRanges rows) throws IOException;

  /**
   * Whether the next path may go on behind the last row, as reading rows of this one has failed.
   *
   * @throws IOException if the thread was interrupted
   */
  default boolean givesWay(Exception failure) throws IOException {
    return false;
  }

  /** The paths whose rows this one takes, in the order in which they are tried. */
  default List<QueryPath> below() {
    return List.of();
  }
}
