package io.spyhop.server.query.candidate;

import io.spyhop.core.predicate.KeyRanges;
import io.spyhop.core.value.ValueCodec;
import io.spyhop.core.value.ValueKey;
import io.spyhop.server.index.local.RowRecord;
import io.spyhop.server.index.local.StoredRow;
import io.spyhop.server.memory.QueryMemory;
import io.spyhop.server.query.report.QueryCounts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The entries of the memstore and of HFiles without index files, found cell by cell and sorted, in
 * the memory of the query: keys and rows, whose cells are read when their turn comes. Not
 * thread-safe.
 */
public final class MemoryEntries implements EntrySource {
  private static final int SLICE = 2048;
  private static final int OVERHEAD = 72;

  private final ValueCodec codec;
  private final KeyRanges keys;
  private final boolean descending;
  private final SourceVerdict trust;
  private final List<FileSource> files;
  private final QueryCounts counts;
  private final QueryMemory memory;
  private final Iterator<UncoveredReader> readers;
  private final List<ValueKey> ofRow = new ArrayList<>();
  private final List<Entry> entries = new ArrayList<>();
  private UncoveredReader reader;
  private int next;
  private Entry current;

  private record Entry(byte[] key, byte[] row) {
    static int compare(Entry a, Entry b, boolean descending) {
      int c = Bytes.compareTo(a.key, b.key);
      if (c != 0) {
        return descending ? -c : c;
      }
      return Bytes.compareTo(a.row, b.row);
    }
  }

  /** A value has no key, and so no place among the others. */
  public static final class UnkeyableException extends IOException {
    private static final long serialVersionUID = 1L;

    public UnkeyableException() {
      super("a number is too large or too small for a key");
    }
  }

  MemoryEntries(
      IndexedQuery query,
      boolean descending,
      KeyRanges keys,
      StoreSnapshot snapshot,
      MemorySources sources,
      SourceVerdict trust,
      QueryCounts counts,
      QueryMemory memory) {
    this.codec = query.driving().type().codec();
    this.keys = keys;
    this.descending = descending;
    this.trust = trust;
    this.files = snapshot.files();
    this.counts = counts;
    this.memory = memory;
    this.readers = sources.readers().iterator();
  }

  /**
   * Goes on collecting until all is sorted or the time is up.
   *
   * @return whether all is
   * @throws QueryMemory.ExhaustedException if it does not fit into memory
   * @throws UnkeyableException if some value has no key
   */
  public boolean collect(BooleanSupplier timeIsUp) throws IOException {
    while (reader != null || readers.hasNext()) {
      if (reader == null) {
        reader = readers.next();
        reader.showVersions(this::addVersion);
      }
      FileSource file = reader.file();
      boolean more = reader.read(SLICE, row -> endRow(row, file));
      counts.uncoveredCells += reader.takeCount();
      memory.hold(trust.memstoreRows().heapSize() + reader.heapSize());
      reader = more ? reader : null;
      if (timeIsUp.getAsBoolean()) {
        return false;
      }
    }
    entries.sort((a, b) -> Entry.compare(a, b, descending));
    return true;
  }

  private void addVersion(Cell cell) {
    ofRow.add(codec.key(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength()));
  }

  private void endRow(RowRecord row, FileSource file) throws IOException {
    try {
      if (trust.ofCells(row, file, files) != SourceVerdict.Verdict.DROP) {
        add(Bytes.copy(row.rowArray(), row.rowOffset(), row.rowLength()));
      }
    } finally {
      ofRow.clear();
    }
  }

  private void add(byte[] row) throws IOException {
    Collections.sort(ofRow);
    ValueKey last = null;
    for (ValueKey key : ofRow) {
      if (key.isUnkeyable()) {
        throw new UnkeyableException();
      }
      if (!key.equals(last) && keys.overlaps(key.bytes(), key.bytes())) {
        entries.add(new Entry(key.bytes(), row));
        memory.add(OVERHEAD + key.bytes().length + row.length);
      }
      last = key;
    }
  }

  @Override
  public boolean next() {
    if (next == entries.size()) {
      current = null;
      return false;
    }
    current = entries.set(next++, null);
    return true;
  }

  @Override
  public byte[] keyArray() {
    return current.key;
  }

  @Override
  public int keyOffset() {
    return 0;
  }

  @Override
  public int keyLength() {
    return current.key.length;
  }

  @Override
  public byte[] rowArray() {
    return current.row;
  }

  @Override
  public int rowOffset() {
    return 0;
  }

  @Override
  public int rowLength() {
    return current.row.length;
  }

  @Override
  public SourceVerdict.Verdict verdict() {
    return SourceVerdict.Verdict.READ;
  }

  @Override
  public StoredRow keep() {
    throw new IllegalStateException("the row is to be read");
  }

  @Override
  public void close() {
    entries.clear();
  }
}
