package io.spyhop.server.index.local;

import io.spyhop.core.predicate.KeyRanges;
import io.spyhop.server.index.local.column.ColumnBlock;
import io.spyhop.server.index.local.column.RowBits;
import io.spyhop.server.index.local.column.RowPairs;
import java.io.IOException;
import org.apache.hbase.thirdparty.com.google.common.hash.PrimitiveSink;

/**
 * The rows of an HFile that another one has, too, what that one has of them, and whether conditions
 * are true of them as far as it has the column. Conditions are left to be true of rows that are
 * complex in it. Not thread-safe.
 */
final class RivalRows {
  private final HFileColumns columns;
  private final RowPairs pairs;
  private final Age age;
  private final boolean seen;
  private final boolean newestOnly;
  private final PlacedRows placed;
  private final WholeRow part;
  private int lookedAt;
  private long[] ofOther;
  private long[] matching;
  private long[] present;
  private long[] complex;

  /** The place of all its cells before or behind those of the HFile, by their timestamps. */
  enum Age {
    NEWER,
    OLDER,
    UNKNOWN
  }

  /**
   * @param seen whether the query sees all its cells
   */
  RivalRows(HFileColumns columns, RowPairs pairs, Age age, boolean seen, RecordRequest request)
      throws IOException {
    this.columns = columns;
    this.pairs = pairs;
    this.age = age;
    this.seen = seen;
    this.newestOnly = request.newestOnly();
    this.placed = columns.rows().placed();
    this.part = new WholeRow(request.predicate(), request.qualifiers());
  }

  /** Tells what it says of conditions by. */
  void identify(PrimitiveSink sink) {
    columns.identify(sink);
    sink.putByte((byte) (seen ? 1 : 0));
  }

  /** That of the cells of simple rows. */
  Age age() {
    return age;
  }

  /** The timestamp of the oldest cell of a simple row. */
  long oldest() {
    return columns.times().oldest();
  }

  /** A bit for each shared row of a block; null if there is none. */
  long[] rows(int block) {
    return pairs.rows(block);
  }

  /**
   * Judges the shared rows of a block by a condition.
   *
   * @param among the rows that are asked for
   * @param decided the rows of which a newer HFile has the column; those of which this one has it
   *     are added
   * @param out where the rows are added of which the condition may be true
   */
  void judge(
      int block,
      long[] among,
      int column,
      KeyRanges wanted,
      boolean whenAbsent,
      long[] decided,
      long[] out)
      throws IOException {
    long[] shared = pairs.rows(block);
    if (shared == null || !RowBits.intersect(shared, among)) {
      return;
    }
    if (!columns.has(column)) {
      RowBits.or(out, shared);
      return;
    }
    look(block, among, column, wanted);
    long absent = whenAbsent ? -1L : 0; // an older cell may have expired
    for (int w = 0; w < out.length; w++) {
      out[w] |=
          complex[w]
              | switch (age) {
                case NEWER -> matching[w] & ~decided[w];
                case OLDER -> (matching[w] | present[w] & absent) & ~decided[w];
                case UNKNOWN -> present[w];
              };
      decided[w] |= present[w];
    }
  }

  private void look(int block, long[] among, int column, KeyRanges wanted) throws IOException {
    matching = new long[among.length];
    present = new long[among.length];
    complex = new long[among.length];
    lookedAt = -1;
    pairs.forEach(
        block,
        among,
        (row, otherBlock, otherRow) -> {
          ColumnBlock values = columns.values(column, otherBlock);
          if (lookedAt != otherBlock) {
            ofOther = RowBits.none(values.rows());
            values.addMatching(wanted, ofOther);
            lookedAt = otherBlock;
          }
          if (RowBits.get(ofOther, otherRow)) {
            RowBits.set(matching, row);
          }
          if (values.isPresent(otherRow)) {
            RowBits.set(present, row);
          }
          if (values.isComplex(otherRow)) {
            RowBits.set(complex, row);
          }
        });
  }

  /**
   * Adds what it has of a row.
   *
   * @param row in the block
   * @return false if it has cells that the query does not see
   */
  boolean addTo(WholeRow whole, int block, int row) throws IOException {
    part.clear();
    boolean has =
        pairs.find(
            block,
            row,
            (same, otherBlock, otherRow) ->
                columns.rows().reading(() -> placed.read(otherBlock, otherRow, part)));
    if (has && seen) {
      whole.merge(part, newestOnly);
    }
    return !has || seen;
  }

  /** Cells that were read are not needed any more. */
  void shipped() {
    placed.shipped();
  }

  /** Gives all blocks back. */
  void close() {
    placed.close();
  }
}
