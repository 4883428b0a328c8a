package io.spyhop.server.index.global.repair;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.client.IsolationLevel;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.KeyValueHeap;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;

/**
 * Everything that is stored of one family of a region, in memory and in HFiles, whether anybody can
 * see it or not: every version, also masked, expired, of equal timestamps, not yet committed; and
 * delete markers. A raw scan shows less. Not thread-safe.
 */
public final class PhysicalCells implements Closeable {
  private final byte[] family;
  private final CellComparator order;
  private final byte[] stopRow;
  private final KeyValueHeap cells;

  private PhysicalCells(byte[] family, CellComparator order, byte[] stopRow, KeyValueHeap cells) {
    this.family = family;
    this.order = order;
    this.stopRow = stopRow;
    this.cells = cells;
  }

  /**
   * Opens a range of rows to be read whole, with {@link #next()}.
   *
   * @param start inclusive
   * @param stop exclusive; empty is the end of the region
   */
  public static PhysicalCells range(HRegion region, byte[] family, byte[] start, byte[] stop)
      throws IOException {
    return open(region, family, false, start, stop, false);
  }

  /**
   * Opens a range of rows of which a few are read, in ascending order, with {@link #column}.
   *
   * @param first inclusive
   * @param last inclusive
   */
  public static PhysicalCells rows(HRegion region, byte[] family, byte[] first, byte[] last)
      throws IOException {
    return open(region, family, true, first, last, true);
  }

  private static PhysicalCells open(
      HRegion region, byte[] family, boolean few, byte[] from, byte[] to, boolean withTo)
      throws IOException {
    HStore store = region.getStore(family);
    long readPoint = region.getReadPoint(IsolationLevel.READ_UNCOMMITTED);
    List<KeyValueScanner> sources =
        store.getScanners(few, few, false, null, from, true, to, withTo, readPoint, false);
    boolean ready = false;
    try {
      Cell first = PrivateCellUtil.createFirstOnRow(from);
      for (KeyValueScanner s : sources) {
        s.seek(first);
      }
      CellComparator order = store.getComparator();
      PhysicalCells cells =
          new PhysicalCells(
              family, order, withTo ? new byte[0] : to, new KeyValueHeap(sources, order));
      ready = true;
      return cells;
    } finally {
      if (!ready) {
        sources.forEach(KeyValueScanner::close);
      }
    }
  }

  /** The next cell in HBase's order, or null; valid until {@link #shipped()}. */
  public Cell next() throws IOException {
    return peek() == null ? null : cells.next();
  }

  /** What {@link #next()} will give, whose call ends its life. */
  Cell peek() {
    Cell cell = cells.peek();
    boolean end =
        cell == null
            || stopRow.length > 0 && order.compareRows(cell, stopRow, 0, stopRow.length) >= 0;
    return end ? null : cell;
  }

  /** Frees what the cells so far were read from; to be called now and then. */
  public void shipped() throws IOException {
    cells.shipped();
  }

  /**
   * Copies of everything stored of a column of a row, and of the row's delete markers of the whole
   * family, newest first.
   *
   * @param row not before the row of the last call
   * @param since what has an earlier timestamp is left out, and mostly not read
   */
  public List<Cell> column(byte[] row, byte[] qualifier, long since) throws IOException {
    List<Cell> found = new ArrayList<>();
    cells.shipped();
    cells.reseek(PrivateCellUtil.createFirstOnRow(row));
    for (Cell c = cells.peek();
        isAt(c, row) && c.getQualifierLength() == 0 && c.getTimestamp() >= since;
        c = cells.peek()) {
      boolean ofFamily =
          PrivateCellUtil.isDeleteFamily(c) || PrivateCellUtil.isDeleteFamilyVersion(c);
      if (ofFamily || qualifier.length == 0) {
        found.add(KeyValueUtil.copyToNewKeyValue(c));
      }
      cells.next();
    }
    if (qualifier.length > 0 && isAt(cells.peek(), row)) {
      addColumn(found, row, qualifier, since);
    }
    return found;
  }

  private void addColumn(List<Cell> found, byte[] row, byte[] qualifier, long since)
      throws IOException {
    cells.reseek(PrivateCellUtil.createFirstOnRow(row, family, qualifier));
    for (Cell c = cells.peek();
        isAt(c, row) && CellUtil.matchingQualifier(c, qualifier) && c.getTimestamp() >= since;
        c = cells.peek()) {
      found.add(KeyValueUtil.copyToNewKeyValue(c));
      cells.next();
    }
  }

  private static boolean isAt(Cell cell, byte[] row) {
    return cell != null && CellUtil.matchingRows(cell, row);
  }

  @Override
  public void close() {
    cells.close();
  }
}
