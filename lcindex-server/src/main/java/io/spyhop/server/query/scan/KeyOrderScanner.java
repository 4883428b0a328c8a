package io.spyhop.server.query.scan;

import io.spyhop.core.bucket.BucketKeys;
import io.spyhop.core.bucket.BucketOptions;
import io.spyhop.core.bucket.InvalidBucketsException;
import io.spyhop.core.order.KeyOrderRequest;
import io.spyhop.core.order.KeyOrderRequest.Run;
import io.spyhop.core.order.LoserTree;
import io.spyhop.core.order.OrderRefusedException;
import io.spyhop.server.memory.QueryMemory;
import io.spyhop.server.query.plan.ScanChecks;
import io.spyhop.server.view.store.BackwardStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.SpyhopAccess;

/**
 * Hands out the rows of a bucket in the order of users' keys, each whole: the runs of its prefixes,
 * all at the read point of the region's own scanner, merged. So a client who wants the table in
 * that order merges as many runs as there are regions, and not as many as there are prefixes.
 *
 * <p>One scanner that jumps from run to run finds the first row of each; a run has a scanner of its
 * own when its second row is needed. Rows are held as far as the query's memory goes; of others
 * only the key is, and they are read twice. Runs of wide rows have no open scanner.
 */
public final class KeyOrderScanner extends OwnedScanner {
  /** Clients merge the runs of a region that has more. */
  private static final int MOST_RUNS = 1024;

  private final Scan scan;
  private final KeyRuns runs;
  private final QueryMemory memory;
  private final LoserTree<Head> tree;
  private long held;
  private boolean begun;
  private boolean handedOut;
  private boolean closed;

  /**
   * The next row of a run.
   *
   * @param row its stored key
   * @param cells copies of its cells; null where there was no room for them, so that they are read
   *     again when the row is the first
   * @param bytes that it holds
   */
  private record Head(byte[] row, List<Cell> cells, long bytes) {}

  private KeyOrderScanner(
      HRegion region,
      Scan scan,
      boolean descending,
      KeyRuns runs,
      QueryMemory memory,
      RegionScanner core)
      throws IOException {
    super(region, core);
    this.scan = scan;
    this.runs = runs;
    this.memory = memory;
    this.tree = new LoserTree<>(runs.size(), descending);
  }

  /**
   * Opens one.
   *
   * @param scan its filter is the one that asks for the order
   * @param memory bounds the rows that are held; is closed with the scanner
   * @throws io.spyhop.core.order.OrderResetException if it is not the scan that the client asked
   *     for, or of more than this region
   * @throws OrderRefusedException if the client has to merge
   * @throws DoNotRetryIOException if the table has no buckets, or the scan takes rows in parts
   */
  public static RegionScanner open(
      HRegion region, Scan scan, KeyOrderRequest request, QueryMemory memory, RegionScanner core)
      throws IOException {
    requireWhole(region, scan, request);
    List<Run> runs;
    try {
      BucketKeys keys =
          BucketOptions.of(region.getTableDescriptor())
              .orElseThrow(() -> refused(region, "it has no buckets, and no order of users' keys"))
              .keys();
      runs = request.runs(keys, scan.getStartRow(), scan.getStopRow());
    } catch (InvalidBucketsException e) {
      throw new DoNotRetryIOException(e.getMessage(), e);
    }
    if (request.descending() && !BackwardStore.isEverywhereIn(region)) {
      throw new OrderRefusedException("HBase's own reversed scans may lose rows beside flushes");
    }
    if (runs.size() > MOST_RUNS) {
      throw new OrderRefusedException(
          "the region has " + runs.size() + " prefixes, and merges " + MOST_RUNS + " at most");
    }
    KeyRuns rows = new KeyRuns(region, scan, request, runs, core.getMvccReadPoint());
    return new KeyOrderScanner(region, scan, request.descending(), rows, memory, core);
  }

  /** Checks that it is the scan that the client asked for, and one of whole rows. */
  static void requireWhole(HRegion region, Scan scan, KeyOrderRequest request) throws IOException {
    ScanChecks.requireAsAsked(region.getRegionInfo(), scan, request.start());
    if (scan.isReversed() || scan.getBatch() > 0) {
      throw refused(region, "only whole rows come in the order of users' keys");
    }
  }

  private static DoNotRetryIOException refused(HRegion region, String why) {
    return new DoNotRetryIOException(
        "table '" + region.getTableDescriptor().getTableName() + "': " + why);
  }

  @Override
  boolean serve(List<Cell> out, ScannerContext context) throws IOException {
    ScannerContext time = SpyhopAccess.timeOf(context);
    try {
      return handOut(out, context, time);
    } catch (OrderRefusedException e) {
      return refuse(e, scan, out, context);
    } finally {
      SpyhopAccess.addMetrics(context, time);
    }
  }

  private boolean handOut(List<Cell> out, ScannerContext context, ScannerContext time)
      throws IOException {
    if (!isBegun(time) || handedOut && !advance(tree.first(), time)) {
      return SpyhopAccess.setMore(context, true);
    }
    handedOut = false;
    if (tree.first() < 0) {
      return SpyhopAccess.setMore(context, false);
    }
    Head head = tree.head();
    held -= head.bytes();
    List<Cell> row = head.cells() != null ? head.cells() : runs.again(head.row());
    out.addAll(row);
    SpyhopAccess.countRow(context, row);
    handedOut = true;
    return SpyhopAccess.setMore(context, true);
  }

  /** Whether the first row of each run is known; if not, the time is up. */
  private boolean isBegun(ScannerContext time) throws IOException {
    if (!begun && runs.readFirst(time, this::begin)) {
      begun = true;
      tree.begin();
    }
    return begun;
  }

  private void begin(int run, List<Cell> cells) throws IOException {
    Head head = held(run, cells);
    byte[] row = head.row();
    tree.set(run, head, row, BucketOptions.WIDTH, row.length - BucketOptions.WIDTH);
  }

  /** Whether the next row of a run is known; if not, the time is up. */
  private boolean advance(int run, ScannerContext time) throws IOException {
    List<Cell> cells = new ArrayList<>();
    switch (runs.next(run, cells, time)) {
      case PAUSE -> {
        return false;
      }
      case END -> tree.end();
      case ROW -> {
        Head head = held(run, cells);
        byte[] row = head.row();
        tree.replace(head, row, BucketOptions.WIDTH, row.length - BucketOptions.WIDTH);
      }
    }
    return true;
  }

  private Head held(int run, List<Cell> cells) throws IOException {
    byte[] row = CellUtil.cloneRow(cells.get(0));
    requireKey(row.length);
    long bytes = cells.stream().mapToLong(KeyOrderScanner::bytesOf).sum();
    Head head;
    if (memory.tryHold(held + row.length + bytes)) {
      cells.replaceAll(KeyValueUtil::copyToNewKeyValue); // nobody says when they have been sent
      head = new Head(row, cells, row.length + bytes);
    } else if (memory.tryHold(held + row.length)) {
      head = new Head(row, null, row.length);
    } else {
      throw new OrderRefusedException(
          "the first keys of the region's prefixes are more than spyhop.query.sort.budget or"
              + " spyhop.query.memory has room for");
    }
    held += head.bytes();
    runs.letGo(run, bytes);
    return head;
  }

  /** A copy's bytes. */
  static long bytesOf(Cell cell) {
    return (long) KeyValue.FIXED_OVERHEAD + PrivateCellUtil.estimatedSerializedSizeOf(cell);
  }

  /** Rows that were written without Spyhop's client; the client says so. */
  static void requireKey(int length) throws OrderRefusedException {
    if (length <= BucketOptions.WIDTH) {
      throw new OrderRefusedException("there is a row without a key behind the prefix");
    }
  }

  /** Rows do not come in the order in which they are stored. */
  @Override
  public synchronized boolean reseek(byte[] row) throws IOException {
    throw new DoNotRetryIOException("a scan in the order of users' keys cannot seek a row");
  }

  @Override
  public boolean isFilterDone() {
    return false;
  }

  @Override
  public synchronized void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try {
      runs.close();
    } finally {
      memory.close();
      core.close();
    }
  }
}
