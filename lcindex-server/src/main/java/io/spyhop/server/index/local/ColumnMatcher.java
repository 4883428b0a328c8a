package io.spyhop.server.index.local;

import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.KeyRanges;
import io.spyhop.server.index.local.RecordRequest.Narrowing;
import io.spyhop.server.index.local.column.ColumnBlock;
import io.spyhop.server.index.local.column.RowBits;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

/**
 * Finds the rows of a block of an HFile that may match, by its columnar files. Not thread-safe.
 *
 * <p>A row is found if some version of the driving column has a key in range. Of rows that no other
 * source has, the whole predicate narrows further: a condition counts as true of rows that have
 * several versions of its column, delete markers or tags, and where its column has no columnar
 * file. A row is one that no other source has if its hash is none of theirs.
 */
final class ColumnMatcher {
  private final ColumnFile driving;
  private final KeyRanges keys;
  private final BoundPredicate predicate;
  private final Optional<Narrowing> narrowing;

  /** By the predicate's columns, null where there is none. */
  private final ColumnFile[] files;

  private final ColumnBlock[] blocks;

  /** The rows that other HFiles may have, too, by block. */
  private final long[][] shared;

  private long[] alone;

  /**
   * @param index of the driving column
   * @param driving its blocks
   */
  ColumnMatcher(IndexFile index, ColumnFile driving, RecordRequest request) throws IOException {
    this.driving = driving;
    this.keys = request.keys();
    this.predicate = request.predicate();
    this.files = new ColumnFile[predicate.columns().size()];
    this.blocks = new ColumnBlock[files.length];
    Optional<long[][]> known =
        request.narrowing().isEmpty()
            ? Optional.empty()
            : index.rowsSharedWith(request.narrowing().get().rivals(), request);
    this.narrowing = known.isPresent() ? request.narrowing() : Optional.empty();
    this.shared = known.orElse(new long[0][]);
    files[columnOf(index)] = driving;
    if (narrowing.isPresent()) {
      for (IndexFile f : narrowing.get().beside()) {
        files[columnOf(f)] = f.columns(request);
      }
    }
  }

  private int columnOf(IndexFile f) {
    return predicate.columnOf(f.header().definition().column());
  }

  /** A bit for each row of the block. */
  long[] match(int block) throws IOException {
    ColumnBlock first = driving.values(block);
    long[] found = RowBits.none(first.rows());
    first.addMatching(keys, found);
    alone = null;
    if (narrowing.isPresent() && !RowBits.isEmpty(found)) {
      alone = alone(block, first.rows());
      long[] might = mightMatch(block, first, found);
      for (int w = 0; w < found.length; w++) {
        found[w] &= might[w] | ~alone[w];
      }
    }
    return found;
  }

  /** Whether no other source has a row of the block that was matched last; false if unknown. */
  boolean isAlone(int row) {
    return alone != null && RowBits.get(alone, row);
  }

  private long[] alone(int block, int rows) throws IOException {
    long[] others = RowBits.none(rows);
    if (block < shared.length && shared[block] != null) {
      RowBits.or(others, shared[block]);
    }
    if (!narrowing.get().memory().isEmpty()) {
      int[] hashes = driving.hashes(block);
      for (int i = 0; i < hashes.length; i++) {
        if (narrowing.get().memory().contains(hashes[i])) {
          RowBits.set(others, i);
        }
      }
    }
    for (int w = 0; w < others.length; w++) {
      others[w] = ~others[w];
    }
    return others;
  }

  private long[] mightMatch(int block, ColumnBlock first, long[] found) throws IOException {
    Arrays.fill(blocks, null);
    return predicate.mightMatch(
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
  }
}
