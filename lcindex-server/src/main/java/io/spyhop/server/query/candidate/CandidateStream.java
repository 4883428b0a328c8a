package io.spyhop.server.query.candidate;

import io.spyhop.server.index.local.RecordCursor;
import io.spyhop.server.index.local.RowRecord;
import io.spyhop.server.index.local.RowSink;
import io.spyhop.server.memory.QueryMemory;
import io.spyhop.server.query.report.QueryCounts;
import java.io.Closeable;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The rows that may be in the answer, in their order: candidates that were collected, and those
 * that columnar files find, which come in row order and so are read when it is their turn. Not
 * thread-safe.
 */
public final class CandidateStream implements Closeable {
  /** After so many rows that are not in the answer the time is looked at. */
  private static final int SLICE = 64;

  private final IndexedQuery query;
  private final SourceVerdict trust;
  private final QueryCounts counts;
  private final List<Candidate> collected;
  private final long collectedToRead;
  private final PriorityQueue<Found> found =
      new PriorityQueue<>(Comparator.comparing(f -> f.cursor, CandidateStream::compareRows));
  private int next;
  private byte[] row;

  /** What holds the row's cells: a candidate, or else a file. */
  private Candidate candidate;

  private Found file;
  private boolean mustBeRead;

  /** The outcome of a step. */
  public enum Step {
    /** There is a row. */
    ROW,
    /** The time is up. */
    PAUSE,
    /** There are no more rows. */
    END
  }

  /** The rows that one HFile's columnar files find. */
  private record Found(FileSource file, List<FileSource> rivals, RecordCursor cursor) {}

  /**
   * @param collected in row order, each row once
   * @param collectedToRead how many of these must be read again, whatever files have of them
   */
  CandidateStream(
      IndexedQuery query,
      SourceVerdict trust,
      QueryCounts counts,
      List<Candidate> collected,
      long collectedToRead) {
    this.query = query;
    this.trust = trust;
    this.counts = counts;
    this.collected = collected;
    this.collectedToRead = collectedToRead;
    counts.candidates = collected.size();
  }

  /** Adds the rows that a cursor finds in their order, and takes the cursor over. */
  void add(FileSource from, List<FileSource> rivals, RecordCursor cursor) throws IOException {
    advance(new Found(from, rivals, cursor));
  }

  private static int compareRows(RowRecord one, RowRecord other) {
    return Bytes.compareTo(
        one.rowArray(),
        one.rowOffset(),
        one.rowLength(),
        other.rowArray(),
        other.rowOffset(),
        other.rowLength());
  }

  /** Has a file go to its next row of the scan, if there is one. */
  private void advance(Found of) throws IOException {
    try {
      RecordCursor at = of.cursor;
      while (at.next()) {
        counts.records++;
        byte[] b = at.rowArray();
        int off = at.rowOffset();
        int len = at.rowLength();
        if (query.isInRange(b, off, len)
            && (!of.file.isReference() || query.isInRegion(b, off, len))) {
          found.add(of);
          return;
        }
      }
      at.close();
    } catch (RowSink.FullException | QueryMemory.ExhaustedException e) {
      of.cursor.close();
      throw e; // says nothing about the file
    } catch (IOException e) {
      of.cursor.close();
      throw UnreadableIndexException.of(of.file.index().orElseThrow(), e);
    }
  }

  /** How many of the rows that were collected must be read again. */
  public long collectedToRead() {
    return collectedToRead;
  }

  /** Whether nothing is read from files any more. */
  public boolean isCollected() {
    return found.isEmpty();
  }

  /**
   * Leaves out the rows before one.
   *
   * @return whether there may be others
   */
  public boolean skipTo(byte[] to) throws IOException {
    while (next < collected.size() && Bytes.compareTo(collected.get(next).row(), to) < 0) {
      next++;
    }
    while (!found.isEmpty() && compare(to, found.peek()) > 0) {
      advance(found.poll());
    }
    return next < collected.size() || !found.isEmpty();
  }

  /** Goes to the next row. */
  public Step next(BooleanSupplier timeIsUp) throws IOException {
    leave();
    for (int i = 1; ; i++) {
      Found first = found.peek();
      if (next < collected.size() && (first == null || compare(collected.get(next), first) <= 0)) {
        if (take(collected.set(next++, null), first)) {
          return Step.ROW;
        }
        leave();
      } else if (first == null) {
        return Step.END;
      } else if (take(first)) {
        return Step.ROW;
      } else {
        found.poll();
        advance(first);
      }
      if (i % SLICE == 0 && timeIsUp.getAsBoolean()) {
        return Step.PAUSE;
      }
    }
  }

  /** Has all files that are at the row go on. */
  private void leave() throws IOException {
    while (row != null && !found.isEmpty() && compare(row, found.peek()) == 0) {
      advance(found.poll());
    }
    row = null;
    candidate = null;
    file = null;
  }

  private static int compare(Candidate one, Found other) {
    return compare(one.row(), other);
  }

  private static int compare(byte[] one, Found other) {
    RowRecord at = other.cursor;
    return Bytes.compareTo(one, 0, one.length, at.rowArray(), at.rowOffset(), at.rowLength());
  }

  /**
   * Takes a candidate, unless a file at the same row knows better: it has learned all that there is
   * of the row, and then the candidate need not be read, or is not in the answer.
   *
   * @param first the file whose row is next; null if there is none
   */
  private boolean take(Candidate from, Found first) throws IOException {
    candidate = from;
    row = from.row();
    mustBeRead = from.mustBeRead();
    if (!mustBeRead || first == null || compare(row, first) != 0) {
      return true;
    }
    SourceVerdict.Verdict verdict = trust.ofRecord(first.cursor, first.file, first.rivals);
    if (verdict == SourceVerdict.Verdict.ANSWER) {
      candidate = null;
      file = first;
      mustBeRead = false;
    }
    return verdict != SourceVerdict.Verdict.DROP;
  }

  /** Takes a file's row, unless it is not in the answer. */
  private boolean take(Found from) throws IOException {
    SourceVerdict.Verdict verdict = trust.ofRecord(from.cursor, from.file, from.rivals);
    if (verdict == SourceVerdict.Verdict.DROP) {
      return false;
    }
    counts.candidates++;
    file = from;
    row = key(from.cursor);
    mustBeRead = verdict == SourceVerdict.Verdict.READ;
    return true;
  }

  /** Copies a row's key. */
  static byte[] key(RowRecord of) {
    return Bytes.copy(of.rowArray(), of.rowOffset(), of.rowLength());
  }

  /** The key of the row. */
  public byte[] row() {
    return row;
  }

  /** Whether the region must be asked for the row. */
  public boolean mustBeRead() {
    return mustBeRead;
  }

  /**
   * Adds the cells of a row that need not be read.
   *
   * @throws io.spyhop.server.index.local.CorruptIndexFileException if the row must be read
   *     nevertheless
   */
  public void addTo(List<Cell> out) throws IOException {
    if (candidate != null) {
      candidate.stored().unpack(out);
    } else {
      file.cursor.addTo(out);
    }
  }

  @Override
  public void close() {
    found.forEach(f -> f.cursor.close());
    found.clear();
  }
}
