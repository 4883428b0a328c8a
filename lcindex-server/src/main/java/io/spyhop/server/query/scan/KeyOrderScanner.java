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
import org.apache.hadoop.hbase.client.PackagePrivateFieldAccessor;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.Shipper;
import org.apache.hadoop.hbase.regionserver.SpyhopAccess;

/**
 * Hands out the rows of a bucket in the order of users' keys, each whole: a scanner of each of its
 * prefixes, all at the read point of the region's own, merged. So a client who wants the table in
 * that order merges as many runs as there are regions, and not as many as there are prefixes. Rows
 * are held as far as the query's memory goes; of others only the key is, and they are read twice.
 * Runs of wide rows have no open scanner.
 */
public final class KeyOrderScanner extends OwnedScanner {
  /** Runs are open all at once; clients merge those of a region that has more. */
  private static final int MOST_RUNS = 1024;

  /** Bytes of rows after which a run lets go of the blocks that it has read. */
  private static final long SHIP_BYTES = 64 << 10;

  private final HRegion region;
  private final Scan scan;
  private final boolean descending;
  private final List<Run> runs;
  private final QueryMemory memory;
  private final RegionScanner[] opened;
  private final byte[][] last;
  private final long[] unshipped;
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
      List<Run> runs,
      QueryMemory memory,
      RegionScanner core)
      throws IOException {
    super(region, core);
    this.region = region;
    this.scan = scan;
    this.descending = descending;
    this.runs = runs;
    this.memory = memory;
    this.opened = new RegionScanner[runs.size()];
    this.last = new byte[runs.size()][];
    this.unshipped = new long[runs.size()];
    this.tree = new LoserTree<>(runs.size(), descending);
  }

  /**
   * Opens one.
   *
   * @param scan has no other filter than the one that asks for the order
   * @param memory bounds the rows that are held; is closed with the scanner
   * @throws io.spyhop.core.order.OrderResetException if it is not the scan that the client asked
   *     for, or of more than this region
   * @throws OrderRefusedException if the client has to merge
   * @throws DoNotRetryIOException if the table has no buckets, or the scan takes rows in parts
   */
  public static RegionScanner open(
      HRegion region, Scan scan, KeyOrderRequest request, QueryMemory memory, RegionScanner core)
      throws IOException {
    ScanChecks.requireAsAsked(region.getRegionInfo(), scan, request.start());
    if (scan.isReversed() || scan.getBatch() > 0) {
      throw refused(region, "only whole rows come in the order of users' keys");
    }
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
    return new KeyOrderScanner(region, scan, request.descending(), runs, memory, core);
  }

  private static DoNotRetryIOException refused(HRegion region, String why) {
    return new DoNotRetryIOException(
        "table '" + region.getTableDescriptor().getTableName() + "': " + why);
  }

  @Override
  public synchronized boolean nextRaw(List<Cell> out, ScannerContext context) throws IOException {
    checkOwner();
    try {
      return handOut(out, context);
    } catch (OrderRefusedException e) {
      return refuse(e, scan, out, context);
    }
  }

  private boolean handOut(List<Cell> out, ScannerContext context) throws IOException {
    if (!begun) {
      begin();
    } else if (handedOut) {
      handedOut = false;
      advance(tree.first());
    }
    if (tree.first() < 0) {
      return SpyhopAccess.setMore(context, false);
    }
    Head head = tree.head();
    held -= head.bytes();
    List<Cell> row = head.cells() != null ? head.cells() : readAgain(head.row());
    out.addAll(row);
    SpyhopAccess.countRow(context, row);
    handedOut = true;
    return SpyhopAccess.setMore(context, true);
  }

  private void begin() throws IOException {
    for (int i = 0; i < opened.length; i++) {
      Head head = read(i);
      if (head != null) {
        byte[] row = head.row();
        tree.set(i, head, row, BucketOptions.WIDTH, row.length - BucketOptions.WIDTH);
      }
    }
    tree.begin();
    begun = true;
  }

  /** What is left of a run. */
  private Scan scan(int run) throws IOException {
    Scan part = part();
    byte[] start = runs.get(run).start();
    byte[] stop = runs.get(run).stop();
    byte[] behind = last[run];
    if (descending) {
      part.setReversed(true).withStopRow(start, true);
      return behind != null
          ? part.withStartRow(behind, false)
          : part.withStartRow(stop, stop.length == 0);
    }
    part.withStopRow(stop, false);
    return behind != null ? part.withStartRow(behind, false) : part.withStartRow(start, true);
  }

  private Scan part() throws IOException {
    Scan part = new Scan(scan).setFilter(null).setLimit(-1).setReadType(Scan.ReadType.PREAD);
    PackagePrivateFieldAccessor.setMvccReadPoint(part, getMvccReadPoint());
    return part;
  }

  private void advance(int run) throws IOException {
    Head head = read(run);
    if (head == null) {
      tree.end();
      return;
    }
    byte[] row = head.row();
    tree.replace(head, row, BucketOptions.WIDTH, row.length - BucketOptions.WIDTH);
  }

  /** The next row of a run; null after the last. */
  private Head read(int run) throws IOException {
    if (opened[run] == null) {
      opened[run] = region.getScanner(scan(run));
    }
    List<Cell> cells = nextRow(opened[run]);
    if (cells.isEmpty()) {
      close(run);
      return null;
    }
    requireKey(cells.get(0));
    byte[] row = CellUtil.cloneRow(cells.get(0));
    long bytes = cells.stream().mapToLong(KeyOrderScanner::bytesOf).sum();
    Head head;
    if (memory.tryHold(held + row.length + bytes)) {
      head = new Head(row, copies(cells), row.length + bytes);
    } else if (memory.tryHold(held + row.length)) {
      head = new Head(row, null, row.length);
    } else {
      throw new OrderRefusedException(
          "the first keys of the region's prefixes are more than spyhop.query.sort.budget or"
              + " spyhop.query.memory has room for");
    }
    held += head.bytes();
    last[run] = row;
    letGo(run, bytes);
    return head;
  }

  /**
   * A scanner has the block of its next cell in memory, and that of a wide row is as wide: it is
   * closed, and opened again behind the row, which costs little beside reading such rows.
   */
  private void letGo(int run, long bytes) throws IOException {
    unshipped[run] += bytes;
    if (bytes >= SHIP_BYTES) {
      close(run);
    } else if (unshipped[run] >= SHIP_BYTES && opened[run] instanceof Shipper shipper) {
      shipper.shipped();
      unshipped[run] = 0;
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

  private static List<Cell> nextRow(RegionScanner from) throws IOException {
    List<Cell> cells = new ArrayList<>();
    boolean more;
    do {
      more = from.nextRaw(cells);
    } while (more && cells.isEmpty());
    return cells;
  }

  /** A copy's bytes. */
  private static long bytesOf(Cell cell) {
    return (long) KeyValue.FIXED_OVERHEAD + PrivateCellUtil.estimatedSerializedSizeOf(cell);
  }

  /** As nobody says when cells have been sent. */
  private static List<Cell> copies(List<Cell> cells) {
    cells.replaceAll(KeyValueUtil::copyToNewKeyValue);
    return cells;
  }

  /** A row for which there was no room, at the same read point. */
  private List<Cell> readAgain(byte[] row) throws IOException {
    Scan one = part().withStartRow(row, true).withStopRow(row, true);
    try (RegionScanner scanner = region.getScanner(one)) {
      return copies(nextRow(scanner));
    }
  }

  /** Rows that were written without Spyhop's client; the client says so. */
  private static void requireKey(Cell key) throws OrderRefusedException {
    if (key.getRowLength() <= BucketOptions.WIDTH) {
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
      for (int i = 0; i < opened.length; i++) {
        close(i);
      }
    } finally {
      memory.close();
      core.close();
    }
  }
}
