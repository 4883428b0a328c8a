package io.spyhop.server.view.store;

import java.io.IOException;
import java.util.List;
import java.util.NavigableSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.InternalScan;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.apache.hadoop.hbase.regionserver.ReversedStoreScanner;
import org.apache.hadoop.hbase.regionserver.ScanInfo;
import org.apache.hadoop.hbase.regionserver.StoreFileScanner;
import org.apache.hadoop.hbase.regionserver.querymatcher.ScanQueryMatcher;

/**
 * HBase's store, whose reversed scans lose no row: their scanners of HFiles are {@link
 * BackwardFileScanner}s. Thread-safe.
 *
 * <p>HBase's keep the row before that (HBASE-28043). Where a file has nothing before a row but
 * cells that are newer than the scan, such a scanner says so and stays at a row behind; when it is
 * put into a heap, at a flush or as the scan begins, that row comes first, and after a flush the
 * row that was the next is lost. In a file that a split has cut, it fails at the first of two rows
 * (docs/decisions/0046).
 */
public class BackwardStore extends HStore {
  /** Set while a thread has HBase make a reversed scanner. */
  private final ThreadLocal<Boolean> openingBackwards = new ThreadLocal<>();

  BackwardStore(
      HRegion region, ColumnFamilyDescriptor family, Configuration configuration, boolean warmup)
      throws IOException {
    super(region, family, configuration, warmup);
  }

  /** Whether reversed scans of all of a region's families lose no row. */
  public static boolean isEverywhereIn(HRegion region) {
    return region.getStores().stream().allMatch(BackwardStore.class::isInstance);
  }

  /** Reversed scans read files by position, as streams cannot be read backwards. */
  @Override
  protected KeyValueScanner createScanner(
      Scan scan, ScanInfo scanInfo, NavigableSet<byte[]> targetCols, long readPt)
      throws IOException {
    if (!scan.isReversed() || scan instanceof InternalScan) {
      return super.createScanner(scan, scanInfo, targetCols, readPt);
    }
    openingBackwards.set(Boolean.TRUE);
    try {
      return backwards(scan, scanInfo, targetCols, readPt);
    } finally {
      openingBackwards.remove();
    }
  }

  private KeyValueScanner backwards(
      Scan scan, ScanInfo scanInfo, NavigableSet<byte[]> targetCols, long readPt)
      throws IOException {
    Scan positional = new Scan(scan).setReadType(Scan.ReadType.PREAD);
    boolean caching = scan.getCacheBlocks();
    return new ReversedStoreScanner(this, scanInfo, positional, targetCols, readPt) {
      /** HBase's constructor calls this, and its reopening after a flush. */
      @Override
      protected List<KeyValueScanner> selectScannersFrom(
          HStore store, List<? extends KeyValueScanner> allScanners) {
        List<KeyValueScanner> selected = super.selectScannersFrom(store, allScanners);
        selected.replaceAll(
            s ->
                s instanceof StoreFileScanner file
                    ? BackwardFileScanner.inPlaceOf(file, readPt, caching)
                    : s);
        return selected;
      }
    };
  }

  /**
   * HBase's constructor of a scanner asks for the files of a range of rows, which a reversed one
   * names from its end; in a store of stripes that is another range, or none. So it gets all files,
   * and leaves out those that have none of its rows by itself.
   */
  @Override
  public List<KeyValueScanner> getScanners(
      boolean cacheBlocks,
      boolean usePread,
      boolean isCompaction,
      ScanQueryMatcher matcher,
      byte[] startRow,
      boolean includeStartRow,
      byte[] stopRow,
      boolean includeStopRow,
      long readPt,
      boolean onlyLatestVersion)
      throws IOException {
    boolean backwards = openingBackwards.get() != null;
    return super.getScanners(
        cacheBlocks,
        usePread,
        isCompaction,
        matcher,
        backwards ? HConstants.EMPTY_START_ROW : startRow,
        backwards || includeStartRow,
        backwards ? HConstants.EMPTY_END_ROW : stopRow,
        !backwards && includeStopRow,
        readPt,
        onlyLatestVersion);
  }
}
