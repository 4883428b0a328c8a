package io.spyhop.server.query;

import io.spyhop.core.predicate.RowJudge;
import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;

/**
 * Looks at every cell of a source without an index, the memstore or an HFile: every version at or
 * below the read point, delete markers included. Not thread-safe.
 */
final class UncoveredReader {
  /** Takes a row that must be read from the region. */
  @FunctionalInterface
  interface Sink {
    void row(byte[] b, int off, int len) throws IOException;
  }

  private final IndexedQuery query;
  private final KeyValueScanner scanner;
  private final RowSet rows;
  private final RowJudge judge;
  private boolean begun;
  private byte[] lastRow;
  private boolean lastRowTaken;
  private long count;

  /**
   * @param rows takes all rows of the source; may be null
   */
  UncoveredReader(IndexedQuery query, KeyValueScanner scanner, RowSet rows) {
    this.query = query;
    this.scanner = scanner;
    this.rows = rows;
    this.judge = query.predicate().judgeOf(query.drivingColumn());
  }

  /**
   * Looks at some cells.
   *
   * @return whether there are more
   */
  boolean read(int cells, Sink sink) throws IOException {
    if (!begun) {
      begun = true;
      seek();
    }
    for (int i = 0; i < cells; i++) {
      Cell cell = scanner.next();
      if (cell == null || isPastStop(cell)) {
        return false;
      }
      count++;
      look(cell, sink);
    }
    scanner.shipped();
    return true;
  }

  private void seek() throws IOException {
    byte[] start = query.scan().getStartRow();
    scanner.seek(start.length == 0 ? KeyValue.LOWESTKEY : KeyValueUtil.createFirstOnRow(start));
  }

  private boolean isPastStop(Cell cell) {
    return query.isPastStop(cell.getRowArray(), cell.getRowOffset(), cell.getRowLength());
  }

  private void look(Cell cell, Sink sink) throws IOException {
    if (lastRow == null || !CellUtil.matchingRows(cell, lastRow)) {
      lastRow = CellUtil.cloneRow(cell);
      lastRowTaken = !query.isInRange(lastRow, 0, lastRow.length);
      if (rows != null) {
        rows.add(lastRow, 0, lastRow.length);
      }
    }
    if (!lastRowTaken && satisfiesDrivingColumn(cell)) {
      lastRowTaken = true;
      sink.row(lastRow, 0, lastRow.length);
    }
  }

  private boolean satisfiesDrivingColumn(Cell cell) {
    if (cell.getTypeByte() != KeyValue.Type.Put.getCode()
        || !query.driving().column().matches(cell)) {
      return false;
    }
    judge.reset();
    judge.offer(
        query.drivingColumn(), cell.getValueArray(), cell.getValueOffset(), cell.getValueLength());
    return judge.matches();
  }

  /** How many cells were looked at since the last call. */
  long takeCount() {
    long n = count;
    count = 0;
    return n;
  }
}
