package io.spyhop.server.view.store;

import java.io.IOException;
import java.util.List;
import java.util.NavigableSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.apache.hadoop.hbase.regionserver.ScanInfo;
import org.apache.hadoop.hbase.regionserver.SpyhopAccess;
import org.apache.hadoop.hbase.regionserver.StoreScanner;

/**
 * HBase's scanner of a store, which reads a view. HBase has the {@link ViewScanner} leave out the
 * files that cannot have anything for the scan; if what is left is little, HBase's own scanners
 * take its place. Files that a flush adds later are read as ever.
 */
final class ViewStoreScanner extends StoreScanner {
  /** Set while HBase's constructor runs, so it must not have a value to begin with. */
  private ViewScanner view;

  ViewStoreScanner(
      ViewStore store, ScanInfo scanInfo, Scan scan, NavigableSet<byte[]> columns, long readPt)
      throws IOException {
    super(store, scanInfo, scan, columns, readPt);
  }

  /** HBase's constructor calls this, and its reopening after a flush. */
  @Override
  protected List<KeyValueScanner> selectScannersFrom(
      HStore store, List<? extends KeyValueScanner> allScanners) {
    List<KeyValueScanner> selected = super.selectScannersFrom(store, allScanners);
    if (heap == null && !selected.isEmpty() && selected.get(0) instanceof ViewScanner scanner) {
      if (scanner.isWorthwhile()) {
        scanner.use();
        view = scanner;
      } else {
        selected.remove(0);
        selected.addAll(0, scanner.openFiles());
        scanner.close();
      }
    }
    return selected;
  }

  /** HBase compares keys in order to know whether it need seek; a view knows. */
  @Override
  protected boolean trySkipToNextRow(Cell cell) throws IOException {
    if (isOnTop() && view.isNextAnotherRow()) {
      heap.next();
      Cell next = heap.peek();
      if (next == null || isOnTop() || !CellUtil.matchingRows(cell, next)) {
        return true;
      }
    }
    return super.trySkipToNextRow(cell);
  }

  /** As {@link #trySkipToNextRow}. */
  @Override
  protected boolean trySkipToNextColumn(Cell cell) throws IOException {
    if (isOnTop() && view.isNextAnotherColumn()) {
      heap.next();
      Cell next = heap.peek();
      if (next == null || isOnTop() || !CellUtil.matchingRowColumn(cell, next)) {
        return true;
      }
    }
    return super.trySkipToNextColumn(cell);
  }

  /** Whether the current cell is the view's. */
  private boolean isOnTop() {
    return view != null && SpyhopAccess.isOnTop(heap, view);
  }
}
