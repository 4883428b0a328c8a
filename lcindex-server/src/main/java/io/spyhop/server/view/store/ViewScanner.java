package io.spyhop.server.view.store;

import io.spyhop.server.view.SortedView;
import io.spyhop.server.view.ViewCursor;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.function.IntConsumer;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.apache.hadoop.hbase.regionserver.NonReversedNonLazyKeyValueScanner;
import org.apache.hadoop.hbase.regionserver.SpyhopAccess;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;

/**
 * Reads several HFiles through a sorted view, cell by cell as a heap of their scanners would. It
 * holds the files, as a scanner of each would, and lets go of them when it is closed. Not
 * thread-safe.
 */
final class ViewScanner extends NonReversedNonLazyKeyValueScanner {
  /** Passing over a key of a file that is left out takes some fiftieth of reading one. */
  private static final int MOST_PASSED = 8;

  private final StoreViews views;
  private final ViewedFiles files;
  private final SortedView view;
  private final CellComparator comparator;
  private final long readPoint;
  private final BlockCache cache;
  private final boolean cacheBlocks;
  private final boolean hasColumns;
  private final RecentBlocks recent;
  private final HFileRun[] runs;
  private long wanted;
  private ViewCursor cursor;
  private Cell current;
  private int run;
  private boolean closed;

  /**
   * @param readPoint cells with higher sequence ids are passed over
   * @param hasColumns what HBase's scanners are told if they are to take this one's place
   */
  ViewScanner(
      StoreViews views,
      ViewedFiles files,
      HStore store,
      long readPoint,
      boolean cacheBlocks,
      boolean hasColumns) {
    this.views = views;
    this.files = files;
    this.view = files.view();
    this.comparator = store.getComparator();
    this.readPoint = readPoint;
    this.cache = store.getCacheConfig().getBlockCache().orElse(null);
    this.cacheBlocks = cacheBlocks;
    this.hasColumns = hasColumns;
    this.recent = views.recent().forScan();
    runs = new HFileRun[view.runs().size()];
    for (int r = 0; r < runs.length; r++) {
      StoreFileReader reader = files.reader(r);
      if (reader != null) {
        SpyhopAccess.hold(reader);
        wanted |= 1L << r;
      }
    }
  }

  /**
   * Leaves out the files that HBase would leave out, but for those that have no row of the scan: a
   * view never gets to them.
   */
  @Override
  public boolean shouldUseScanner(Scan scan, HStore store, long oldestUnexpired) {
    byte[] family = store.getColumnFamilyDescriptor().getName();
    TimeRange own = scan.getColumnFamilyTimeRange().get(family);
    TimeRange range = own == null ? scan.getTimeRange() : own;
    SortedSet<byte[]> columns = scan.getFamilyMap().get(family);
    for (int r = 0; r < runs.length; r++) {
      StoreFileReader reader = files.reader(r);
      if (reader != null && !SpyhopAccess.mayHave(reader, scan, range, columns, oldestUnexpired)) {
        wanted &= ~(1L << r);
      }
    }
    return wanted != 0;
  }

  private boolean isWanted(int rank) {
    return (wanted >>> rank & 1) != 0;
  }

  /** Whether the files that are not left out are some, and have their share of the keys. */
  boolean isWorthwhile() {
    long keys = 0;
    for (int r = 0; r < runs.length; r++) {
      keys += isWanted(r) ? view.runs().get(r).entries() : 0;
    }
    return Long.bitCount(wanted) > 1 && keys * MOST_PASSED >= view.keys();
  }

  /** HBase's scanners of the files that are not left out. */
  List<KeyValueScanner> openFiles() {
    List<KeyValueScanner> opened = new ArrayList<>();
    for (int r = 0; r < runs.length; r++) {
      if (isWanted(r)) {
        opened.add(files.open(r, cacheBlocks, readPoint, hasColumns));
      }
    }
    return opened;
  }

  /** Tells that a scan reads the view. */
  void use() {
    views.used();
  }

  private HFileRun open(int rank) {
    StoreFileReader reader = files.reader(rank);
    runs[rank] =
        HFileRun.of(
            reader.getHFileReader(),
            cache,
            recent,
            cacheBlocks,
            SpyhopAccess.shownSequence(reader),
            view.runs().get(rank));
    return runs[rank];
  }

  /** Whether the next cell of this scanner is of another row than the current one, or none. */
  boolean isNextAnotherRow() {
    return current != null && cursor.isNextAnotherRow();
  }

  /** Whether the next cell is of another column. */
  boolean isNextAnotherColumn() {
    return current != null && cursor.isNextAnotherColumn();
  }

  @Override
  public Cell peek() {
    return current;
  }

  @Override
  public Cell next() throws IOException {
    Cell passed = current;
    if (passed != null) {
      try {
        cursor.next();
        take();
      } catch (IOException | RuntimeException e) {
        throw failed(e);
      }
    }
    return passed;
  }

  @Override
  public boolean seek(Cell key) throws IOException {
    try {
      if (cursor == null) {
        cursor = new ViewCursor(view, comparator, wanted, this::open);
      }
      cursor.seek(key);
      return take();
    } catch (IOException | RuntimeException e) {
      throw failed(e);
    }
  }

  @Override
  public boolean reseek(Cell key) throws IOException {
    if (current == null) {
      return false;
    }
    try {
      if (!skips(key)) {
        if (PrivateCellUtil.compareKeyIgnoresMvcc(comparator, key, current) <= 0) {
          return true;
        }
        cursor.reseek(key);
      }
      return take();
    } catch (IOException | RuntimeException e) {
      throw failed(e);
    }
  }

  /** Goes on without a search if the key is the end of the current cell's row or column. */
  private boolean skips(Cell key) {
    if (key.getTypeByte() != KeyValue.Type.Minimum.getCode()
        || key.getTimestamp() != HConstants.OLDEST_TIMESTAMP
        || comparator.compareRows(key, current) != 0) {
      return false;
    }
    if (key.getFamilyLength() == 0 && key.getQualifierLength() == 0) {
      cursor.nextRow();
      return true;
    }
    if (CellUtil.matchingColumn(key, current)) {
      cursor.nextColumn();
      return true;
    }
    return false;
  }

  /** Takes the cell at the cursor, or the next that the scan may see. */
  private boolean take() throws IOException {
    Cell cell = cursor.cell();
    while (cell != null && cell.getSequenceId() > readPoint) {
      cursor.next();
      cell = cursor.cell();
    }
    current = cell;
    if (cell == null) {
      return false;
    }
    run = cursor.run();
    return true;
  }

  /**
   * The client asks again. What could not be read may be read then; but by then a view is not read
   * any more that may have sent the scan to where there is nothing.
   */
  private IOException failed(Exception e) {
    current = null;
    if (e instanceof FileNotFoundException gone) {
      return gone;
    }
    if (e instanceof IOException unread && !(e instanceof DamagedViewException)) {
      views.unread(view, unread);
      return unread;
    }
    views.failed(view, e);
    return new IOException("Could not read through the sorted view of " + view, e);
  }

  /** That of the current cell's file. */
  @Override
  public long getScannerOrder() {
    return files.order(run);
  }

  @Override
  public boolean isFileScanner() {
    return true;
  }

  @Override
  public void recordBlockSize(IntConsumer blockSizeConsumer) {
    if (runs[run] != null) {
      runs[run].recordBlockSize(blockSizeConsumer);
    }
  }

  /** That of one of the files; nobody finds them all by it. */
  @Override
  public Path getFilePath() {
    return wanted == 0
        ? null
        : files.reader(Long.numberOfTrailingZeros(wanted)).getHFileReader().getPath();
  }

  @Override
  public void shipped() {
    for (HFileRun r : runs) {
      if (r != null) {
        r.shipped();
      }
    }
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    current = null;
    for (int r = 0; r < runs.length; r++) {
      if (runs[r] != null) {
        runs[r].close();
      }
      if (files.reader(r) != null) {
        SpyhopAccess.letGo(files.reader(r));
      }
    }
  }
}
