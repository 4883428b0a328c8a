package io.spyhop.server.index.local;

import io.spyhop.server.index.local.column.RowBits;

/** The rows of a block of an HFile that may match, as a {@link ColumnMatcher} finds them. */
final class MatchedRows {
  private final int block;
  private final long[] found;
  private final long[] alone;
  private final long[] inMemory;

  /**
   * @param found a bit for each
   * @param alone a bit for each row that no other source has; null if the predicate did not narrow
   * @param inMemory of those that are found, a bit for each that memstores may have, and bits of
   *     others; null as well
   */
  MatchedRows(int block, long[] found, long[] alone, long[] inMemory) {
    this.block = block;
    this.found = found;
    this.alone = alone;
    this.inMemory = inMemory;
  }

  int block() {
    return block;
  }

  /** A bit for each; who takes rows out has them be left out. */
  long[] found() {
    return found;
  }

  /** Whether the whole predicate narrowed, so that it is known which other sources have a row. */
  boolean isNarrowed() {
    return alone != null;
  }

  /** A bit for each row that is found and that no other source has, and bits of others. */
  long[] alone() {
    return alone;
  }

  boolean isAlone(int row) {
    return RowBits.get(alone, row);
  }

  boolean isInMemory(int row) {
    return RowBits.get(inMemory, row);
  }

  /** Bytes on the heap, about. */
  long heapSize() {
    return 64 + (isNarrowed() ? 3L : 1L) * (16 + (long) found.length * Long.BYTES);
  }
}
