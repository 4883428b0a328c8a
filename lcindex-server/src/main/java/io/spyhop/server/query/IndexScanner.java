package io.spyhop.server.query;

import io.spyhop.core.region.RegionPlan;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.NoLimitScannerContext;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.SpyhopAccess;
import org.apache.hadoop.hbase.util.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The scanner that HBase drives instead of the region's own: first candidates are collected, then
 * rows are handed out in row order, each whole. Thread-safe as HBase's own.
 *
 * <p>Until the first row is handed out the region's own scanner has not moved, and can take over
 * for whatever reason: memory, a damaged index file, too many rows to read again.
 */
final class IndexScanner implements RegionScanner {
  private static final Logger LOG = LoggerFactory.getLogger(IndexScanner.class);

  private final RegionQueries queries;
  private final IndexedQuery query;
  private final QueryPlanner.Choice choice;
  private final RegionScanner core;
  private final QueryCounts counts = new QueryCounts();
  private final QueryMemory memory;
  private final RowReader rows;
  private CandidateCollector collector;
  private List<Candidate> candidates;
  private int next;
  private String fallback = "";
  private boolean closed;

  IndexScanner(
      RegionQueries queries, IndexedQuery query, QueryPlanner.Choice choice, RegionScanner core) {
    this.queries = queries;
    this.query = query;
    this.choice = choice;
    this.core = core;
    RegionQueries.QueryEnvironment e = queries.environment();
    this.memory = new QueryMemory(e.memory(), e.sortBudget());
    this.rows = new RowReader(query, core.getMvccReadPoint());
  }

  @Override
  public boolean nextRaw(List<Cell> out) throws IOException {
    return nextRaw(out, NoLimitScannerContext.getInstance());
  }

  @Override
  public boolean next(List<Cell> out) throws IOException {
    return nextRaw(out);
  }

  @Override
  public boolean next(List<Cell> out, ScannerContext context) throws IOException {
    return nextRaw(out, context);
  }

  @Override
  public synchronized boolean nextRaw(List<Cell> out, ScannerContext context) throws IOException {
    long begin = System.nanoTime();
    try {
      if (candidates == null && fallback.isEmpty() && !collect(context)) {
        return true;
      }
      return fallback.isEmpty() ? nextRow(out, context) : nextPlain(out, context);
    } finally {
      counts.nanos += System.nanoTime() - begin;
    }
  }

  /** Whether collecting is over, with candidates or with a reason to fall back. */
  private boolean collect(ScannerContext context) throws IOException {
    try {
      if (collector == null) {
        StoreSnapshot snapshot =
            StoreSnapshot.take(
                query.store(),
                queries.indexes(),
                query.driving(),
                query.scan(),
                core.getMvccReadPoint());
        collector = new CandidateCollector(query, snapshot, counts, memory);
      }
      if (!collector.advance(() -> SpyhopAccess.isTimeUp(context))) {
        return false;
      }
      candidates = collector.sorted();
      closeCollector();
      long rereads = candidates.stream().filter(Candidate::mustBeRead).count();
      boolean asked = choice.plan().reason().equals("asked for");
      if (!asked && queries.environment().planner().isWorseThanScan(rereads, choice.scanCost())) {
        fallBack(rereads + " rows would have to be read again");
      }
    } catch (QueryMemory.ExhaustedException e) {
      fallBack(e.getMessage());
    } catch (DamagedIndexException e) {
      LOG.warn("Dropping damaged index files of {}, they are built again", query.region(), e);
      fallBack(e.getMessage());
      queries.indexes().discard(e.file());
    } catch (RuntimeException e) {
      LOG.error("A defect in Spyhop; the query on {} goes on as a scan", query.region(), e);
      queries.environment().metrics().defects.increment();
      fallBack("defect: " + e);
    }
    return true;
  }

  private void fallBack(String reason) {
    fallback = reason;
    candidates = null;
    closeCollector();
    memory.close();
    queries.environment().metrics().fallbacks.increment();
  }

  private void closeCollector() {
    if (collector != null) {
      collector.close();
      collector = null;
    }
  }

  private boolean nextPlain(List<Cell> out, ScannerContext context) throws IOException {
    int before = out.size();
    boolean more = core.nextRaw(out, context);
    counts.rows += out.size() > before ? 1 : 0;
    return more;
  }

  private boolean nextRow(List<Cell> out, ScannerContext context) throws IOException {
    while (next < candidates.size()) {
      Candidate candidate = candidates.set(next++, null);
      if (candidate.mustBeRead()) {
        counts.rereads++;
        rows.read(candidate.row(), out);
      } else {
        candidate.stored().unpack(out);
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
  public synchronized void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    closeCollector();
    memory.close();
    rows.close();
    core.close();
    queries.environment().metrics().records.increment(counts.records);
    queries.environment().metrics().candidates.increment(counts.candidates);
    queries.environment().metrics().rereads.increment(counts.rereads);
    queries.report(query.scan(), choice.plan().with(actual()));
  }

  private RegionPlan.Actual actual() {
    return new RegionPlan.Actual(
        counts.records,
        counts.uncoveredCells,
        counts.candidates,
        counts.rereads,
        counts.rows,
        counts.nanos,
        fallback);
  }

  @Override
  public RegionInfo getRegionInfo() {
    return core.getRegionInfo();
  }

  @Override
  public boolean isFilterDone() {
    return false;
  }

  @Override
  public long getMaxResultSize() {
    return core.getMaxResultSize();
  }

  @Override
  public long getMvccReadPoint() {
    return core.getMvccReadPoint();
  }

  @Override
  public int getBatch() {
    return core.getBatch();
  }
}
