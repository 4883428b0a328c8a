package io.spyhop.server.view.store;

import io.spyhop.server.view.SortedView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.apache.hadoop.hbase.regionserver.ScanInfo;
import org.apache.hadoop.hbase.regionserver.StoreScanner;
import org.apache.hadoop.hbase.regionserver.querymatcher.ScanQueryMatcher;

/**
 * A store whose forward scans read a sorted view, if there is one. Gets, raw scans, scans that ask
 * for streams, flushes and compactions go HBase's way, reversed scans that of a {@link
 * BackwardStore}. Other callers of {@link #getScanners} get HBase's scanners, one for each HFile.
 * Thread-safe.
 */
public final class ViewStore extends BackwardStore {
  /** Set while a thread has HBase make a scanner that may read a view. */
  private final ThreadLocal<Boolean> opening = new ThreadLocal<>();

  private volatile StoreViews views;
  private volatile ViewedFiles viewed;

  ViewStore(
      HRegion region, ColumnFamilyDescriptor family, Configuration configuration, boolean warmup)
      throws IOException {
    super(region, family, configuration, warmup);
  }

  /** Has scans ask for views from now on; null for no more. */
  public void views(StoreViews by) {
    views = by;
    viewed = null;
  }

  /** Keeps nothing of a view that is not read any more. */
  public void forget() {
    viewed = null;
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
    opening.set(Boolean.TRUE);
    try {
      return new ViewStoreScanner(this, scanInfo, scan, targetCols, readPt);
    } finally {
      opening.remove();
    }
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

  /** HBase's constructor of a scanner asks for the scanners of all HFiles and memstores. */
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
    if (opening.get() != null && usePread) {
      opening.remove();
      boolean hasColumns = matcher != null && !matcher.hasNullColumnInQuery();
      Supplier<Collection<HStoreFile>> files =
          () ->
              getStoreEngine()
                  .getStoreFileManager()
                  .getFilesForScan(
                      startRow, includeStartRow, stopRow, includeStopRow, onlyLatestVersion);
      List<KeyValueScanner> scanners = throughView(files, cacheBlocks, readPt, hasColumns);
      if (scanners != null) {
        return scanners;
      }
    }
    return super.getScanners(
        cacheBlocks,
        usePread,
        isCompaction,
        matcher,
        startRow,
        includeStartRow,
        stopRow,
        includeStopRow,
        readPt,
        onlyLatestVersion);
  }

  /**
   * One scanner for the HFiles that are in the view, then those of other HFiles and of the
   * memstores; null if there is no view of two or more.
   *
   * @param source which of its HFiles the store has a scan read now
   */
  List<KeyValueScanner> throughView(
      Supplier<Collection<HStoreFile>> source,
      boolean cacheBlocks,
      long readPoint,
      boolean hasColumns)
      throws IOException {
    StoreViews by = views;
    if (by == null) {
      return null;
    }
    SortedView view = by.current();
    if (view == null) {
      by.missed(Math.max(0, getStorefilesCount() - 1));
      return null;
    }
    List<KeyValueScanner> scanners = new ArrayList<>();
    boolean done = false;
    getStoreEngine().readLock();
    try {
      ViewedFiles files = viewed(by, view, source.get());
      if (files.count() < 2) {
        return null;
      }
      if (!files.isAscending()) {
        by.failed(view, new IllegalStateException("HBase ranks the files in another way"));
        return null;
      }
      scanners.add(new ViewScanner(by, files, this, readPoint, cacheBlocks, hasColumns));
      by.missed(files.apart());
      files.openOthers(scanners, cacheBlocks, readPoint, hasColumns);
      scanners.addAll(memstore.getScanners(readPoint));
      done = true;
      return scanners;
    } finally {
      getStoreEngine().readUnlock();
      if (!done) {
        scanners.forEach(KeyValueScanner::close);
      }
    }
  }

  private ViewedFiles viewed(StoreViews by, SortedView view, Collection<HStoreFile> now)
      throws IOException {
    ViewedFiles known = viewed;
    if (known == null || !known.isOf(view, now)) {
      known = new ViewedFiles(view, now);
      viewed = known;
      if (by.current() != view) {
        forget();
      }
    }
    return known;
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
