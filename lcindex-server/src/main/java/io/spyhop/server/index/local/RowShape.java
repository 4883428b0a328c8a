package io.spyhop.server.index.local;

import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;

/**
 * Tells whether a row is simple in its HFile, one put of each column without tags, so that its
 * cells alone say what it is. Cells may be reused by their owner. Not thread-safe.
 */
final class RowShape {
  private byte[] qualifier = new byte[64];
  private int qualifierLength;
  private boolean complex;
  private long oldest;
  private long newest;

  /** A new row begins. */
  void begin() {
    complex = false;
    qualifierLength = -1;
    oldest = Long.MAX_VALUE;
    newest = Long.MIN_VALUE;
  }

  /** The row's next cell, of whatever kind, in HBase's order; false once the row is complex. */
  boolean add(Cell cell) {
    if (complex) {
      return false;
    }
    complex =
        cell.getTypeByte() != KeyValue.Type.Put.getCode()
            || PrivateCellUtil.tagsIterator(cell).hasNext()
            || isRepeated(cell);
    if (!complex) {
      remember(cell);
      oldest = Math.min(oldest, cell.getTimestamp());
      newest = Math.max(newest, cell.getTimestamp());
    }
    return !complex;
  }

  private boolean isRepeated(Cell cell) {
    return qualifierLength == cell.getQualifierLength()
        && CellUtil.matchingQualifier(cell, qualifier, 0, qualifierLength);
  }

  private void remember(Cell cell) {
    qualifierLength = cell.getQualifierLength();
    if (qualifier.length < qualifierLength) {
      qualifier = new byte[qualifierLength * 2];
    }
    System.arraycopy(
        cell.getQualifierArray(), cell.getQualifierOffset(), qualifier, 0, qualifierLength);
  }

  /** The array that begins with the last cell's qualifier. */
  byte[] qualifier() {
    return qualifier;
  }

  /** How long the last cell's qualifier is. */
  int qualifierLength() {
    return qualifierLength;
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
