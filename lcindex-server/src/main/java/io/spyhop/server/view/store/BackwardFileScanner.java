package io.spyhop.server.view.store;

import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.regionserver.SpyhopAccess;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.apache.hadoop.hbase.regionserver.StoreFileScanner;

/**
 * HBase's scanner of an HFile with another way to the row before. As HBase's (HBASE-28043) it knows
 * one row ahead, so that it seeks once for a row; what it knows is a copy, and of the file and not
 * of where it is, and where it finds nothing it has no cell. Not thread-safe.
 */
final class BackwardFileScanner extends StoreFileScanner {
  /** HBase 2.5 has not the constructor, nor the row ahead, nor the fault. */
  private static final boolean HAS_ROW_AHEAD =
      Arrays.stream(StoreFileScanner.class.getConstructors())
          .anyMatch(c -> c.getParameterCount() == 8);

  private final HFileScanner file;
  private final CellComparator order;
  private final long readPoint;

  /** The first possible key of a row of the file; null for none. */
  private Cell known;

  /** The same of the row before that one; null if it is the first. */
  private Cell beforeKnown;

  private BackwardFileScanner(
      StoreFileReader reader, HFileScanner file, long readPoint, long scannerOrder) {
    super(
        reader,
        file,
        true,
        reader.getHFileReader().hasMVCCInfo(),
        readPoint,
        scannerOrder,
        false,
        true);
    this.file = file;
    this.order = reader.getComparator();
    this.readPoint = readPoint;
  }

  /**
   * One in place of a scanner that has not been used, which is closed; in HBase 2.5 that itself.
   *
   * @param scanner reads positions, no stream
   * @param readPoint of both
   * @param cachesBlocks whether the block cache keeps what it reads
   */
  @SuppressWarnings("deprecation") // HBase's own scanners are made so.
  static StoreFileScanner inPlaceOf(
      StoreFileScanner scanner, long readPoint, boolean cachesBlocks) {
    if (!HAS_ROW_AHEAD) {
      return scanner;
    }
    StoreFileReader reader = SpyhopAccess.reader(scanner);
    HFileScanner file = reader.getScanner(cachesBlocks, true, false);
    StoreFileScanner other =
        new BackwardFileScanner(reader, file, readPoint, scanner.getScannerOrder());
    scanner.close();
    return other;
  }

  @Override
  public boolean seekToPreviousRow(Cell key) throws IOException {
    boolean isKnown = known != null && order.compareRows(known, key) == 0;
    Cell row = isKnown ? beforeKnown : rowBefore(KeyValueUtil.createFirstOnRow(row(key)));
    while (row != null) {
      Cell before = rowBefore(row);
      known = row;
      beforeKnown = before;
      if (seekTo(row)) {
        return true;
      }
      row = beforeKnown;
    }
    setCurrentCell(null);
    return false;
  }

  private static byte[] row(Cell cell) {
    return CellUtil.cloneRow(cell);
  }

  private Cell rowBefore(Cell firstOnRow) throws IOException {
    return file.seekBefore(firstOnRow) ? KeyValueUtil.createFirstOnRow(row(file.getCell())) : null;
  }

  /** To the row's first cell that is not newer than the scan; false if it has none. */
  private boolean seekTo(Cell row) throws IOException {
    boolean found = beforeKnown == null ? seekFirst(row) : SpyhopAccess.reseek(file, row);
    setCurrentCell(found ? file.getCell() : null);
    while (peek() != null && peek().getSequenceId() > readPoint) {
      setCurrentCell(file.next() ? file.getCell() : null);
    }
    return peek() != null && order.compareRows(peek(), row) == 0;
  }

  /** That of half a file forgets that it was at its end only when it seeks before what is there. */
  private boolean seekFirst(Cell row) throws IOException {
    return file.seekBefore(PrivateCellUtil.createLastOnRow(row)) && seekAtOrAfter(file, row);
  }
}
