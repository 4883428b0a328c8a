package io.spyhop.server.view;

import java.io.IOException;
import org.apache.hadoop.hbase.Cell;

/**
 * Walks the cells of one sorted run. A position is a number that grows from cell to cell; 0 is the
 * run's beginning. Not thread-safe. What an implementation reads may be damaged: then it throws an
 * {@link IOException}.
 */
public interface RunCursor {
  /** Goes to a cell, or behind the last one, by its position. */
  void place(long position) throws IOException;

  /** Where the cursor is; of the next cell that there may be if it is behind the last one. */
  long position();

  /** Goes on by one cell; only if there is a {@link #cell}. */
  void next() throws IOException;

  /**
   * The cell at the cursor, with the sequence id that a scan would see; null behind the last one.
   * It stays readable until the first {@link #shipped} after the cursor has moved on.
   */
  Cell cell() throws IOException;

  /** Lets go of what was kept for cells that the cursor has passed. */
  void shipped();

  /** Says that the keys that come next are likely to be read soon. Changes nothing. */
  default void expectMore() throws IOException {}
}
