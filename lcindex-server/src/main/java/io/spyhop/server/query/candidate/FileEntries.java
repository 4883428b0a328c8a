package io.spyhop.server.query.candidate;

import io.spyhop.core.predicate.KeyRanges;
import io.spyhop.server.index.local.IndexFile;
import io.spyhop.server.index.local.MemoryRows;
import io.spyhop.server.index.local.OrderedCursor;
import io.spyhop.server.index.local.RecordRequest.Narrowing;
import io.spyhop.server.index.local.StoredRow;
import io.spyhop.server.memory.QueryMemory;
import io.spyhop.server.query.report.QueryCounts;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** The index records of one HFile, in the order of their keys. Not thread-safe. */
final class FileEntries implements EntrySource {
  private final IndexedQuery query;
  private final FileSource file;
  private final IndexFile index;
  private final List<FileSource> rivals;
  private final SourceVerdict trust;
  private final QueryCounts counts;
  private final OrderedCursor cursor;

  /**
   * @param rivals the files that may hold rows of this one
   */
  FileEntries(
      IndexedQuery query,
      boolean descending,
      KeyRanges keys,
      FileSource file,
      List<FileSource> rivals,
      SourceVerdict trust,
      MemoryRows inMemory,
      QueryCounts counts,
      QueryMemory memory)
      throws UnreadableIndexException {
    this.query = query;
    this.file = file;
    this.index = file.index().orElseThrow();
    this.rivals = rivals;
    this.trust = trust;
    this.counts = counts;
    try {
      Optional<Narrowing> narrowing = trust.narrowing(file, rivals, inMemory);
      this.cursor = index.ordered(descending, query.records(keys, file, narrowing), memory);
    } catch (IOException e) {
      throw UnreadableIndexException.of(index, e);
    }
  }

  @Override
  public boolean next() throws IOException {
    try {
      while (cursor.next()) {
        counts.records++;
        if (isInRange()) {
          return true;
        }
      }
      return false;
    } catch (QueryMemory.ExhaustedException e) {
      throw e; // says nothing about the file
    } catch (IOException e) {
      throw UnreadableIndexException.of(index, e);
    }
  }

  private boolean isInRange() {
    byte[] b = cursor.rowArray();
    int off = cursor.rowOffset();
    int len = cursor.rowLength();
    return query.isInRange(b, off, len) && (!file.isReference() || query.isInRegion(b, off, len));
  }

  @Override
  public byte[] keyArray() {
    return cursor.keyArray();
  }

  @Override
  public int keyOffset() {
    return cursor.keyOffset();
  }

  @Override
  public int keyLength() {
    return cursor.keyLength();
  }

  @Override
  public byte[] rowArray() {
    return cursor.rowArray();
  }

  @Override
  public int rowOffset() {
    return cursor.rowOffset();
  }

  @Override
  public int rowLength() {
    return cursor.rowLength();
  }

  @Override
  public SourceVerdict.Verdict verdict() throws UnreadableIndexException {
    try {
      return trust.ofRecord(cursor, file, rivals);
    } catch (IOException e) {
      throw UnreadableIndexException.of(index, e);
    }
  }

  @Override
  public StoredRow keep() {
    return cursor.keep();
  }

  @Override
  public void close() {
    cursor.close();
  }
}
