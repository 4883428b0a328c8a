package io.spyhop.server.query.scan;

import io.spyhop.core.protocol.RegionPlan;
import io.spyhop.server.query.plan.ScanPredicate;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.SpyhopAccess;

/**
 * The region's own scanner, watched: a query that no index answers has rows and time to report too.
 * HBase goes on telling the region's own scanner when its cells were sent.
 */
public final class PlainScanner extends QueryScanner {
  public PlainScanner(
      QueryRegion region, Scan scan, ScanPredicate question, RegionPlan plan, RegionScanner core)
      throws IOException {
    super(region, scan, question, plan, core);
  }

  @Override
  boolean advance(List<Cell> out, ScannerContext context) throws IOException {
    int before = out.size();
    boolean more = core.nextRaw(out, context);
    counts.rows += out.size() > before && !SpyhopAccess.isMidRow(context) ? 1 : 0;
    return more;
  }

  @Override
  void release() {
    // There is nothing above the region's own scanner.
  }

  @Override
  String fallback() {
    return "";
  }

  @Override
  public boolean isFilterDone() throws IOException {
    return core.isFilterDone();
  }

  @Override
  public synchronized boolean reseek(byte[] row) throws IOException {
    return core.reseek(row);
  }
}
