package io.spyhop.server.index.local;

import io.spyhop.core.io.IoSupplier;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.KeyRanges;
import io.spyhop.server.index.local.RecordRequest.Narrowing;
import io.spyhop.server.index.local.RecordRequest.Rival;
import io.spyhop.server.index.local.column.ColumnBlock;
import io.spyhop.server.index.local.column.HashedRows;
import io.spyhop.server.index.local.column.RowBits;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Finds the rows of a block of an HFile that may match, by its columnar files. Not thread-safe.
 *
 * <p>A row is found if some version of the driving column has a key in range. Then the whole
 * predicate narrows: a condition is left to be true of rows that have several versions of its
 * column, delete markers or tags, and where its column has no columnar file.
 *
 * <ul>
 *   <li>Of rows that no other source has, all conditions count. A row is one if its hash is none of
 *       theirs.
 *   <li>Of rows that other HFiles may have, but no memstore, those conditions count whose column no
 *       other HFile has a put of: the newest version is the one here, or it was deleted.
 *   <li>Of rows that memstores may have none counts.
 * </ul>
 */
final class ColumnMatcher {
  private final ColumnFile driving;
  private final KeyRanges keys;
  private final BoundPredicate predicate;
  private final Optional<Narrowing> narrowing;

  /** By the predicate's columns, null where there is none. */
  private final ColumnFile[] files;

  private final ColumnSource[] sources;
  private final ColumnBlock[] blocks;

  /** The rows that other HFiles may have, too, by block. */
  private final long[][] shared;

  /** By the predicate's columns, whether no other HFile has a put of it. */
  private final boolean[] hereAlone;

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
    this.sources = new ColumnSource[files.length];
    this.blocks = new ColumnBlock[files.length];
    this.hereAlone = new boolean[files.length];
    Optional<long[][]> known =
        request.narrowing().isEmpty()
            ? Optional.empty()
            : sharedRows(index, request.narrowing().get().rivals(), request);
    this.narrowing = known.isPresent() ? request.narrowing() : Optional.empty();
    this.shared = known.orElse(new long[0][]);
    add(index, driving);
    if (narrowing.isPresent()) {
      for (ColumnSource f : narrowing.get().beside()) {
        add(f, read(f, () -> f.columns(request)));
      }
    }
  }

  private void add(ColumnSource source, ColumnFile file) {
    int column = columnOf(source);
    files[column] = file;
    sources[column] = source;
    hereAlone[column] =
        narrowing.isPresent()
            && narrowing.get().rivals().stream().allMatch(r -> r.lacks(source.definition()));
  }

  private int columnOf(ColumnSource f) {
    return predicate.columnOf(f.definition().column());
  }

  /**
   * The rows of an HFile that others may have, by block, and perhaps more.
   *
   * @return empty if there are too many rows to tell
   */
  private static Optional<long[][]> sharedRows(
      ColumnSource index, List<Rival> others, RecordRequest request) throws IOException {
    for (Rival rival : others) {
      ColumnSource other = rival.driving();
      if (!index.shared().isKnown(other.shared())
          && !SharedRows.find(
              index.shared(), hashes(index, request), other.shared(), hashes(other, request))) {
        return Optional.empty();
      }
    }
    return Optional.of(index.shared().rows());
  }

  private static SharedRows.Hashes hashes(ColumnSource of, RecordRequest request)
      throws IOException {
    ColumnFile file = read(of, () -> of.columns(request));
    return new SharedRows.Hashes(
        file.rows(), file.blocks(), block -> read(of, () -> file.hashes(block)));
  }

  /** Reads files of which it must be known whose they are if it fails. */
  private static <T> T read(ColumnSource source, IoSupplier<T> reading) throws IOException {
    try {
      return reading.get();
    } catch (IOException e) {
      throw new UnreadableColumnsException(source, e);
    } catch (RuntimeException e) {
      throw new UnreadableColumnsException(source, new CorruptIndexFileException("" + e, e));
    }
  }

  /** A bit for each row of the block. */
  long[] match(int block) throws IOException {
    ColumnBlock first = driving.values(block);
    long[] found = RowBits.none(first.rows());
    first.addMatching(keys, found);
    alone = null;
    if (narrowing.isPresent() && !RowBits.isEmpty(found)) {
      Arrays.fill(blocks, null);
      long[] inFiles = block < shared.length ? shared[block] : null;
      long[] inMemory = inMemory(block, first.rows());
      long[] might = mightMatch(block, first, found, true);
      alone = RowBits.none(first.rows());
      for (int w = 0; w < found.length; w++) {
        alone[w] = ~(inMemory[w] | (inFiles == null ? 0 : inFiles[w]));
        might[w] = might[w] & alone[w] | inMemory[w];
      }
      if (inFiles != null) {
        long[] mightShared = mightMatch(block, first, found, false);
        RowBits.and(mightShared, inFiles);
        RowBits.or(might, mightShared);
      }
      RowBits.and(found, might);
    }
    return found;
  }

  /** Whether no other source has a row of the block that was matched last; false if unknown. */
  boolean isAlone(int row) {
    return alone != null && RowBits.get(alone, row);
  }

  private long[] inMemory(int block, int rows) throws IOException {
    long[] found = RowBits.none(rows);
    HashedRows memory = narrowing.orElseThrow().memory();
    if (!memory.isEmpty()) {
      int[] hashes = driving.hashes(block);
      for (int i = 0; i < hashes.length; i++) {
        if (memory.contains(hashes[i])) {
          RowBits.set(found, i);
        }
      }
    }
    return found;
  }

  /**
   * @param ofAlone whether of rows that no other source has, and not of those that other HFiles may
   *     have
   */
  private long[] mightMatch(int block, ColumnBlock first, long[] found, boolean ofAlone)
      throws IOException {
    return predicate.mightMatch(
        found.length,
        (column, wanted, whenAbsent, out) -> {
          if (files[column] == null || !ofAlone && !hereAlone[column]) {
            RowBits.or(out, found);
            return;
          }
          if (blocks[column] == null) {
            blocks[column] =
                files[column] == driving
                    ? first
                    : read(sources[column], () -> files[column].values(block));
          }
          ColumnBlock values = blocks[column];
          values.addMatching(wanted, out);
          values.addComplex(out);
          if (whenAbsent && ofAlone) {
            values.addAbsent(out);
          } else if (whenAbsent) {
            RowBits.or(out, found);
          }
        });
  }
}
