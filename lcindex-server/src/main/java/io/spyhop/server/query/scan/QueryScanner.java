package io.spyhop.server.query.scan;

import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.protocol.RegionPlan;
import io.spyhop.core.trace.Work;
import io.spyhop.server.query.plan.ScanPredicate;
import io.spyhop.server.query.report.QueryCounts;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;

/** A scanner that counts what it does, and reports at its end. Thread-safe as HBase's own. */
abstract class QueryScanner extends OwnedScanner {
  /** What was done so far. */
  protected final QueryCounts counts = new QueryCounts();

  /** What traces show of it. */
  protected final Work work;

  private final QueryRegion region;
  private final Scan scan;
  private final ScanPredicate question;
  private final RegionPlan plan;
  private boolean ended;
  private boolean closed;

  QueryScanner(
      QueryRegion region, Scan scan, ScanPredicate question, RegionPlan plan, RegionScanner core)
      throws IOException {
    super(region.region(), core);
    this.region = region;
    this.scan = scan;
    this.question = question;
    this.plan = plan;
    this.work = Work.begin(Work.Kind.REGION, scan.getAttribute(Attributes.TRACE));
  }

  /** As {@link #serve}, which takes the time. */
  abstract boolean advance(List<Cell> out, ScannerContext context) throws IOException;

  /** Gives back what is held above the region's own scanner. */
  abstract void release() throws IOException;

  /** Why the region's own scanner took over, or empty. */
  abstract String fallback();

  @Override
  final boolean serve(List<Cell> out, ScannerContext context) throws IOException {
    long begin = System.nanoTime();
    boolean more;
    try {
      more = advance(out, context);
    } finally {
      counts.nanos += System.nanoTime() - begin;
    }
    if (!more) {
      end();
    }
    return more;
  }

  /**
   * HBase closes a scanner after the client has its last row, who may ask for the report before.
   */
  private void end() {
    if (!ended) {
      ended = true;
      try {
        region.ended(scan, question, plan.with(actual()));
      } finally {
        endWork();
      }
    }
  }

  private void endWork() {
    if (work.isRecorded()) {
      work.name("table", region.table())
          .name("region", plan.region())
          .name("path", plan.path().name())
          .name("index", plan.driving())
          .name("fell_back", Boolean.toString(!fallback().isEmpty()))
          .count("rows", counts.rows)
          .count("records", counts.records)
          .count("candidates", counts.candidates)
          .count("rereads", counts.rereads)
          .count("uncovered_cells", counts.uncoveredCells);
    }
    work.close();
  }

  @Override
  public final synchronized void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try {
      release();
    } finally {
      core.close();
    }
    end();
  }

  private RegionPlan.Actual actual() {
    return new RegionPlan.Actual(
        counts.records,
        counts.uncoveredCells,
        counts.candidates,
        counts.rereads,
        counts.rows,
        counts.nanos,
        fallback());
  }
}
