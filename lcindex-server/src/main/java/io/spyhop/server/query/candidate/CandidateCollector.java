package io.spyhop.server.query.candidate;

import io.spyhop.core.predicate.KeyRanges;
import io.spyhop.core.schema.Layout;
import io.spyhop.server.index.local.IndexFile;
import io.spyhop.server.index.local.RecordCursor;
import io.spyhop.server.index.local.RowRecord;
import io.spyhop.server.memory.QueryMemory;
import io.spyhop.server.query.report.QueryCounts;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Collects the rows that may be in the answer.
 *
 * <p>The sources are one consistent list of HFiles and memstore at the query's read point. A row is
 * a candidate if <em>some</em> version of its driving column in <em>some</em> source satisfies what
 * the predicate demands of that column:
 *
 * <pre>
 *   HFile with index files     records in the key ranges
 *   HFile without, memstore    every cell is looked at
 *   memstore with an index     every cell of rows that were written with a key in the ranges
 * </pre>
 *
 * The row's visible version lies in one of the sources, so that no matching row is missed, whatever
 * was updated or deleted since. A candidate is decided on the spot if what its source holds of it,
 * an index record or the cells that were looked at, is simple (one put of each column), nothing in
 * it has expired, and every other source is proven not to hold the row; then it is dropped or kept,
 * with its cells if all that are selected are there. Every other candidate is read again from the
 * region. Records in the order of rows are not collected: a {@link CandidateStream} decides them
 * when it is their turn, and they are completed by what other sources have of their rows.
 *
 * <p>Where security filters hide cells, all this still holds: the version that the filter judges is
 * some version in some source. But no record answers, and none drops its row: each is read again,
 * so that nothing depends on the cells of other columns. For superusers, as nothing is hidden from
 * them, rows that do not match are dropped.
 *
 * <p>Work comes in slices, so that the scanner above can send heartbeats. Not thread-safe.
 */
public final class CandidateCollector implements Closeable {
  private static final int SLICE = 2048;

  private final IndexedQuery query;
  private final StoreSnapshot snapshot;
  private final KeyRanges ranges;
  private final List<Candidate> candidates = new ArrayList<>();
  private final SourceVerdict trust;
  private final QueryCounts counts;
  private final QueryMemory memory;
  private final MemorySources inMemory;
  private final Deque<UncoveredReader> uncovered;
  private final boolean inRowOrder;

  /** Rows of which it is known that no HFile completes them. */
  private long incomplete;

  private final Iterator<FileSource> covered;
  private UncoveredReader reader;
  private FileSource source;

  /** The files that may hold a row of which the source has a record; of others nobody need ask. */
  private List<FileSource> rivals;

  private RecordCursor cursor;

  public CandidateCollector(
      IndexedQuery query, StoreSnapshot snapshot, QueryCounts counts, QueryMemory memory) {
    this.query = query;
    this.snapshot = snapshot;
    this.counts = counts;
    this.memory = memory;
    this.trust = new SourceVerdict(query, snapshot);
    this.ranges = query.keys();
    this.inMemory = new MemorySources(query, snapshot, trust, memory, /* toFiles= */ true);
    this.uncovered = new ArrayDeque<>(inMemory.readers());
    this.inRowOrder = query.driving().local().layout() == Layout.COLUMNAR;
    this.covered = snapshot.covered().iterator();
  }

  /**
   * Goes on collecting until all is done or the time is up. The memstore comes first: which rows it
   * holds must be known before a record is trusted.
   *
   * @return whether all candidates are collected
   * @throws QueryMemory.ExhaustedException if they do not fit into memory
   */
  public boolean advance(BooleanSupplier timeIsUp) throws IOException {
    while (true) {
      boolean more = readUncovered() || !inRowOrder && readRecords();
      memory.hold(trust.memstoreRows().heapSize() + (reader == null ? 0 : reader.heapSize()));
      if (!more) {
        return true;
      }
      if (timeIsUp.getAsBoolean()) {
        return false;
      }
    }
  }

  private boolean readUncovered() throws IOException {
    if (reader == null) {
      reader = uncovered.poll();
      if (reader == null) {
        return false;
      }
    }
    FileSource file = reader.file();
    boolean more =
        reader.read(
            SLICE,
            row -> {
              incomplete += trust.isCompletable(row) ? 0 : 1;
              take(row, trust.ofCells(row, file, snapshot.files()));
            });
    counts.uncoveredCells += reader.takeCount();
    if (!more) {
      reader = null;
    }
    return true;
  }

  private boolean readRecords() throws IOException {
    if (cursor == null) {
      if (!covered.hasNext()) {
        return false;
      }
      source = covered.next();
      rivals = snapshot.rivals(source);
      cursor = open();
    }
    try {
      for (int i = 0; i < SLICE; i++) {
        if (!cursor.next()) {
          cursor.close();
          cursor = null;
          return true;
        }
        counts.records++;
        takeRecord();
      }
    } catch (QueryMemory.ExhaustedException e) {
      throw e; // says nothing about the file
    } catch (IOException e) {
      throw UnreadableIndexException.of(source.index().orElseThrow(), e);
    }
    return true;
  }

  private RecordCursor open() throws IOException {
    IndexFile file = source.index().orElseThrow();
    try {
      return file.records(
          query.records(ranges, source, trust.narrowing(source, rivals, inMemory.rows())));
    } catch (IOException e) {
      throw UnreadableIndexException.of(file, e);
    }
  }

  private void takeRecord() throws IOException {
    byte[] b = cursor.rowArray();
    int off = cursor.rowOffset();
    int len = cursor.rowLength();
    if (query.isInRange(b, off, len) && (!source.isReference() || query.isInRegion(b, off, len))) {
      take(cursor, trust.ofRecord(cursor, source, rivals));
    }
  }

  private void take(RowRecord row, SourceVerdict.Verdict verdict)
      throws QueryMemory.ExhaustedException {
    switch (verdict) {
      case DROP -> {}
      case READ -> mustBeRead(row);
      case ANSWER -> add(Candidate.decided(row.keep()));
    }
  }

  private void mustBeRead(RowRecord row) throws QueryMemory.ExhaustedException {
    add(new Candidate(CandidateStream.key(row), null));
  }

  private void add(Candidate candidate) throws QueryMemory.ExhaustedException {
    candidates.add(candidate);
    memory.add(candidate.heapSize());
  }

  /**
   * The candidates in row order, each row once. Call when all is collected; what finds rows in this
   * order begins only now, and needs this collector to stay open.
   */
  public CandidateStream stream() throws IOException {
    List<Candidate> distinct = CandidateOrder.distinct(candidates);
    long toRead =
        inMemory.areLeftToFiles()
            ? incomplete
            : distinct.stream().filter(Candidate::mustBeRead).count();
    CandidateStream stream = new CandidateStream(query, trust, counts, distinct, toRead);
    boolean ready = false;
    try {
      while (inRowOrder && covered.hasNext()) {
        source = covered.next();
        rivals = snapshot.rivals(source);
        stream.add(source, rivals, open());
      }
      ready = true;
    } finally {
      if (!ready) {
        stream.close();
      }
    }
    return stream;
  }

  @Override
  public void close() {
    if (cursor != null) {
      cursor.close();
      cursor = null;
    }
    snapshot.close();
  }
}
