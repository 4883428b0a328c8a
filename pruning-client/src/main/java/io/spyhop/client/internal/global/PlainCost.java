package io.spyhop.client.internal.global;

import io.spyhop.client.internal.exec.RowRange;
import java.io.IOException;
import java.util.OptionalDouble;

/** The cost of one query without the global indexes. */
public interface PlainCost {
  /** Nobody knows. */
  PlainCost UNKNOWN =
      new PlainCost() {
        @Override
        public boolean isQuicklyAsked(RowRange range) {
          return false;
        }

        @Override
        public OptionalDouble cells(RowRange range) {
          return OptionalDouble.empty();
        }
      };

  /** Whether the answer for a range is at hand, or a small question away. */
  boolean isQuicklyAsked(RowRange range) throws IOException;

  /**
   * In cells that a plain scan reads, what the regions would do to find all rows of a range that
   * match; empty if they do not tell.
   *
   * @throws IOException only if the thread was interrupted
   */
  OptionalDouble cells(RowRange range) throws IOException;
}
