package io.spyhop.server.query.scan;

import io.spyhop.core.trace.Work;
import io.spyhop.server.index.local.CorruptIndexFileException;
import io.spyhop.server.memory.QueryMemory;
import io.spyhop.server.metrics.Fallback;
import io.spyhop.server.query.candidate.Candidate;
import io.spyhop.server.query.candidate.CandidateCollector;
import io.spyhop.server.query.candidate.IndexedQuery;
import io.spyhop.server.query.candidate.RowReader;
import io.spyhop.server.query.candidate.StoreSnapshot;
import io.spyhop.server.query.candidate.UnreadableIndexException;
import io.spyhop.server.query.plan.QueryPlanner;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.SpyhopAccess;
import org.apache.hadoop.hbase.util.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The scanner that HBase drives instead of the region's own: first candidates are collected, then
 * rows are handed out in row order, each whole.
 *
 * <p>Until a candidate is handed out the region's own scanner has not moved past it, and can take
 * over for whatever reason: memory, an index file that is damaged or cannot be read, too many rows
 * to read again.
 */
public class IndexScanner extends QueryScanner {
  private static final Logger LOG = LoggerFactory.getLogger(IndexScanner.class);

  private final QueryRegion region;
  private final QueryPlanner.Choice choice;
  private final QueryMemory memory;
  private IndexedQuery query;
  private RowReader rows;
  private CandidateCollector collector;
  private List<Candidate> candidates;
  private int next;
  private String fallback = "";

  /** The rows that are read again; none before the first. */
  private Work rereading;

  public IndexScanner(
      QueryRegion region, IndexedQuery query, QueryPlanner.Choice choice, RegionScanner core)
      throws IOException {
    super(region, query.scan(), query.question(), choice.plan(), core);
    this.region = region;
    this.query = query;
    this.choice = choice;
    this.memory = region.newMemory();
    this.rows = new RowReader(query, core.getMvccReadPoint());
  }

  @Override
  boolean advance(List<Cell> out, ScannerContext context) throws IOException {
    if (candidates == null && fallback.isEmpty() && !collect(context)) {
      return true;
    }
    return fallback.isEmpty() ? nextRow(out, context) : nextPlain(out, context);
  }

  /** Whether collecting is over, with candidates or with a reason to fall back. */
  private boolean collect(ScannerContext context) throws IOException {
    try (Work reading = work.beginPart(Work.Kind.INDEX_READ)) {
      boolean over = collectSome(context);
      reading
          .name("index", query.driving().name())
          .count("records", counts.records)
          .count("candidates", counts.candidates);
      return over;
    }
  }

  private boolean collectSome(ScannerContext context) throws IOException {
    try {
      if (collector == null) {
        StoreSnapshot snapshot =
            StoreSnapshot.take(
                query, region.indexes(), region.statistics(), core.getMvccReadPoint());
        collector = new CandidateCollector(query, snapshot, counts, memory);
      }
      if (!collector.advance(() -> SpyhopAccess.isTimeUp(context))) {
        return false;
      }
      candidates = collector.sorted();
      closeCollector();
      long stale = candidates.stream().filter(Candidate::mustBeRead).count();
      long rereads = Math.min(stale, choice.mostRereads());
      if (!choice.named() && region.planner().isWorseThanScan(rereads, choice.scanCost())) {
        fallBack(Fallback.REREADS, rereads + " rows would have to be read again");
      }
    } catch (QueryMemory.ExhaustedException e) {
      fallBack(Fallback.MEMORY, e.getMessage());
    } catch (UnreadableIndexException e) {
      fallBack(e.reason(), e.getMessage());
      e.see(region.indexes(), query.region());
    } catch (RuntimeException e) {
      LOG.error("A defect in Spyhop; the query on {} goes on as a scan", query.region(), e);
      region.metrics().defects.increment();
      fallBack(Fallback.DEFECT, "defect: " + e);
    }
    return true;
  }

  private void fallBack(Fallback why, String reason) {
    fallback = reason;
    candidates = null;
    region.fallBack(why);
    try {
      closeCollector();
    } finally {
      memory.close();
    }
  }

  private void closeCollector() {
    if (collector != null) {
      collector.close();
      collector = null;
    }
  }

  /** Rows up to this one have been handed out by the region's own scanner. */
  void startAfter(byte[] row) throws IOException {
    query = query.after(row);
    rows = new RowReader(query, core.getMvccReadPoint());
  }

  /** Hands out a row of the region's own scanner. */
  final boolean nextPlain(List<Cell> out, ScannerContext context) throws IOException {
    int before = out.size();
    boolean more = core.nextRaw(out, context);
    counts.rows += out.size() > before && !SpyhopAccess.isMidRow(context) ? 1 : 0;
    return more;
  }

  /** A record that turns out to be none is as good as no record. */
  private void unpack(Candidate candidate, List<Cell> out) throws IOException {
    int before = out.size();
    try {
      candidate.stored().unpack(out);
    } catch (CorruptIndexFileException e) {
      LOG.warn("A row is read again", e);
      out.subList(before, out.size()).clear();
      readAgain(candidate, out);
    }
  }

  private void readAgain(Candidate candidate, List<Cell> out) throws IOException {
    if (rereading == null) {
      rereading = work.beginPart(Work.Kind.REREAD);
    }
    counts.rereads++;
    rows.read(candidate.row(), out);
  }

  private boolean nextRow(List<Cell> out, ScannerContext context) throws IOException {
    while (next < candidates.size()) {
      Candidate candidate = candidates.set(next++, null);
      if (candidate.mustBeRead()) {
        readAgain(candidate, out);
      } else {
        unpack(candidate, out);
      }
      if (!out.isEmpty()) {
        counts.rows++;
        SpyhopAccess.countRow(context, out);
        return SpyhopAccess.setMore(context, next < candidates.size());
      }
      if (SpyhopAccess.isTimeUp(context)) {
        return true;
      }
    }
    return SpyhopAccess.setMore(context, false);
  }

  @Override
  public synchronized boolean reseek(byte[] row) throws IOException {
    if (candidates == null) {
      return core.reseek(row);
    }
    while (next < candidates.size() && Bytes.compareTo(candidates.get(next).row(), row) < 0) {
      next++;
    }
    return next < candidates.size();
  }

  @Override
  void release() throws IOException {
    if (rereading != null) {
      rereading.count("rows", counts.rereads).close();
    }
    try {
      closeCollector();
    } finally {
      memory.close();
      rows.close();
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
