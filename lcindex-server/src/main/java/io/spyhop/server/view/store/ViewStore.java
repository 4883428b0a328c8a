package io.spyhop.server.view.store;

import io.spyhop.server.view.SortedView;
import java.io.IOException;
import java.util.List;
import java.util.NavigableSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.apache.hadoop.hbase.regionserver.ScanInfo;
import org.apache.hadoop.hbase.regionserver.StoreScanner;
import org.apache.hadoop.hbase.regionserver.querymatcher.ScanQueryMatcher;

/**
 * A store whose forward scans read a sorted view, if there is one. Gets, reversed and raw scans,
 * scans that ask for streams, flushes and compactions go HBase's way. Whoever asks {@link
 * #getScanners} gets HBase's scanners, one for each HFile. Thread-safe.
 */
public final class ViewStore extends HStore {
  private volatile StoreViews views;

  ViewStore(
      HRegion region, ColumnFamilyDescriptor family, Configuration configuration, boolean warmup)
      throws IOException {
    super(region, family, configuration, warmup);
  }

  /** Has scans ask for views from now on; null for no more. */
  public void views(StoreViews by) {
    views = by;
  }

  StoreViews views() {
    return views;
  }

  /** The view that scans read now; null if there is none. */
  public SortedView view() {
    StoreViews by = views;
    return by == null ? null : by.current();
  }

  @Override
  protected KeyValueScanner createScanner(
      Scan scan, ScanInfo scanInfo, NavigableSet<byte[]> targetCols, long readPt)
      throws IOException {
    if (views == null || !mayRead(scan)) {
      return super.createScanner(scan, scanInfo, targetCols, readPt);
    }
    return scan.getCacheBlocks()
        ? new ViewStoreScanner(this, scanInfo, scan, targetCols, readPt)
        : new ViewStoreScanner.Uncached(this, scanInfo, scan, targetCols, readPt);
  }

  private boolean mayRead(Scan scan) {
    return !scan.isReversed()
        && !scan.isGetScan()
        && !scan.isRaw()
        && scan.getReadType() != Scan.ReadType.STREAM
        && (scan.getReadType() == Scan.ReadType.PREAD || !startsAsStream());
  }

  private boolean startsAsStream() {
    return conf.getLong(StoreScanner.STORESCANNER_PREAD_MAX_BYTES, 0) < 0;
  }

  /**
   * A scan that has read much would go on with streams. One that reads a view stays with it: a view
   * has no streams. HBase then changes nothing, and does not ask again.
   */
  @Override
  public List<KeyValueScanner> recreateScanners(
      List<KeyValueScanner> currentFileScanners,
      boolean cacheBlocks,
      boolean usePread,
      boolean isCompaction,
      ScanQueryMatcher matcher,
      byte[] startRow,
      boolean includeStartRow,
      byte[] stopRow,
      boolean includeStopRow,
      long readPt,
      boolean includeMemstoreScanner)
      throws IOException {
    if (currentFileScanners.stream().anyMatch(ViewScanner.class::isInstance)) {
      return null;
    }
    return super.recreateScanners(
        currentFileScanners,
        cacheBlocks,
        usePread,
        isCompaction,
        matcher,
        startRow,
        includeStartRow,
        stopRow,
        includeStopRow,
        readPt,
        includeMemstoreScanner);
  }
}
