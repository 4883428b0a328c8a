package io.spyhop.server.query.scan;

import io.spyhop.core.bucket.BucketOptions;
import io.spyhop.core.order.KeyOrderRequest;
import io.spyhop.core.order.OrderRefusedException;
import io.spyhop.server.memory.QueryMemory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.SpyhopAccess;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Hands out the rows of a bucket that an index finds, sorted by users' keys. They are held in the
 * query's memory, of a scan with a limit the first ones alone; where they do not fit, or the index
 * fails, the client merges the bucket's prefixes.
 */
public final class KeySortedScanner extends OwnedScanner {
  /** Bytes of rows after which the blocks are let go of that they were read from. */
  private static final long SHIP_BYTES = 64 << 10;

  private final Scan scan;
  private final KeyOrderRequest request;
  private final IndexScanner found;
  private final QueryMemory memory;
  private final Comparator<Row> order;
  private final int limit;
  private List<Row> rows = new ArrayList<>();
  private long held;
  private long unshipped;
  private boolean collected;
  private int next;
  private boolean closed;

  /** A row by its stored key, with copies of its cells. */
  private record Row(byte[] key, List<Cell> cells, long bytes) {
    private static int compare(Row one, Row other) {
      int width = BucketOptions.WIDTH;
      return Bytes.compareTo(
          one.key, width, one.key.length - width, other.key, width, other.key.length - width);
    }
  }

  /**
   * @param scan its filter is the one that asks for the order
   * @param found finds rows of the same scan in any order; is closed with this one
   * @param memory bounds the rows that are held; is closed with the scanner
   * @throws io.spyhop.core.order.OrderResetException if it is not the scan that the client asked
   *     for, or of more than this region
   * @throws DoNotRetryIOException if the scan takes rows in parts
   */
  public KeySortedScanner(
      HRegion region, Scan scan, KeyOrderRequest request, IndexScanner found, QueryMemory memory)
      throws IOException {
    super(region, found);
    KeyOrderScanner.requireWhole(region, scan, request);
    this.scan = scan;
    this.request = request;
    this.found = found;
    this.memory = memory;
    this.order = request.descending() ? (a, b) -> Row.compare(b, a) : Row::compare;
    this.limit = scan.getLimit() > 0 ? scan.getLimit() : Integer.MAX_VALUE;
  }

  @Override
  boolean serve(List<Cell> out, ScannerContext context) throws IOException {
    ScannerContext time = SpyhopAccess.timeOf(context);
    try {
      return collected || collect(time)
          ? handOut(out, context)
          : SpyhopAccess.setMore(context, true);
    } catch (OrderRefusedException e) {
      return refuse(e, scan, out, context);
    } finally {
      SpyhopAccess.addMetrics(context, time);
    }
  }

  /** Whether all rows are there; if not, the time is up. */
  private boolean collect(ScannerContext time) throws IOException {
    boolean more = true;
    while (more && !SpyhopAccess.isTimeUp(time)) {
      List<Cell> cells = new ArrayList<>();
      more = found.nextRaw(cells, time);
      if (!cells.isEmpty()) {
        take(cells);
      }
    }
    if (!more) {
      sort();
      collected = true;
    }
    return collected;
  }

  private void take(List<Cell> cells) throws IOException {
    byte[] key = CellUtil.cloneRow(cells.get(0));
    KeyOrderScanner.requireKey(key.length);
    if (request.has(key)) {
      long bytes = key.length + cells.stream().mapToLong(KeyOrderScanner::bytesOf).sum();
      cells.replaceAll(KeyValueUtil::copyToNewKeyValue);
      rows.add(new Row(key, cells, bytes));
      hold(bytes);
    }
    unshipped += cells.stream().mapToLong(KeyOrderScanner::bytesOf).sum();
    if (unshipped >= SHIP_BYTES) {
      found.letGo();
      unshipped = 0;
    }
  }

  private void hold(long bytes) throws OrderRefusedException {
    held += bytes;
    if (rows.size() / 2 >= limit || !memory.tryHold(held)) {
      sort();
    }
    if (!memory.tryHold(held)) {
      throw new OrderRefusedException(
          "the region's rows are more than spyhop.query.sort.budget or spyhop.query.memory has room"
              + " for");
    }
  }

  /** Leaves those that are wanted. */
  private void sort() {
    rows.sort(order);
    if (rows.size() > limit) {
      held -= rows.subList(limit, rows.size()).stream().mapToLong(Row::bytes).sum();
      rows = new ArrayList<>(rows.subList(0, limit));
    }
  }

  private boolean handOut(List<Cell> out, ScannerContext context) {
    if (next < rows.size()) {
      List<Cell> cells = rows.set(next, null).cells();
      next++;
      out.addAll(cells);
      SpyhopAccess.countRow(context, cells);
    }
    return SpyhopAccess.setMore(context, next < rows.size());
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
    if (!closed) {
      closed = true;
      memory.close();
      found.close();
    }
  }
}
