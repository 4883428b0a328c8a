package io.spyhop.server.query.candidate;

import io.spyhop.core.predicate.RowJudge;
import io.spyhop.core.schema.Layout;
import io.spyhop.server.access.ForeignObservers;
import io.spyhop.server.index.local.KnownMatches;
import io.spyhop.server.index.local.MemoryRows;
import io.spyhop.server.index.local.RecordRequest.Narrowing;
import io.spyhop.server.index.local.RecordRequest.Rival;
import io.spyhop.server.index.local.RowRecord;
import io.spyhop.server.index.memstore.MemstoreIndex;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Decides whether a query's source alone may stand for a row. Not thread-safe.
 *
 * <p>It may if it is simple (one put of each column), nothing in it has expired, and every other
 * source is proven not to hold the row (correctness rule 1). Which rows the memstore holds must be
 * known before a record of a file is asked about.
 */
public final class SourceVerdict {
  private final IndexedQuery query;
  private final RowJudge judge;
  private final KnownMatches.Condition condition;
  private final boolean narrows;
  private final RowSet memstoreRows;
  private final Optional<MemstoreIndex> memstore;
  private final boolean cellsDecide;
  private final boolean cellsAnswer;
  private final boolean recordsDecide;
  private final boolean recordsAnswer;

  /** Verdicts on a row. */
  enum Verdict {
    /** It is not in the answer, as far as this source is concerned. */
    DROP,
    /** The region must be asked. */
    READ,
    /** It is in the answer, and all that is selected of it is here. */
    ANSWER
  }

  /**
   * @param snapshot the sources
   */
  public SourceVerdict(IndexedQuery query, StoreSnapshot snapshot) {
    this.query = query;
    this.judge = query.predicate().judge();
    this.condition = snapshot.matches().of(query.predicate());
    this.memstore = snapshot.memstoreIndex();
    boolean columnar = query.driving().local().layout() == Layout.COLUMNAR;
    this.memstoreRows = new RowSet(columnar);
    this.cellsDecide = query.isOfOneFamily() && !ForeignObservers.watch(query.region());
    this.cellsAnswer = query.isSingleFamily();
    this.recordsDecide = cellsDecide && query.recordsHoldPredicate();
    this.recordsAnswer = query.recordsHoldSelection();
    this.narrows =
        columnar
            && recordsDecide
            && (!query.question().secured() || query.question().mayDrop())
            && !query.question().isBytewise();
  }

  /** The rows of which the memstore has cells, as far as it was read cell by cell. */
  public RowSet memstoreRows() {
    return memstoreRows;
  }

  /**
   * By what rows of a file are left out that the predicate is not true of, and that would be
   * dropped one by one; empty if none may be.
   *
   * @param others the files that may hold its rows besides
   * @param memory what memstores have
   */
  Optional<Narrowing> narrowing(FileSource from, List<FileSource> others, MemoryRows memory) {
    if (!isNarrowed(from, others)) {
      return Optional.empty();
    }
    List<Rival> rivals = others.stream().map(FileSource::asRival).toList();
    return Optional.of(new Narrowing(from.beside(), from.shared(), rivals, memory, condition));
  }

  private boolean isNarrowed(FileSource from, List<FileSource> others) {
    return narrows
        && others.stream().allMatch(f -> f.index().isPresent())
        && !from.isAboveReadPoint()
        && !query.mayBeExpired(from.oldestTimestamp());
  }

  /** Whether each of these, all of a query, has a {@link #narrowing}. */
  boolean allNarrow(List<FileSource> files) {
    return files.stream().allMatch(f -> f.index().isPresent() && isNarrowed(f, files));
  }

  /**
   * Whether rows of the memstore may be left out that no HFile has and of which the predicate
   * cannot be true, by what was written; not where values may have expired since.
   */
  boolean memstoreNarrows() {
    return narrows && !query.mayBeExpired(0);
  }

  /**
   * Of an index record.
   *
   * @param from the HFile whose record it is
   * @param others the files that may hold the row besides; {@code from} among them does not count
   */
  Verdict ofRecord(RowRecord row, FileSource from, List<FileSource> others) throws IOException {
    return verdict(row, from, others, recordsDecide, recordsAnswer);
  }

  /**
   * Of the cells of a source that was read whole.
   *
   * @param from the HFile; null for the memstore
   * @param others the files that may hold the row besides; {@code from} among them does not count
   */
  Verdict ofCells(RowRecord row, FileSource from, List<FileSource> others) throws IOException {
    return verdict(row, from, others, cellsDecide, cellsAnswer);
  }

  /** Whether the cells of a memstore's row may be all that it takes, with those of HFiles. */
  boolean isCompletable(RowRecord row) {
    return cellsAnswer && !row.isComplex();
  }

  private Verdict verdict(
      RowRecord row, FileSource from, List<FileSource> others, boolean decides, boolean answers)
      throws IOException {
    boolean secured = query.question().secured();
    boolean hidden = secured && !query.question().mayDrop();
    if (hidden || !decides || !isDecidable(row, from, others)) {
      return Verdict.READ;
    }
    if (!row.matches(judge)) {
      return Verdict.DROP;
    }
    // What the user may see of it, only the whole filter can tell.
    return secured || !answers ? Verdict.READ : Verdict.ANSWER;
  }

  private boolean mayBeInMemstore(byte[] b, int off, int len) {
    return memstore.isPresent()
        ? memstore.get().mayContain(b, off, len)
        : memstoreRows.mayContain(b, off, len);
  }

  private boolean isDecidable(RowRecord row, FileSource from, List<FileSource> others)
      throws IOException {
    if (row.isComplex() || query.mayBeExpired(row.oldestTimestamp())) {
      return false;
    }
    byte[] b = row.rowArray();
    int off = row.rowOffset();
    int len = row.rowLength();
    if (from != null
        && (from.isAboveReadPoint() || !row.isAlone() && mayBeInMemstore(b, off, len))) {
      return false;
    }
    for (FileSource other : row.isAlone() ? List.<FileSource>of() : others) {
      if (other != from && other.mayContain(b, off, len)) {
        return false;
      }
    }
    return true;
  }
}
