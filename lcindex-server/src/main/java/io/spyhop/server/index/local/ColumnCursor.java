package io.spyhop.server.index.local;

import io.spyhop.core.predicate.RowJudge;
import io.spyhop.server.index.local.column.RowBits;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.util.Bytes;

/** Finds rows by a columnar file, and reads them from the HFile by position, in its order. */
final class ColumnCursor implements RecordCursor {
  private final ColumnFile file;
  private final ColumnMatcher matcher;
  private final RecordRequest request;
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
    this.file = driving.columns(request);
    this.request = request;
    this.rows = new PlacedRows(driving.columns(request), request.hfile(), request);
    this.row = new WholeRow(request.predicate(), request.qualifiers());
    try {
      this.matcher = new ColumnMatcher(driving, request);
      this.block = (request.startRow().length == 0 ? 0 : file.blockOf(request.startRow())) - 1;
    } catch (RuntimeException e) {
      throw file.damaged(e);
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
      throw file.damaged(e);
    }
  }

  /** Goes to the next block; false behind the last that can have a row of the scan. */
  private boolean nextBlock() throws IOException {
    block++;
    if (block >= file.blocks() || isPastStop()) {
      found = new long[0];
      return false;
    }
    found = matcher.match(block);
    return true;
  }

  private boolean isPastStop() throws IOException {
    byte[] stop = request.stopRow();
    return stop.length > 0 && Bytes.compareTo(file.firstRow(block), stop) > 0;
  }

  private void read(int ordinal) throws IOException {
    rows.read(block, ordinal, row);
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
