package io.spyhop.server.view.store;

import io.spyhop.server.view.SortedView;
import io.spyhop.server.view.ViewCursor;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.IntConsumer;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.apache.hadoop.hbase.regionserver.NonReversedNonLazyKeyValueScanner;
import org.apache.hadoop.hbase.regionserver.SpyhopAccess;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.apache.hadoop.hbase.regionserver.StoreFileScanner;

/**
 * Reads several HFiles through a sorted view, cell by cell as a heap of their scanners would. It
 * owns those scanners, which are never moved, and closes them: they keep the files. Not
 * thread-safe.
 */
public final class ViewScanner extends NonReversedNonLazyKeyValueScanner {
  private final StoreViews views;
  private final SortedView view;
  private final CellComparator comparator;
  private final long readPoint;
  private final StoreFileScanner[] files;
  private final BlockCache cache;
  private final boolean cacheBlocks;
  private final HFileRun[] runs;
  private final ViewCursor cursor;
  private Cell current;
  private int run;
  private boolean closed;

  /**
   * @param files the scanners by the rank of their files in the view; null for files left out
   * @param readPoint cells with higher sequence ids are passed over
   */
  ViewScanner(
      StoreViews views,
      SortedView view,
      CellComparator comparator,
      StoreFileScanner[] files,
      long readPoint,
      BlockCache cache,
      boolean cacheBlocks) {
    this.views = views;
    this.view = view;
    this.comparator = comparator;
    this.files = files;
    this.readPoint = readPoint;
    this.cache = cache;
    this.cacheBlocks = cacheBlocks;
    runs = new HFileRun[files.length];
    long wanted = 0;
    for (int r = 0; r < files.length; r++) {
      wanted |= files[r] == null ? 0 : 1L << r;
    }
    cursor = new ViewCursor(view, comparator, wanted, this::open);
  }

  private HFileRun open(int rank) {
    StoreFileReader reader = SpyhopAccess.reader(files[rank]);
    runs[rank] =
        HFileRun.of(
            reader.getHFileReader(),
            cache,
            cacheBlocks,
            SpyhopAccess.shownSequence(reader),
            view.runs().get(rank));
    return runs[rank];
  }

  /**
   * Puts one scanner in place of those of files that are in a store's view; if they are fewer than
   * two the list stays as it is.
   */
  static List<KeyValueScanner> replace(
      List<KeyValueScanner> scanners, ViewStore store, long readPoint, boolean cacheBlocks) {
    StoreViews views = store.views();
    SortedView view = views == null ? null : views.current();
    if (view == null) {
      return scanners;
    }
    StoreFileScanner[] files = new StoreFileScanner[view.runs().size()];
    List<KeyValueScanner> others = new ArrayList<>(scanners.size());
    int found = 0;
    for (KeyValueScanner s : scanners) {
      int rank = rank(view, s);
      if (rank < 0) {
        others.add(s);
      } else {
        files[rank] = (StoreFileScanner) s;
        found++;
      }
    }
    if (found < 2) {
      return scanners;
    }
    if (!isAscending(files)) {
      views.failed(view, new IllegalStateException("HBase ranks the files in another way"));
      return scanners;
    }
    others.add(
        0,
        new ViewScanner(
            views,
            view,
            store.getComparator(),
            files,
            readPoint,
            store.getCacheConfig().getBlockCache().orElse(null),
            cacheBlocks));
    views.used(found);
    return others;
  }

  private static int rank(SortedView view, KeyValueScanner scanner) {
    if (!(scanner instanceof StoreFileScanner file)) {
      return -1;
    }
    StoreFileReader reader = SpyhopAccess.reader(file);
    return reader.getClass() == StoreFileReader.class
        ? view.rank(reader.getHFileReader().getPath().getName())
        : -1;
  }

  /** Of equal cells HBase takes that of the file with the higher order first. */
  private static boolean isAscending(StoreFileScanner[] files) {
    long before = -1;
    for (StoreFileScanner f : files) {
      if (f != null) {
        if (f.getScannerOrder() <= before) {
          return false;
        }
        before = f.getScannerOrder();
      }
    }
    return true;
  }

  @Override
  public Cell peek() {
    return current;
  }

  @Override
  public Cell next() throws IOException {
    Cell passed = current;
    if (passed != null) {
      cursor.next();
      settle();
    }
    return passed;
  }

  @Override
  public boolean seek(Cell key) throws IOException {
    try {
      cursor.seek(key);
    } catch (IOException | RuntimeException e) {
      throw failed(e);
    }
    return settle();
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
    } catch (IOException | RuntimeException e) {
      throw failed(e);
    }
    return settle();
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
  private boolean settle() throws IOException {
    try {
      current = cursor.cell();
      while (current != null && current.getSequenceId() > readPoint) {
        cursor.next();
        current = cursor.cell();
      }
      if (current != null) {
        run = cursor.run();
      }
    } catch (IOException | RuntimeException e) {
      throw failed(e);
    }
    return current != null;
  }

  /** The client asks again, and by then the view is not read any more. */
  private IOException failed(Exception e) throws FileNotFoundException {
    current = null;
    if (e instanceof FileNotFoundException gone) {
      throw gone;
    }
    views.failed(view, e);
    return new IOException("Could not read through the sorted view of " + view, e);
  }

  /** That of the current cell's file. */
  @Override
  public long getScannerOrder() {
    return files[run] == null ? 0 : files[run].getScannerOrder();
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
    return Arrays.stream(files)
        .filter(Objects::nonNull)
        .map(StoreFileScanner::getFilePath)
        .findFirst()
        .orElse(null);
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
      if (files[r] != null) {
        files[r].close();
      }
    }
  }
}
