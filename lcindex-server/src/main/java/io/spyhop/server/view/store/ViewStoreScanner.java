package io.spyhop.server.view.store;

import java.io.IOException;
import java.util.List;
import java.util.NavigableSet;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.apache.hadoop.hbase.regionserver.ScanInfo;
import org.apache.hadoop.hbase.regionserver.StoreScanner;

/**
 * HBase's scanner of a store, which reads a view. When HBase has left out the files that cannot
 * have anything for the scan, a {@link ViewScanner} takes the place of those that are in the view.
 * Files that a flush adds later are read as ever.
 */
class ViewStoreScanner extends StoreScanner {
  ViewStoreScanner(
      ViewStore store, ScanInfo scanInfo, Scan scan, NavigableSet<byte[]> columns, long readPt)
      throws IOException {
    super(store, scanInfo, scan, columns, readPt);
  }

  /** Whether blocks go to the block cache; asked while HBase's constructor runs. */
  boolean cachesBlocks() {
    return true;
  }

  /** HBase's constructor calls this, and its reopening after a flush. */
  @Override
  protected List<KeyValueScanner> selectScannersFrom(
      HStore store, List<? extends KeyValueScanner> allScanners) {
    List<KeyValueScanner> selected = super.selectScannersFrom(store, allScanners);
    if (heap != null) {
      return selected; // what flushes have added, whose orders HBase begins to count anew each time
    }
    return ViewScanner.replace(selected, (ViewStore) store, getReadPoint(), cachesBlocks());
  }

  /** One whose blocks do not go to the block cache. */
  static final class Uncached extends ViewStoreScanner {
    Uncached(
        ViewStore store, ScanInfo scanInfo, Scan scan, NavigableSet<byte[]> columns, long readPt)
        throws IOException {
      super(store, scanInfo, scan, columns, readPt);
    }

    @Override
    boolean cachesBlocks() {
      return false;
    }
  }
}
