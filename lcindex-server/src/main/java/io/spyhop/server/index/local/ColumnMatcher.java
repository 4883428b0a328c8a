package io.spyhop.server.index.local;

import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.KeyRanges;
import io.spyhop.server.index.local.column.ColumnBlock;
import io.spyhop.server.index.local.column.RowBits;
import java.io.IOException;
import java.util.Arrays;

/**
 * Finds the rows of a block of an HFile that may match, by its columnar files. Not thread-safe.
 *
 * <p>A row is found if some version of the driving column has a key in range. Where the caller
 * knows that the HFile alone decides, the whole predicate narrows further: a condition counts as
 * true of rows that have several versions of its column, delete markers or tags, and where its
 * column has no columnar file.
 */
final class ColumnMatcher {
  private final ColumnFile driving;
  private final KeyRanges keys;

  /** By the predicate's columns; null if rows are found by the driving column alone. */
  private final ColumnFile[] files;

  private final BoundPredicate predicate;
  private final ColumnBlock[] blocks;

  /**
   * @param keys of the driving column
   * @param files by the predicate's columns, null where there is none; null not to narrow
   */
  ColumnMatcher(ColumnFile driving, KeyRanges keys, BoundPredicate predicate, ColumnFile[] files) {
    this.driving = driving;
    this.keys = keys;
    this.predicate = predicate;
    this.files = files;
    this.blocks = files == null ? null : new ColumnBlock[files.length];
  }

  /** A bit for each row of the block. */
  long[] match(int block) throws IOException {
    ColumnBlock first = driving.values(block);
    long[] found = RowBits.none(first.rows());
    first.addMatching(keys, found);
    if (files == null || RowBits.isEmpty(found)) {
      return found;
    }
    Arrays.fill(blocks, null);
    long[] might =
        predicate.mightMatch(
            found.length,
            (column, wanted, whenAbsent, out) -> {
              if (files[column] == null) {
                RowBits.or(out, found);
                return;
              }
              if (blocks[column] == null) {
                blocks[column] = files[column] == driving ? first : files[column].values(block);
              }
              ColumnBlock values = blocks[column];
              values.addMatching(wanted, out);
              values.addComplex(out);
              if (whenAbsent) {
                values.addAbsent(out);
              }
            });
    RowBits.and(found, might);
    return found;
  }
}
