package io.spyhop.server.view.store;

import io.spyhop.server.view.Run;
import io.spyhop.server.view.RunCursor;

/**
 * Walks the cells of one HFile by position: the number of the block in the upper bits, and in the
 * lower {@link #PLACE_BITS} where in the block the cell is. Closing gives all blocks back. Not
 * thread-safe.
 */
public interface FileRun extends RunCursor, AutoCloseable {
  /** The bits of a position that say where in its block a cell is. */
  int PLACE_BITS = 20;

  /** A run with the blocks that are known by now. */
  Run withBlocks(Run run);

  /**
   * A run with some of these blocks, which are numbered from 0 on then.
   *
   * @param first the first of them
   * @param last the last; fewer if there are not so many
   */
  Run withBlocks(Run run, int first, int last);

  @Override
  void close();
}
