package io.spyhop.server.index.local;

import io.spyhop.core.predicate.RowJudge;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;

/**
 * Finds rows by a columnar file, and reads them from the HFile by position; in which order is for
 * others to say. Not thread-safe.
 */
abstract class ColumnCursor implements RecordCursor {
  /** Finds rows of a block. */
  final ColumnMatcher matcher;

  private final ColumnSource driving;
  private final PlacedRows rows;
  private final WholeRow row;
  private final int first;
  private final int last;
  private boolean complete;

  /**
   * @param driving the file of the driving index
   */
  ColumnCursor(ColumnSource driving, RecordRequest request) throws IOException {
    this.driving = driving;
    this.row = new WholeRow(request.predicate(), request.qualifiers());
    try {
      this.matcher = new ColumnMatcher(driving, request);
      this.rows = matcher.own().rows().placed();
      this.first = matcher.own().rows().firstBlock(request.startRow());
      this.last = matcher.own().rows().lastBlock(request.stopRow());
    } catch (RuntimeException e) {
      throw damaged(e);
    }
  }

  /** The first block that can have a row of the scan. */
  final int firstBlock() {
    return first;
  }

  /** The last block that can have a row of the scan. */
  final int lastBlock() {
    return last;
  }

  @Override
  public final boolean next() throws IOException {
    try {
      row.clear(); // its cells are not needed any more
      rows.shipped();
      matcher.shipped();
      return advance();
    } catch (RuntimeException e) {
      throw damaged(e);
    }
  }

  /** Finds the next row and has it read, if there is one. */
  abstract boolean advance() throws IOException;

  /** What is not understood of values may be reported as any programming error. */
  private CorruptIndexFileException damaged(RuntimeException e) {
    return new CorruptIndexFileException("cannot read values of " + driving + ": " + e, e);
  }

  /** Reads what the HFile has of a row, and adds what others have. */
  final void read(MatchedRows matched, int number) throws IOException {
    matcher.own().rows().reading(() -> rows.read(matched.block(), number, row));
    complete = matcher.complete(row, matched, number);
  }

  /** The HFile's rows, for a look besides. */
  final PlacedRows rows() {
    return rows;
  }

  @Override
  public final byte[] rowArray() {
    return row.rowArray();
  }

  @Override
  public final int rowOffset() {
    return row.rowOffset();
  }

  @Override
  public final int rowLength() {
    return row.rowLength();
  }

  @Override
  public final boolean isAlone() {
    return complete;
  }

  @Override
  public final boolean isComplex() {
    return row.isComplex();
  }

  @Override
  public final long oldestTimestamp() {
    return row.oldestTimestamp();
  }

  @Override
  public final boolean matches(RowJudge judge) {
    return row.matches(judge);
  }

  @Override
  public final StoredRow keep() {
    return row.keep();
  }

  @Override
  public final void addTo(List<Cell> out) {
    row.addTo(out);
  }

  @Override
  public final void close() {
    rows.close();
    matcher.close();
  }
}
