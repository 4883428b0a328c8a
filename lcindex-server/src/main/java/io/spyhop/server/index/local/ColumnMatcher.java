package io.spyhop.server.index.local;

import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.KeyRanges;
import io.spyhop.server.index.local.RecordRequest.Narrowing;
import io.spyhop.server.index.local.column.ColumnBlock;
import io.spyhop.server.index.local.column.RowBits;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the rows of a block of an HFile that may match, by its columnar files. Not thread-safe.
 *
 * <p>A row is found if some version of the driving column has a key in range. Of rows that no other
 * source has, the whole predicate narrows further: a condition counts as true of rows that have
 * several versions of its column, delete markers or tags, and where its column has no columnar
 * file. A row is one that no other source has if its hash is none of theirs.
 */
final class ColumnMatcher {
  private static final Logger LOG = LoggerFactory.getLogger(ColumnMatcher.class);

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
  ColumnMatcher(ColumnSource index, ColumnFile driving, RecordRequest request) throws IOException {
    this.driving = driving;
    this.keys = request.keys();
    this.predicate = request.predicate();
    this.files = new ColumnFile[predicate.columns().size()];
    this.blocks = new ColumnBlock[files.length];
    Optional<long[][]> known =
        request.narrowing().isEmpty()
            ? Optional.empty()
            : sharedRows(index, request.narrowing().get().rivals(), request);
    this.narrowing = known.isPresent() ? request.narrowing() : Optional.empty();
    this.shared = known.orElse(new long[0][]);
    files[columnOf(index)] = driving;
    if (narrowing.isPresent()) {
      for (ColumnSource f : narrowing.get().beside()) {
        files[columnOf(f)] = f.columns(request);
      }
    }
  }

  private int columnOf(ColumnSource f) {
    return predicate.columnOf(f.definition().column());
  }

  /**
   * The rows of an HFile that others may have, by block, and perhaps more.
   *
   * @return empty if it cannot be told: there are too many rows, or another's files cannot be read,
   *     about which something is done where they are read for themselves
   */
  private static Optional<long[][]> sharedRows(
      ColumnSource index, List<ColumnSource> others, RecordRequest request) throws IOException {
    for (ColumnSource other : others) {
      if (!index.shared().isKnown(other.shared()) && !findShared(index, other, request)) {
        return Optional.empty();
      }
    }
    return Optional.of(index.shared().rows());
  }

  private static boolean findShared(ColumnSource index, ColumnSource other, RecordRequest request)
      throws IOException {
    SharedRows.Hashes own = SharedRows.Hashes.of(index.columns(request));
    try {
      SharedRows.Hashes theirs = SharedRows.Hashes.ofOther(() -> other.columns(request));
      return SharedRows.find(index.shared(), own, other.shared(), theirs);
    } catch (SharedRows.OtherFileException e) {
      LOG.debug("It cannot be told which rows {} shares with {}", index, other, e);
      return false;
    }
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
