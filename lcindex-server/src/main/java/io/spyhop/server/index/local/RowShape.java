package io.spyhop.server.index.local;

import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;

/**
 * Tells whether a row is simple in its HFile, one put of each column without tags, so that its
 * cells alone say what it is. Cells may be reused by their owner. Not thread-safe.
 */
final class RowShape {
  private boolean complex;
  private long oldest;
  private long newest;

  /** A new row begins. */
  void begin() {
    complex = false;
    oldest = Long.MAX_VALUE;
    newest = Long.MIN_VALUE;
  }

  /**
   * The row's next cell, of whatever kind, in HBase's order.
   *
   * @param repeated whether the cell before it is of the same column
   * @return false once the row is complex
   */
  boolean add(Cell cell, boolean repeated) {
    complex |=
        repeated || cell.getTypeByte() != KeyValue.Type.Put.getCode() || cell.getTagsLength() > 0;
    if (!complex) {
      oldest = Math.min(oldest, cell.getTimestamp());
      newest = Math.max(newest, cell.getTimestamp());
    }
    return !complex;
  }

  /** For whatever reason the row is not to be taken for a simple one. */
  void setComplex() {
    complex = true;
  }

  boolean isComplex() {
    return complex;
  }

  /** The timestamp of the oldest cell; only where the row is not complex. */
  long oldestTimestamp() {
    return oldest;
  }

  /** The timestamp of the newest cell; only where the row is not complex. */
  long newestTimestamp() {
    return newest;
  }
}
