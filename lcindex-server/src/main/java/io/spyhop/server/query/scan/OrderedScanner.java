package io.spyhop.server.query.scan;

import io.spyhop.core.order.OrderRefusedException;
import io.spyhop.core.order.OrderRequest;
import io.spyhop.core.order.ValuePosition;
import io.spyhop.core.predicate.KeyRanges;
import io.spyhop.core.value.ValueKey;
import io.spyhop.server.memory.QueryMemory;
import io.spyhop.server.metrics.Fallback;
import io.spyhop.server.query.candidate.IndexedQuery;
import io.spyhop.server.query.candidate.MemoryEntries;
import io.spyhop.server.query.candidate.OrderedSources;
import io.spyhop.server.query.candidate.UnreadableIndexException;
import io.spyhop.server.query.plan.QueryPlanner;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.SpyhopAccess;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands out a region's rows in the order of an indexed column's values, each whole and each once.
 *
 * <p>The region's own scanner stays open below, unmoved, and pins the read point; it cannot take
 * over, as its order is another. Whatever goes wrong ends the scan with a refusal ({@link
 * OrderRefusedException}), and the client sorts what is behind the last row that it has.
 */
public final class OrderedScanner extends QueryScanner {
  private static final Logger LOG = LoggerFactory.getLogger(OrderedScanner.class);

  private final QueryRegion region;
  private final IndexedQuery query;
  private final OrderRequest request;
  private final long limit;
  private final QueryPlanner.Ordering ordering;
  private final boolean mayEnd;
  private final QueryMemory memory;
  private OrderedSources sources;
  private OrderedWindow window;
  private Deque<List<Cell>> ready = new ArrayDeque<>();
  private String fallback = "";

  /**
   * @param limit how many rows are wanted at most
   * @param mayEnd whether the scan ends when rows that were read again in vain cost as much as
   *     reading all: what the condition asks of other columns may be true of few
   */
  public OrderedScanner(
      QueryRegion region,
      IndexedQuery query,
      OrderRequest request,
      QueryPlanner.Ordering ordering,
      long limit,
      boolean mayEnd,
      RegionScanner core)
      throws IOException {
    super(region, query.scan(), query.question(), ordering.plan(), core);
    this.region = region;
    this.query = query;
    this.request = request;
    this.limit = limit;
    this.ordering = ordering;
    this.mayEnd = mayEnd;
    this.memory = region.newOrderMemory();
  }

  @Override
  boolean advance(List<Cell> out, ScannerContext context) throws IOException {
    try {
      return served(out, context);
    } catch (OrderRefusedException e) {
      return refuse(e, query.scan(), out, context);
    }
  }

  private boolean served(List<Cell> out, ScannerContext context) throws IOException {
    try {
      return window == null && !begin(context) || nextRow(out, context);
    } catch (QueryMemory.ExhaustedException e) {
      throw refused(Fallback.MEMORY, e);
    } catch (MemoryEntries.UnkeyableException e) {
      throw refused(Fallback.NO_INDEX, e);
    } catch (UnreadableIndexException e) {
      e.see(region.indexes(), query.region());
      throw refused(e.reason(), e);
    } catch (RuntimeException e) {
      LOG.error("A defect in Spyhop; the client will sort rows of {}", query.region(), e);
      region.metrics().defects.increment();
      throw refused(Fallback.DEFECT, e);
    }
  }

  private OrderRefusedException refused(Fallback why, Exception cause) {
    fallback = why == Fallback.DEFECT ? "defect: " + cause : String.valueOf(cause.getMessage());
    region.fallBack(why);
    OrderRefusedException refusal = new OrderRefusedException(fallback);
    refusal.initCause(cause);
    return refusal;
  }

  /** Whether the sources are ready. */
  private boolean begin(ScannerContext context) throws IOException {
    if (sources == null) {
      sources =
          new OrderedSources(
              query,
              request.order().descending(),
              keys(),
              region.indexes(),
              region.statistics(),
              core.getMvccReadPoint(),
              counts,
              memory);
    }
    if (!sources.collect(() -> SpyhopAccess.isTimeUp(context))) {
      return false;
    }
    window =
        new OrderedWindow(
            query,
            request,
            sources.merge(),
            counts,
            memory,
            core.getMvccReadPoint(),
            limit,
            sources.heapSize());
    return true;
  }

  /** The keys of rows in the answer that the client does not have yet. */
  private KeyRanges keys() {
    ValueKey after = request.after().map(ValuePosition::value).map(v -> v.key()).orElse(null);
    if (after == null || after.isUnkeyable()) {
      return query.keys();
    }
    return query
        .keys()
        .intersect(
            request.order().descending() ? KeyRanges.of(null, after) : KeyRanges.of(after, null));
  }

  private boolean nextRow(List<Cell> out, ScannerContext context) throws IOException {
    while (ready.isEmpty()) {
      if (!window.collect(() -> SpyhopAccess.isTimeUp(context))) {
        return true;
      }
      long before = counts.candidates;
      ready = window.takeRows();
      SpyhopAccess.countScanned(context, counts.candidates - before);
      requireWorth();
      if (ready.isEmpty() && window.isOver()) {
        return SpyhopAccess.setMore(context, false);
      }
      if (ready.isEmpty() && SpyhopAccess.isTimeUp(context)) {
        return true;
      }
    }
    out.addAll(ready.remove());
    counts.rows++;
    SpyhopAccess.countRow(context, out);
    return SpyhopAccess.setMore(context, !ready.isEmpty() || !window.isOver());
  }

  /** Rows that were found stay: the client sorts what is behind the last one that it has. */
  private void requireWorth() throws OrderRefusedException {
    long inVain = counts.rereads - counts.rows;
    if (mayEnd
        && ready.isEmpty()
        && region.planner().isWorseThanScan(inVain, ordering.scanCost())) {
      String reason = inVain + " rows were read again in vain, and sorting is cheaper";
      throw refused(Fallback.REREADS, new IOException(reason));
    }
  }

  /** Rows do not come in the order of their keys. */
  @Override
  public synchronized boolean reseek(byte[] row) throws IOException {
    throw new DoNotRetryIOException("a scan in the order of values cannot seek a row");
  }

  @Override
  void release() {
    try {
      if (sources != null) {
        sources.close();
      }
    } finally {
      ready.clear();
      memory.close();
    }
  }

  @Override
  String fallback() {
    return fallback;
  }

  @Override
  public boolean isFilterDone() {
    return false;
  }
}
