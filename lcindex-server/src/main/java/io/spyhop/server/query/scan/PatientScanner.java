package io.spyhop.server.query.scan;

import io.spyhop.core.predicate.PredicateFilter;
import io.spyhop.server.query.candidate.IndexedQuery;
import io.spyhop.server.query.plan.QueryPlanner;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.SpyhopAccess;

/**
 * Begins as the plain scan, which was expected to find the few rows that are asked for soon, and
 * goes on with an index behind the last of them if it does not.
 */
public final class PatientScanner extends IndexScanner {
  private final QueryRegion region;
  private final PredicateFilter filter;
  private final QueryPlanner.Patience patience;
  private byte[] last;
  private boolean scanning = true;

  /**
   * @param filter of the region's own scanner, the very instance
   * @param choice with patience, which says what the query is driven by
   */
  public PatientScanner(
      QueryRegion region,
      IndexedQuery query,
      QueryPlanner.Choice choice,
      PredicateFilter filter,
      RegionScanner core)
      throws IOException {
    super(region, query, choice, core);
    this.region = region;
    this.filter = filter;
    this.patience = choice.patience().orElseThrow();
    filter.pauseAfter(patience.rows());
  }

  @Override
  boolean advance(List<Cell> out, ScannerContext context) throws IOException {
    return scanning ? scan(out, context) : super.advance(out, context);
  }

  private boolean scan(List<Cell> out, ScannerContext context) throws IOException {
    boolean more = nextPlain(out, context);
    if (!out.isEmpty()) {
      last = CellUtil.cloneRow(out.get(0));
    }
    if (more || !filter.isPaused()) {
      return more;
    }
    takeOver();
    SpyhopAccess.setMore(context, true);
    return !out.isEmpty() || super.advance(out, context);
  }

  private void takeOver() throws IOException {
    scanning = false;
    filter.goOn();
    if (last != null) {
      startAfter(last);
    }
    region.metrics().scansTakenOver.increment();
  }

  /**
   * A scan that was asked to jump stays a scan to its end: an index would begin behind the last row
   * again.
   */
  @Override
  public synchronized boolean reseek(byte[] row) throws IOException {
    if (!scanning) {
      return super.reseek(row);
    }
    filter.goOn();
    return core.reseek(row);
  }

  @Override
  String fallback() {
    String also = super.fallback();
    if (scanning || !also.isEmpty()) {
      return also;
    }
    return "index '" + patience.index().name() + "' took over, as few rows were found soon";
  }
}
