package io.spyhop.server.query.candidate;

import io.spyhop.server.index.local.StoredRow;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The pairs of value key and row of several sources as one sequence, each pair once. Not
 * thread-safe.
 */
public final class EntryMerge implements Closeable {
  private final boolean descending;
  private final List<EntrySource> sources = new ArrayList<>();
  private final PriorityQueue<EntrySource> heads;
  private boolean begun;

  /**
   * A pair.
   *
   * @param key of the value
   * @param row its key
   * @param stored the row's cells, if it is decided that it is in the answer; null if the region
   *     must be asked
   */
  public record Entry(byte[] key, byte[] row, StoredRow stored) {}

  EntryMerge(boolean descending) {
    this.descending = descending;
    this.heads = new PriorityQueue<>((a, b) -> EntrySource.compare(a, b, descending));
  }

  /** Adds a source, before anything is taken, and takes it over. */
  void add(EntrySource source) {
    sources.add(source);
  }

  /** Whether there are no more pairs. */
  public boolean isOver() throws IOException {
    begin();
    return heads.isEmpty();
  }

  /** Whether the next pair has a key. */
  public boolean goesOnWith(byte[] key) throws IOException {
    return !isOver() && heads.peek().compareKey(key) == 0;
  }

  private void begin() throws IOException {
    if (!begun) {
      begun = true;
      for (EntrySource source : sources) {
        advance(source);
      }
    }
  }

  private void advance(EntrySource source) throws IOException {
    if (source.next()) {
      heads.add(source);
    }
  }

  /**
   * Takes the next pair. What several sources have is read again: no one of them speaks for the
   * row. Nor does a source that has a pair more than once, as the memstore and the HFiles without
   * index files do, which are one source.
   *
   * @return empty if the row is dropped by what its source holds of it
   */
  public Optional<Entry> take() throws IOException {
    begin();
    EntrySource first = heads.remove();
    SourceVerdict.Verdict verdict =
        isNextEqualTo(first) ? SourceVerdict.Verdict.READ : first.verdict();
    Entry taken = entry(first, verdict == SourceVerdict.Verdict.ANSWER);
    advance(first);
    boolean alone = true;
    while (isNext(taken)) {
      alone = false;
      advance(heads.remove());
    }
    if (!alone) {
      return Optional.of(new Entry(taken.key, taken.row, null));
    }
    return verdict == SourceVerdict.Verdict.DROP ? Optional.empty() : Optional.of(taken);
  }

  private boolean isNextEqualTo(EntrySource first) {
    return !heads.isEmpty() && EntrySource.compare(heads.peek(), first, descending) == 0;
  }

  private boolean isNext(Entry taken) {
    EntrySource next = heads.peek();
    return next != null
        && next.compareKey(taken.key) == 0
        && Bytes.equals(
            next.rowArray(), next.rowOffset(), next.rowLength(), taken.row, 0, taken.row.length);
  }

  private static Entry entry(EntrySource of, boolean answers) {
    return new Entry(
        Bytes.copy(of.keyArray(), of.keyOffset(), of.keyLength()),
        Bytes.copy(of.rowArray(), of.rowOffset(), of.rowLength()),
        answers ? of.keep() : null);
  }

  @Override
  public void close() {
    heads.clear();
    sources.forEach(EntrySource::close);
  }
}
