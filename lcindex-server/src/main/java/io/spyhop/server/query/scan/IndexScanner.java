package io.spyhop.server.query.scan;

import io.spyhop.core.io.IoSupplier;
import io.spyhop.core.trace.Work;
import io.spyhop.server.index.local.CorruptIndexFileException;
import io.spyhop.server.index.local.RowSink;
import io.spyhop.server.index.stats.RowSpan;
import io.spyhop.server.memory.QueryMemory;
import io.spyhop.server.metrics.Fallback;
import io.spyhop.server.query.candidate.CandidateCollector;
import io.spyhop.server.query.candidate.CandidateStream;
import io.spyhop.server.query.candidate.CandidateStream.Step;
import io.spyhop.server.query.candidate.IndexedQuery;
import io.spyhop.server.query.candidate.RowReader;
import io.spyhop.server.query.candidate.StoreSnapshot;
import io.spyhop.server.query.candidate.UnreadableIndexException;
import io.spyhop.server.query.plan.QueryPlanner;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.SpyhopAccess;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The scanner that HBase drives instead of the region's own: first candidates are collected, then
 * rows are handed out in row order, each whole.
 *
 * <p>The region's own scanner does not move meanwhile, and takes over behind the last row that was
 * handed out for whatever reason: memory, an index file that is damaged or cannot be read, too many
 * rows to read again.
 */
public class IndexScanner extends QueryScanner {
  private static final Logger LOG = LoggerFactory.getLogger(IndexScanner.class);

  private final QueryRegion region;
  private final QueryPlanner.Choice choice;
  private final QueryMemory memory;
  private IndexedQuery query;
  private RowReader rows;
  private CandidateCollector collector;
  private CandidateStream found;
  private String fallback = "";

  /** Whether no row can follow. */
  private boolean over;

  /** The row that was handed out last, or looked at; null before the first. */
  private byte[] last;

  /** What reads the index, as long as it does. */
  private Work reading;

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

  /**
   * Has rows taken by a sink that need not be read; before the first row. Not where it depends on
   * each cell what the caller may see.
   */
  final void giveTo(RowSink sink) {
    if (!query.question().secured()) {
      query = query.into(Optional.of(sink));
    }
  }

  /** Whether a row is one of the scan's in this region. */
  final boolean isInRange(byte[] row) {
    return query.isInRange(row, 0, row.length) && query.isInRegion(row, 0, row.length);
  }

  /** A sink has taken rows, which are now among those that were found. */
  final void taken(long more) {
    counts.records += more;
    counts.candidates += more;
    counts.rows += more;
    region.metrics().columnarRows.increment(more);
  }

  @Override
  boolean advance(List<Cell> out, ScannerContext context) throws IOException {
    if (found == null && fallback.isEmpty() && !collect(context)) {
      return true;
    }
    return fallback.isEmpty() ? nextRow(out, context) : nextPlain(out, context);
  }

  /** Whether collecting is over, with candidates or with a reason to fall back. */
  private boolean collect(ScannerContext context) throws IOException {
    if (reading == null) {
      reading = work.beginPart(Work.Kind.INDEX_READ);
    }
    boolean over = collectSome(context);
    if (over && (found == null || found.isCollected())) {
      endReading();
    }
    return over;
  }

  private void endReading() {
    if (reading != null) {
      reading
          .name("index", query.driving().name())
          .count("records", counts.records)
          .count("candidates", counts.candidates)
          .close();
      reading = null;
    }
  }

  private boolean collectSome(ScannerContext context) throws IOException {
    boolean over =
        guarded(
            true,
            () -> {
              if (collector == null) {
                StoreSnapshot snapshot =
                    StoreSnapshot.take(
                        query, region.indexes(), region.statistics(), core.getMvccReadPoint());
                collector = new CandidateCollector(query, snapshot, counts, memory);
              }
              if (!collector.advance(() -> SpyhopAccess.isTimeUp(context))) {
                return false;
              }
              begin();
              return true;
            });
    return over && (found != null || !fallback.isEmpty());
  }

  /** All is collected. */
  private void begin() throws IOException {
    CandidateStream stream = collector.stream();
    long rereads = Math.min(stream.collectedToRead(), choice.mostRereads());
    if (!choice.named() && region.planner().isWorseThanScan(rereads, choice.scanCost())) {
      stream.close();
      fallBack(Fallback.REREADS, rereads + " rows would have to be read again");
      return;
    }
    found = stream;
    if (stream.isCollected()) {
      closeCollector();
    }
  }

  /** Does something that may end with a fallback, in place of which there is another result. */
  private <T> T guarded(T otherwise, IoSupplier<T> work) throws IOException {
    try {
      return work.get();
    } catch (RowSink.FullException e) {
      if (e.getCause() != null) {
        LOG.error("A defect in Spyhop; rows of {} are read", query.region(), e);
        region.metrics().defects.increment();
      }
      readAll();
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
    return otherwise;
  }

  /** The sink gives up: all rows come, from where it says. */
  final void readAll() throws IOException {
    Optional<RowSink> sink = query.sink();
    closeStream();
    closeCollector();
    memory.close();
    query = query.into(Optional.empty());
    last = sink.isPresent() ? sink.get().startOver() : last;
    rows.close();
    startAfter(last);
  }

  /** The region's own scanner takes over behind the last row that was handed out. */
  private void fallBack(Fallback why, String reason) throws IOException {
    fallback = reason;
    region.fallBack(why);
    try {
      closeStream();
      closeCollector();
    } finally {
      memory.close();
    }
    if (query.sink().isPresent()) {
      last = query.sink().get().startOver();
      query = query.into(Optional.empty());
    }
    if (last != null) {
      Optional<byte[]> next = RowSpan.behind(last);
      over = next.isEmpty();
      if (!over) {
        core.reseek(next.get());
      }
    }
  }

  private void closeCollector() {
    if (collector != null) {
      collector.close();
      collector = null;
    }
  }

  private void closeStream() {
    endReading();
    if (found != null) {
      found.close();
      found = null;
    }
  }

  /**
   * Rows up to this one have been handed out.
   *
   * @param row null if none have
   */
  void startAfter(byte[] row) throws IOException {
    query = row == null ? query : query.after(row);
    rows = new RowReader(query, core.getMvccReadPoint());
  }

  /** Hands out a row of the region's own scanner. */
  final boolean nextPlain(List<Cell> out, ScannerContext context) throws IOException {
    if (over) {
      return SpyhopAccess.setMore(context, false);
    }
    int before = out.size();
    boolean more = core.nextRaw(out, context);
    counts.rows += out.size() > before && !SpyhopAccess.isMidRow(context) ? 1 : 0;
    return more;
  }

  private boolean nextRow(List<Cell> out, ScannerContext context) throws IOException {
    Step step = Step.ROW;
    while (step == Step.ROW && out.isEmpty()) {
      step = guarded(Step.PAUSE, () -> found.next(() -> SpyhopAccess.isTimeUp(context)));
      if (step == Step.ROW) {
        handOut(out);
        SpyhopAccess.countScanned(context, 1);
        step = SpyhopAccess.isTimeUp(context) ? Step.PAUSE : step;
      }
    }
    if (!fallback.isEmpty()) {
      return nextPlain(out, context);
    }
    if (!out.isEmpty()) {
      counts.rows++;
      SpyhopAccess.countRow(context, out);
    }
    return SpyhopAccess.setMore(context, step != Step.END);
  }

  private void handOut(List<Cell> out) throws IOException {
    last = found.row();
    if (found.mustBeRead()) {
      readAgain(out);
    } else {
      unpack(out);
    }
  }

  /** A record that turns out to be none is as good as no record. */
  private void unpack(List<Cell> out) throws IOException {
    int before = out.size();
    try {
      found.addTo(out);
    } catch (CorruptIndexFileException e) {
      LOG.warn("A row is read again", e);
      out.subList(before, out.size()).clear();
      readAgain(out);
    }
  }

  private void readAgain(List<Cell> out) throws IOException {
    if (rereading == null) {
      rereading = work.beginPart(Work.Kind.REREAD);
    }
    counts.rereads++;
    rows.read(last, out);
  }

  @Override
  public synchronized boolean reseek(byte[] row) throws IOException {
    boolean more = found != null && guarded(false, () -> found.skipTo(row));
    return found == null ? core.reseek(row) : more;
  }

  @Override
  void release() throws IOException {
    if (rereading != null) {
      rereading.count("rows", counts.rereads).close();
    }
    try {
      closeStream();
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
