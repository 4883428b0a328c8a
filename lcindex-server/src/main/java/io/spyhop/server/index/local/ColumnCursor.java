package io.spyhop.server.index.local;

import io.spyhop.core.predicate.RowJudge;
import io.spyhop.server.index.local.column.RowBits;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;

/** Finds rows by a columnar file, and reads them from the HFile by position, in its order. */
final class ColumnCursor implements RecordCursor {
  private final ColumnSource driving;
  private final ColumnMatcher matcher;
  private final Optional<CertainRows> certain;
  private final int first;
  private final int last;
  private final PlacedRows rows;
  private final WholeRow row;
  private int block;
  private long[] found = {};
  private int from;
  private boolean complete;

  /**
   * @param driving the file of the driving index
   */
  ColumnCursor(ColumnSource driving, RecordRequest request) throws IOException {
    this.driving = driving;
    this.row = new WholeRow(request.predicate(), request.qualifiers());
    try {
      this.matcher = new ColumnMatcher(driving, request);
      this.rows = matcher.own().placed();
      this.certain = request.sink().map(s -> new CertainRows(s, matcher));
      ColumnFile file = matcher.own().open();
      this.first = request.startRow().length == 0 ? 0 : blockOf(file, request.startRow());
      this.last =
          request.stopRow().length == 0
              ? file.blocks() - 1
              : Math.min(file.blocks() - 1, blockOf(file, request.stopRow()));
      this.block = first - 1;
    } catch (RuntimeException e) {
      throw damaged(e);
    }
  }

  @Override
  public boolean next() throws IOException {
    try {
      letGo();
      int next = RowBits.next(found, from);
      while (next < 0) {
        if (!nextBlock()) {
          return false;
        }
        next = RowBits.next(found, 0);
      }
      from = next + 1;
      read(next);
      return true;
    } catch (RuntimeException e) {
      throw damaged(e);
    }
  }

  private int blockOf(ColumnFile file, byte[] key) throws IOException {
    return matcher.own().reading(() -> file.blockOf(key));
  }

  /** What is not understood of values may be reported as any programming error. */
  private CorruptIndexFileException damaged(RuntimeException e) {
    return new CorruptIndexFileException("cannot read values of " + driving + ": " + e, e);
  }

  /** Goes to the next block; false behind the last that can have a row of the scan. */
  private boolean nextBlock() throws IOException {
    if (block >= last) {
      found = new long[0];
      if (certain.isPresent()) {
        certain.get().end();
      }
      return false;
    }
    block++;
    found = matcher.match(block);
    if (certain.isPresent()) {
      certain.get().take(block, block == first || block == last, found);
    }
    return true;
  }

  private void read(int ordinal) throws IOException {
    matcher.own().reading(() -> rows.read(block, ordinal, row));
    complete = matcher.complete(row, block, ordinal);
  }

  /** The row's cells are not needed any more. */
  private void letGo() {
    row.clear();
    rows.shipped();
    matcher.shipped();
  }

  @Override
  public byte[] rowArray() {
    return row.rowArray();
  }

  @Override
  public int rowOffset() {
    return row.rowOffset();
  }

  @Override
  public int rowLength() {
    return row.rowLength();
  }

  @Override
  public boolean isAlone() {
    return complete;
  }

  @Override
  public boolean isComplex() {
    return row.isComplex();
  }

  @Override
  public long oldestTimestamp() {
    return row.oldestTimestamp();
  }

  @Override
  public boolean matches(RowJudge judge) {
    return row.matches(judge);
  }

  @Override
  public StoredRow keep() {
    return row.keep();
  }

  @Override
  public void addTo(List<Cell> out) {
    row.addTo(out);
  }

  @Override
  public void close() {
    rows.close();
    matcher.close();
  }
}
