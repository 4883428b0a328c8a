package io.spyhop.server.query.scan;

import io.spyhop.core.order.KeyOrderRequest;
import io.spyhop.core.order.KeyOrderRequest.Run;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.client.PackagePrivateFieldAccessor;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.Shipper;
import org.apache.hadoop.hbase.regionserver.SpyhopAccess;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Reads the rows of a bucket's prefixes, each prefix a sorted run, all at one read point. One
 * scanner that jumps from run to run reads their first rows, and a run gets a scanner of its own
 * with its second. Not thread-safe.
 */
final class KeyRuns implements Closeable {
  /** Bytes of rows after which a scanner lets go of the blocks that it has read. */
  private static final long SHIP_BYTES = 64 << 10;

  private final HRegion region;
  private final Scan scan;
  private final KeyOrderRequest request;
  private final List<Run> runs;
  private final long readPoint;
  private final RegionScanner[] opened;
  private final byte[][] last;
  private final long[] unshipped;
  private final boolean jumps;
  private RegionScanner jumping;

  /** The first run whose first row was not read yet. */
  private int first;

  /** The outcome of reading a row. */
  enum Step {
    ROW,
    END,
    /** The time is up, and there may be more. */
    PAUSE
  }

  /** Takes a row, whose cells are to be copied before it returns. */
  @FunctionalInterface
  interface Taker {
    void take(int run, List<Cell> row) throws IOException;
  }

  /**
   * @param scan what is selected of rows; its filter does not count
   * @throws org.apache.hadoop.hbase.DoNotRetryIOException if the request's filter cannot be made
   *     here
   */
  KeyRuns(HRegion region, Scan scan, KeyOrderRequest request, List<Run> runs, long readPoint)
      throws IOException {
    this.region = region;
    this.scan = scan;
    this.request = request;
    this.runs = runs;
    this.readPoint = readPoint;
    this.opened = new RegionScanner[runs.size()];
    this.last = new byte[runs.size()][];
    this.unshipped = new long[runs.size()];
    this.jumps = !request.descending() && RowWiseFilters.has(filter());
  }

  int size() {
    return runs.size();
  }

  private Filter filter() throws IOException {
    return request.newFilter().orElse(null);
  }

  /**
   * Reads the first row of each run that has one.
   *
   * @param time when to pause
   * @return false if it has paused, and is to be called again
   */
  boolean readFirst(ScannerContext time, Taker taker) throws IOException {
    while (first < runs.size()) {
      List<Cell> row = new ArrayList<>();
      Step step = jumps ? jump(row, time) : next(first, row, time);
      if (step == Step.PAUSE) {
        return false;
      }
      if (step == Step.ROW) {
        taker.take(first, row);
      }
      first++;
    }
    closeJumping();
    return true;
  }

  /** The first row from {@link #first} on, which is moved to the run that has it. */
  private Step jump(List<Cell> row, ScannerContext time) throws IOException {
    if (jumping == null) {
      jumping = region.getScanner(jumpingScan());
    }
    while (first < runs.size()) {
      byte[] start = runs.get(first).start();
      if (start.length > 0) {
        jumping.reseek(start);
      }
      row.clear();
      Step step = read(jumping, row, time);
      if (step != Step.ROW) {
        first = step == Step.END ? runs.size() : first;
        return step;
      }
      byte[] found = CellUtil.cloneRow(row.get(0));
      while (first < runs.size() && isBehind(found, runs.get(first).stop())) {
        first++;
      }
      if (first < runs.size() && Bytes.compareTo(found, runs.get(first).start()) >= 0) {
        last[first] = found;
        return Step.ROW;
      }
    }
    return Step.END;
  }

  private static boolean isBehind(byte[] row, byte[] stop) {
    return stop.length > 0 && Bytes.compareTo(row, stop) >= 0;
  }

  /** A filter that rejects rows would go through all that is between two runs. */
  private Scan jumpingScan() throws IOException {
    Filter passed = filter();
    Scan all =
        part(null)
            .withStartRow(runs.get(first).start(), true)
            .withStopRow(runs.get(runs.size() - 1).stop(), false);
    if (passed == null) {
      return all;
    }
    List<MultiRowRangeFilter.RowRange> ranges = new ArrayList<>();
    for (Run run : runs) {
      ranges.add(new MultiRowRangeFilter.RowRange(run.start(), true, run.stop(), false));
    }
    return all.setFilter(new FilterList(new MultiRowRangeFilter(ranges), passed));
  }

  /**
   * Reads the next row of a run.
   *
   * @param time when to pause
   */
  Step next(int run, List<Cell> row, ScannerContext time) throws IOException {
    if (opened[run] == null) {
      opened[run] = region.getScanner(scan(run));
    }
    Step step = read(opened[run], row, time);
    if (step == Step.END) {
      close(run);
    } else if (step == Step.ROW) {
      last[run] = CellUtil.cloneRow(row.get(0));
    }
    return step;
  }

  /** What is left of a run. */
  private Scan scan(int run) throws IOException {
    Scan part = part(filter());
    byte[] start = runs.get(run).start();
    byte[] stop = runs.get(run).stop();
    byte[] behind = last[run];
    if (request.descending()) {
      part.setReversed(true).withStopRow(start, true);
      return behind != null
          ? part.withStartRow(behind, false)
          : part.withStartRow(stop, stop.length == 0);
    }
    part.withStopRow(stop, false);
    return behind != null ? part.withStartRow(behind, false) : part.withStartRow(start, true);
  }

  private Scan part(Filter filter) throws IOException {
    Scan part = new Scan(scan).setFilter(filter).setLimit(-1).setReadType(Scan.ReadType.PREAD);
    PackagePrivateFieldAccessor.setMvccReadPoint(part, readPoint);
    return part;
  }

  private static Step read(RegionScanner from, List<Cell> row, ScannerContext time)
      throws IOException {
    boolean more = true;
    while (row.isEmpty()) {
      if (!more) {
        return Step.END;
      }
      more = from.nextRaw(row, time);
      if (row.isEmpty() && more && SpyhopAccess.isTimeUp(time)) {
        return Step.PAUSE;
      }
    }
    return Step.ROW;
  }

  /** The cells of a row that was read before. */
  List<Cell> again(byte[] row) throws IOException {
    List<Cell> cells = new ArrayList<>();
    Scan one = part(filter()).withStartRow(row, true).withStopRow(row, true);
    try (RegionScanner scanner = region.getScanner(one)) {
      read(scanner, cells, SpyhopAccess.unlimited());
      cells.replaceAll(KeyValueUtil::copyToNewKeyValue);
    }
    return cells;
  }

  /**
   * A row of so many bytes has been copied. A scanner has the block of its next cell in memory, and
   * that of a wide row is as wide: it is closed, and opened again behind the row, which costs
   * little beside reading such rows.
   */
  void letGo(int run, long bytes) throws IOException {
    RegionScanner open = opened[run] == null ? jumping : opened[run];
    unshipped[run] += bytes;
    if (bytes >= SHIP_BYTES) {
      close(run);
      closeJumping();
    } else if (unshipped[run] >= SHIP_BYTES && open instanceof Shipper shipper) {
      shipper.shipped();
      unshipped[run] = 0;
    }
  }

  private void closeJumping() throws IOException {
    if (jumping != null) {
      jumping.close();
      jumping = null;
    }
  }

  private void close(int run) throws IOException {
    RegionScanner open = opened[run];
    opened[run] = null;
    unshipped[run] = 0;
    if (open != null) {
      open.close();
    }
  }

  @Override
  public void close() throws IOException {
    try {
      closeJumping();
    } finally {
      for (int i = 0; i < opened.length; i++) {
        close(i);
      }
    }
  }
}
