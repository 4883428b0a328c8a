package io.spyhop.server.index.local;

import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The first and the last row of an HFile, of a reference those of the whole HFile behind it.
 * Immutable.
 */
public final class RowBounds {
  private final boolean empty;
  private final byte[] first;
  private final byte[] last;

  private RowBounds(boolean empty, byte[] first, byte[] last) {
    this.empty = empty;
    this.first = first;
    this.last = last;
  }

  /** That of a file. */
  public static RowBounds of(HFile.Reader file) {
    return new RowBounds(
        file.getEntries() == 0,
        file.getFirstKey().map(RowBounds::row).orElse(null),
        file.getLastKey().map(RowBounds::row).orElse(null));
  }

  private static byte[] row(Cell cell) {
    return CellUtil.cloneRow(cell);
  }

  /** Whether the file may have a row; false is a proof that it does not. */
  public boolean mayContain(byte[] b, int off, int len) {
    return !empty
        && (first == null || Bytes.compareTo(b, off, len, first, 0, first.length) >= 0)
        && (last == null || Bytes.compareTo(b, off, len, last, 0, last.length) <= 0);
  }

  /** Whether a row can lie within both; false is a proof that none does. */
  public boolean overlaps(RowBounds other) {
    return !empty && !other.empty && !isBefore(other) && !other.isBefore(this);
  }

  private boolean isBefore(RowBounds other) {
    return other.first != null && endsBefore(other.first);
  }

  /** Whether no row is before one. */
  boolean beginsAt(byte[] row) {
    return first != null && Bytes.compareTo(first, row) >= 0;
  }

  /** Whether each row is before one. */
  boolean endsBefore(byte[] row) {
    return last != null && Bytes.compareTo(last, row) < 0;
  }
}
