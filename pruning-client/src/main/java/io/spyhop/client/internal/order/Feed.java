package io.spyhop.client.internal.order;

import java.io.IOException;

/** Rows of a part of the table in the order of values. Used by one thread at a time. */
interface Feed {
  /**
   * Moves to the next row.
   *
   * @return false if there is none
   * @throws IOException if that failed; where the feed was {@link #head} says
   */
  boolean next() throws IOException;

  /** The row that it is at. */
  PlacedRow head();

  /** Ends it; harmless when repeated. Never throws. */
  void close();
}
