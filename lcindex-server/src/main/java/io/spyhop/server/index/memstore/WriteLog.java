package io.spyhop.server.index.memstore;

import io.spyhop.core.predicate.BoundColumn;
import io.spyhop.server.index.local.column.RowHashes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;

/**
 * A log of writes to one store: the key of each written row with the codes of its columns, and the
 * hashes of all rows. It has whatever was written, and perhaps writes that failed or that nobody
 * sees yet. Without room it is dropped whole, and takes nothing more. Thread-safe.
 */
public final class WriteLog {
  private static final int FIRST_ROWS = 32;
  private static final int MOST_ROWS = 4096;
  private static final int MOST_BYTES = 1 << 20;

  private final List<BoundColumn> columns;
  private final LogMemory memory;
  private List<LogBlock> blocks = new ArrayList<>();
  private RowHashes hashes = new RowHashes().sketched();

  /** Rows of which the codes of one write alone say too little. */
  private RowHashes complex = new RowHashes();

  private long reserved;
  private boolean dropped;

  /** A log as it was at some time, and perhaps later. Thread-safe. */
  record View(
      List<BoundColumn> columns,
      List<LogBlock> blocks,
      int rowsOfLast,
      RowHashes hashes,
      RowHashes complex) {
    /** How many rows of a block belong to it. */
    int rows(int block) {
      return block == blocks.size() - 1 ? rowsOfLast : blocks.get(block).rows();
    }
  }

  /** A log without writes. */
  public WriteLog(List<BoundColumn> columns, LogMemory memory) {
    this.columns = columns;
    this.memory = memory;
  }

  /** Whether writes are logged with these columns. */
  public boolean has(List<BoundColumn> wanted) {
    return columns.containsAll(wanted);
  }

  /**
   * Takes the cells that a write adds to one row.
   *
   * @param ttl whether the write gives all its cells a TTL
   */
  public void write(List<Cell> cells, boolean ttl) {
    LoggedRow row = newRow();
    for (int i = 0; i < cells.size(); i++) {
      row.add(cells.get(i), ttl);
    }
    append(row);
  }

  /** An empty row, to be filled and appended. */
  LoggedRow newRow() {
    return new LoggedRow(columns);
  }

  /** Takes a row of a write; an empty one is ignored. */
  void append(LoggedRow row) {
    if (row.isEmpty()) {
      return;
    }
    Cell cell = row.cell();
    byte[] key = cell.getRowArray();
    int off = cell.getRowOffset();
    int len = cell.getRowLength();
    int hash = RowHashes.of(key, off, len);
    boolean coded = row.hasCodes();
    synchronized (this) {
      if (dropped || coded && !append(key, off, len, row.codes())) {
        return;
      }
      if (hashes.contains(hash) || row.isComplex()) {
        add(complex, hash);
      }
      add(hashes, hash);
    }
  }

  private boolean append(byte[] key, int off, int len, long[] codes) {
    LogBlock last = blocks.isEmpty() ? null : blocks.get(blocks.size() - 1);
    if (last != null && last.tryAppend(key, off, len, codes)) {
      return true;
    }
    int wanted = last == null ? FIRST_ROWS : Math.min(MOST_ROWS, 2 * last.rows());
    int rows = Math.max(1, Math.min(wanted, MOST_BYTES / Math.max(1, len)));
    if (!reserve(LogBlock.heapSize(columns.size(), rows, rows * len))) {
      return false;
    }
    LogBlock next = new LogBlock(columns.size(), rows, rows * len);
    blocks.add(next);
    return next.tryAppend(key, off, len, codes);
  }

  private void add(RowHashes to, int hash) {
    long before = to.heapSize();
    to.add(hash);
    long more = to.heapSize() - before;
    if (more > 0) {
      reserve(more);
    }
  }

  private boolean reserve(long bytes) {
    if (dropped || !memory.budget().tryReserve(bytes)) {
      if (!dropped) {
        drop();
        memory.refused().run();
      }
      return false;
    }
    reserved += bytes;
    return true;
  }

  /** Lets go of everything; views that were taken before stay as they are. */
  public synchronized void drop() {
    dropped = true;
    blocks = List.of();
    hashes = new RowHashes();
    complex = new RowHashes();
    memory.budget().release(reserved);
    reserved = 0;
  }

  /** What it knows now, of each write that has ended; empty if it was dropped. */
  synchronized Optional<View> view() {
    if (dropped) {
      return Optional.empty();
    }
    int last = blocks.size() - 1;
    return Optional.of(
        new View(
            columns,
            List.copyOf(blocks),
            last < 0 ? 0 : blocks.get(last).rows(),
            hashes.shared(),
            complex.shared()));
  }
}
