package io.spyhop.server.query;

import io.spyhop.core.bucket.BucketKeys;
import io.spyhop.core.bucket.BucketOptions;
import io.spyhop.core.bucket.InvalidBucketsException;
import io.spyhop.core.order.KeyOrderRequest;
import io.spyhop.core.order.KeyOrderRequest.Run;
import io.spyhop.core.order.LoserTree;
import io.spyhop.core.order.OrderRefusedException;
import io.spyhop.server.view.store.BackwardStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.KeyValueUtil;
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
 * that order merges as many runs as there are regions, and not as many as there are prefixes.
 */
final class KeyOrderScanner extends OwnedScanner {
  /** Runs are open all at once; clients merge those of a region that has more. */
  private static final int MOST_RUNS = 1024;

  private static final int SHIP_EVERY = 64;

  private final HRegion region;
  private final Scan scan;
  private final boolean descending;
  private final List<Run> runs;
  private final List<RegionScanner> opened = new ArrayList<>();
  private final LoserTree<List<Cell>> tree;
  private boolean begun;
  private boolean handedOut;
  private int sinceShipped;
  private boolean closed;

  private KeyOrderScanner(
      HRegion region, Scan scan, boolean descending, List<Run> runs, RegionScanner core)
      throws IOException {
    super(region, core);
    this.region = region;
    this.scan = scan;
    this.descending = descending;
    this.runs = runs;
    this.tree = new LoserTree<>(runs.size(), descending);
  }

  /**
   * Opens one.
   *
   * @param scan has no other filter than the one that asks for the order
   * @throws io.spyhop.core.order.OrderResetException if it is not the scan that the client asked
   *     for, or of more than this region
   * @throws OrderRefusedException if the client has to merge
   * @throws DoNotRetryIOException if the table has no buckets, or the scan takes rows in parts
   */
  static RegionScanner open(HRegion region, Scan scan, KeyOrderRequest request, RegionScanner core)
      throws IOException {
    OrderedQueries.requireAsAsked(region.getRegionInfo(), scan, request.start());
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
    return new KeyOrderScanner(region, scan, request.descending(), runs, core);
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
    List<Cell> row = tree.head();
    out.addAll(row);
    SpyhopAccess.countRow(context, row);
    handedOut = true;
    return SpyhopAccess.setMore(context, true);
  }

  private void begin() throws IOException {
    for (int i = opened.size(); i < runs.size(); i++) {
      opened.add(region.getScanner(scan(runs.get(i))));
    }
    for (int i = 0; i < opened.size(); i++) {
      List<Cell> row = read(opened.get(i));
      if (!row.isEmpty()) {
        Cell key = row.get(0);
        requireKey(key);
        tree.set(
            i,
            row,
            key.getRowArray(),
            key.getRowOffset() + BucketOptions.WIDTH,
            key.getRowLength() - BucketOptions.WIDTH);
      }
    }
    tree.begin();
    begun = true;
  }

  private Scan scan(Run run) throws IOException {
    Scan part = new Scan(scan).setFilter(null).setLimit(-1).setReadType(Scan.ReadType.PREAD);
    if (descending) {
      part.setReversed(true).withStartRow(run.stop(), run.stop().length == 0);
      part.withStopRow(run.start(), true);
    } else {
      part.withStartRow(run.start(), true).withStopRow(run.stop(), false);
    }
    PackagePrivateFieldAccessor.setMvccReadPoint(part, getMvccReadPoint());
    return part;
  }

  private void advance(int run) throws IOException {
    List<Cell> row = read(opened.get(run));
    if (row.isEmpty()) {
      tree.end();
      return;
    }
    Cell key = row.get(0);
    requireKey(key);
    tree.replace(
        row,
        key.getRowArray(),
        key.getRowOffset() + BucketOptions.WIDTH,
        key.getRowLength() - BucketOptions.WIDTH);
  }

  /** The next row, copied, as nobody says when its cells have been sent; empty after the last. */
  private List<Cell> read(RegionScanner from) throws IOException {
    List<Cell> cells = new ArrayList<>();
    boolean more;
    do {
      more = from.nextRaw(cells);
    } while (more && cells.isEmpty());
    cells.replaceAll(KeyValueUtil::copyToNewKeyValue);
    if (++sinceShipped >= SHIP_EVERY && from instanceof Shipper shipper) {
      shipper.shipped();
      sinceShipped = 0;
    }
    return cells;
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
      for (RegionScanner run : opened) {
        run.close();
      }
    } finally {
      core.close();
    }
  }
}
