package io.spyhop.server.query.scan;

import io.spyhop.core.protocol.RegionPlan;
import io.spyhop.server.index.stats.RowSpan;
import io.spyhop.server.query.plan.ScanPredicate;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.PackagePrivateFieldAccessor;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.SpyhopAccess;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The scan itself, but for the rows that cannot match: one scanner of the region after the other,
 * each for a span and all at the read point of the region's own, which stays open below. They stay
 * open to the end, as nobody says when their cells have been sent.
 */
public final class SegmentScanner extends QueryScanner {
  private final QueryRegion region;
  private final Scan scan;
  private final List<RowSpan> spans;
  private final List<RegionScanner> opened = new ArrayList<>();
  private RegionScanner current;

  public SegmentScanner(
      QueryRegion region,
      Scan scan,
      ScanPredicate question,
      RegionPlan plan,
      List<RowSpan> spans,
      RegionScanner core)
      throws IOException {
    super(region, scan, question, plan, core);
    this.region = region;
    this.scan = scan;
    this.spans = spans;
  }

  @Override
  boolean advance(List<Cell> out, ScannerContext context) throws IOException {
    while (current != null || openNext()) {
      int before = out.size();
      boolean more = current.nextRaw(out, context);
      boolean found = out.size() > before;
      counts.rows += found && !SpyhopAccess.isMidRow(context) ? 1 : 0;
      if (more) {
        return true;
      }
      current = null;
      if (found) {
        return SpyhopAccess.setMore(context, opened.size() < spans.size());
      }
    }
    return SpyhopAccess.setMore(context, false);
  }

  private boolean openNext() throws IOException {
    if (opened.size() == spans.size()) {
      return false;
    }
    RowSpan span = spans.get(opened.size());
    Scan part = new Scan(scan).withStartRow(span.start(), true).withStopRow(span.stop(), false);
    PackagePrivateFieldAccessor.setMvccReadPoint(part, getMvccReadPoint());
    current = region.region().getScanner(part);
    opened.add(current);
    return true;
  }

  @Override
  void letGo() throws IOException {
    for (RegionScanner s : opened) {
      letGo(s);
    }
  }

  @Override
  void release() throws IOException {
    for (RegionScanner s : opened) {
      s.close();
    }
  }

  @Override
  String fallback() {
    return "";
  }

  @Override
  public boolean isFilterDone() throws IOException {
    return current != null && current.isFilterDone();
  }

  @Override
  public synchronized boolean reseek(byte[] row) throws IOException {
    while (current != null || openNext()) {
      byte[] stop = spans.get(opened.size() - 1).stop();
      if (stop.length == 0 || Bytes.compareTo(row, stop) < 0) {
        return current.reseek(row);
      }
      current = null;
    }
    return false;
  }
}
