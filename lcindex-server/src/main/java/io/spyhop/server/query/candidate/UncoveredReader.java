package io.spyhop.server.query.candidate;

import io.spyhop.core.predicate.RowJudge;
import io.spyhop.server.index.local.RowRecord;
import io.spyhop.server.index.local.WholeRow;
import io.spyhop.server.memory.UnshippedBytes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.regionserver.KeyValueHeap;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.apache.hadoop.hbase.regionserver.SpyhopAccess;

/**
 * Looks at every cell of a source without an index, the memstore or an HFile: every version at or
 * below the read point, delete markers included, row by row. Of a memstore with an index it looks
 * at the rows that this finds. Not thread-safe.
 */
final class UncoveredReader {
  /** Takes a row of which some version of the driving column satisfies what is demanded of it. */
  @FunctionalInterface
  interface RowConsumer {
    void row(RowRecord row) throws IOException;
  }

  private final IndexedQuery query;
  private final List<KeyValueScanner> scanners;
  private final FileSource file;
  private final RowSet rows;
  private final FoundRows found;
  private final RowJudge judge;
  private final WholeRow row;
  private Consumer<Cell> versions = cell -> {};
  private KeyValueScanner scanner;
  private boolean taken;
  private long count;
  private final UnshippedBytes unshipped = new UnshippedBytes();

  /** Whether blocks are to be let go of as soon as no row needs them. */
  private boolean full;

  private UncoveredReader(
      IndexedQuery query,
      List<KeyValueScanner> scanners,
      FileSource file,
      RowSet rows,
      FoundRows found) {
    this.query = query;
    this.scanners = scanners;
    this.file = file;
    this.rows = rows;
    this.found = found;
    this.judge = query.predicate().judgeOf(query.drivingColumn());
    this.row = new WholeRow(query.predicate(), query.qualifiers());
  }

  /**
   * Reads the memstore.
   *
   * @param segments its parts, which are read as one
   * @param rows takes all its rows
   */
  static UncoveredReader ofMemstore(
      IndexedQuery query, List<KeyValueScanner> segments, RowSet rows) {
    return new UncoveredReader(query, segments, null, rows, null);
  }

  /** Reads rows of the memstore. */
  static UncoveredReader ofRows(
      IndexedQuery query, List<KeyValueScanner> segments, FoundRows found) {
    return new UncoveredReader(query, segments, null, null, found);
  }

  /** Reads an HFile. */
  static UncoveredReader of(IndexedQuery query, FileSource file) {
    return new UncoveredReader(query, List.of(file.scanner()), file, null, null);
  }

  /**
   * Reads all that index files do not stand for, the memstore first: which rows it holds must be
   * known before a record is trusted.
   *
   * @param rows takes the memstore's rows
   */
  static List<UncoveredReader> of(IndexedQuery query, StoreSnapshot snapshot, RowSet rows) {
    List<UncoveredReader> all = new ArrayList<>();
    if (!snapshot.memstore().isEmpty()) {
      all.add(ofMemstore(query, snapshot.memstore(), rows));
    }
    all.addAll(ofFiles(query, snapshot));
    return all;
  }

  /** Reads the HFiles without index files. */
  static List<UncoveredReader> ofFiles(IndexedQuery query, StoreSnapshot snapshot) {
    return snapshot.files().stream()
        .filter(f -> f.index().isEmpty())
        .map(f -> of(query, f))
        .toList();
  }

  /** Has every version that satisfies the predicate handed over, before its row is. */
  void showVersions(Consumer<Cell> to) {
    versions = to;
  }

  /** The HFile that is read, null if it is the memstore. */
  FileSource file() {
    return file;
  }

  /**
   * Looks at some cells.
   *
   * @return whether there are more
   */
  boolean read(int cells, RowConsumer sink) throws IOException {
    if (scanner == null) {
      scanner = seek();
    }
    for (int i = 0; i < cells; i++) {
      if (file != null) {
        SpyhopAccess.countBlock(scanner);
      }
      Cell cell = found == null ? scanner.next() : found.next(scanner);
      if (cell == null || isPastStop(cell)) {
        endRow(sink);
        return false;
      }
      count++;
      full |= unshipped.add(cell);
      look(full && !row.isEmpty() && !row.has(cell) ? shipped(cell, sink) : cell, sink);
      if (full && !row.holdsCells()) {
        letGo();
      }
    }
    return true;
  }

  /** Lets go of the blocks of the rows before a cell, of which it gives a copy. */
  private Cell shipped(Cell cell, RowConsumer sink) throws IOException {
    endRow(sink);
    Cell copy = KeyValueUtil.copyToNewKeyValue(cell);
    letGo();
    return copy;
  }

  /** Not of a memstore, which has no blocks: told of it, a heap closes what it is through with. */
  private void letGo() throws IOException {
    if (file != null) {
      scanner.shipped();
    }
    full = false;
  }

  private KeyValueScanner seek() throws IOException {
    Cell first = found == null ? start() : found.find();
    for (KeyValueScanner s : scanners) {
      s.seek(first);
    }
    return scanners.size() == 1
        ? scanners.get(0)
        : new KeyValueHeap(scanners, CellComparator.getInstance());
  }

  private Cell start() {
    byte[] start = query.scan().getStartRow();
    return start.length == 0 ? KeyValue.LOWESTKEY : KeyValueUtil.createFirstOnRow(start);
  }

  private boolean isPastStop(Cell cell) {
    return query.isPastStop(cell.getRowArray(), cell.getRowOffset(), cell.getRowLength());
  }

  private void look(Cell cell, RowConsumer sink) throws IOException {
    if (row.isEmpty() || !row.has(cell)) {
      endRow(sink);
      if (rows != null) {
        rows.addRowOf(cell);
      }
    }
    row.add(cell);
    if (satisfiesDrivingColumn(cell)) {
      taken = true;
      versions.accept(cell);
    }
  }

  private void endRow(RowConsumer sink) throws IOException {
    if (taken && query.isInRange(row.rowArray(), row.rowOffset(), row.rowLength())) {
      sink.row(row);
    }
    taken = false;
    row.clear();
  }

  private boolean satisfiesDrivingColumn(Cell cell) {
    if (cell.getTypeByte() != KeyValue.Type.Put.getCode()
        || !query.driving().column().matches(cell)) {
      return false;
    }
    judge.reset();
    judge.offer(
        query.drivingColumn(), cell.getValueArray(), cell.getValueOffset(), cell.getValueLength());
    return judge.matches();
  }

  /** Bytes on the heap that are not counted elsewhere, about. */
  long heapSize() {
    return found == null ? 0 : found.heapSize();
  }

  /** How many cells were looked at since the last call. */
  long takeCount() {
    long n = count;
    count = 0;
    return n;
  }
}
