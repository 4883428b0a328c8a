package io.spyhop.server.index.global.repair;

import java.io.IOException;
import java.util.List;
import java.util.function.IntConsumer;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.KeyValueHeap;
import org.apache.hadoop.hbase.regionserver.NonReversedNonLazyKeyValueScanner;
import org.apache.hadoop.hbase.regionserver.SpyhopAccess;
import org.apache.hadoop.hbase.regionserver.StoreScanner;

/**
 * Between the scanner of a flush or compaction and its sources: shows every cell that is read, also
 * those that the scanner then drops, and changes nothing (DELI, section V.B, streaming design).
 * Where the scanner would seek past old versions, the tap walks. Not thread-safe.
 */
final class CellTap extends NonReversedNonLazyKeyValueScanner {
  /** Sees the cells; an IOException reaches the flush or compaction. */
  interface CellConsumer {
    /** A cell, valid during the call only. */
    void cell(Cell cell) throws IOException;

    /** All cells were seen; what was written of them is not committed yet. */
    void end() throws IOException;

    /** No more will be shown; without {@link #end()} before, nothing will be committed. */
    void close();
  }

  private final KeyValueHeap cells;
  private final CellComparator order;
  private final boolean fromFiles;
  private final CellConsumer sink;

  private CellTap(KeyValueHeap cells, CellComparator order, boolean fromFiles, CellConsumer sink) {
    this.cells = cells;
    this.order = order;
    this.fromFiles = fromFiles;
    this.sink = sink;
  }

  /** Whether a scanner can be tapped: it cannot once another coprocessor has wrapped it. */
  static boolean fits(InternalScanner scanner) {
    return scanner instanceof StoreScanner s && SpyhopAccess.heap(s) != null;
  }

  /** Taps a scanner that {@link #fits}. */
  static void splice(
      InternalScanner scanner, CellComparator order, boolean fromFiles, CellConsumer sink)
      throws IOException {
    StoreScanner store = (StoreScanner) scanner;
    CellTap tap = new CellTap(SpyhopAccess.heap(store), order, fromFiles, sink);
    SpyhopAccess.heap(store, new KeyValueHeap(List.of(tap), order));
  }

  @Override
  public Cell peek() {
    return cells.peek();
  }

  /** The cell is shown first: moving on may free its block. */
  @Override
  public Cell next() throws IOException {
    Cell cell = cells.peek();
    if (cell == null) {
      return null;
    }
    sink.cell(cell);
    Cell same = cells.next();
    if (cells.peek() == null) {
      sink.end();
    }
    return same;
  }

  @Override
  public boolean seek(Cell key) throws IOException {
    return reseek(key);
  }

  @Override
  public boolean reseek(Cell key) throws IOException {
    for (Cell c = cells.peek(); c != null; c = cells.peek()) {
      if (order.compare(c, key) >= 0) {
        return true;
      }
      next();
    }
    return false;
  }

  @Override
  public long getScannerOrder() {
    return cells.getScannerOrder();
  }

  @Override
  public boolean shouldUseScanner(Scan scan, HStore store, long oldestUnexpired) {
    return true;
  }

  @Override
  public boolean isFileScanner() {
    return fromFiles;
  }

  @Override
  public Path getFilePath() {
    return null;
  }

  @Override
  public Cell getNextIndexedKey() {
    return cells.getNextIndexedKey();
  }

  @Override
  public void recordBlockSize(IntConsumer size) {
    cells.recordBlockSize(size);
  }

  @Override
  public void shipped() throws IOException {
    cells.shipped();
  }

  @Override
  public void close() {
    try {
      sink.close();
    } finally {
      cells.close();
    }
  }
}
