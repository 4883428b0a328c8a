package io.spyhop.bench.mdrq;

import java.io.IOException;
import java.util.List;

/** Finds out what ways to answer one query cost. */
@FunctionalInterface
interface Timing {
  /**
   * What each side costs, until the last row is in the client's memory.
   *
   * @param rows how many rows each answer has
   * @throws IOException if a side fails or answers with another number of rows
   */
  List<Cost> costs(int rows, List<Side> sides) throws IOException;
}
