package io.spyhop.server.index.memstore;

import org.apache.hadoop.hbase.Cell;

/**
 * Logs cells that come row by row, as a scanner of the memstore has them. The cells of a row stay
 * valid until the next row. Not thread-safe.
 */
public final class RowLogger {
  private final WriteLog log;
  private final LoggedRow row;

  /** Logs to a log of no writes. */
  public RowLogger(WriteLog log) {
    this.log = log;
    this.row = log.newRow();
  }

  /** Takes the next cell. */
  public void add(Cell cell) {
    if (row.isBefore(cell)) {
      end();
    }
    row.add(cell, false);
  }

  /** The last row has ended. */
  public void end() {
    log.append(row);
    row.clear();
  }
}
