package io.spyhop.server.query.scan;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;

/**
 * Rows of a scan in the order of values that another read may find otherwise, at the same read
 * point: a cell that has a TTL expires, and an older version shows. They are read where the scan
 * meets them first, which settles where they stand, and whether. Not thread-safe.
 */
final class ExpiringRows {
  private static final int OVERHEAD = 160;
  private static final long MOST_UNASKED = 4 << 20;

  private final Map<ByteBuffer, List<Cell>> rows = new HashMap<>();
  private final long many;
  private long heapSize;

  /**
   * @param budget of the query
   */
  ExpiringRows(long budget) {
    this.many = Math.min(MOST_UNASKED, budget / 2);
  }

  /** What was read of a row; no cells if it was handed out, or is not in the answer. */
  Optional<List<Cell>> get(byte[] row) {
    return Optional.ofNullable(rows.get(ByteBuffer.wrap(row)));
  }

  /** Settles a row by what was read of it. */
  void put(byte[] row, List<Cell> cells) {
    rows.put(ByteBuffer.wrap(row), cells);
    heapSize += OVERHEAD + row.length + bytesOf(cells);
  }

  /** A row is handed out. */
  void handedOut(byte[] row) {
    List<Cell> cells = rows.replace(ByteBuffer.wrap(row), List.of());
    heapSize -= cells == null ? 0 : bytesOf(cells);
  }

  private static long bytesOf(List<Cell> cells) {
    return cells.stream().mapToLong(Cell::heapSize).sum();
  }

  /** Whether they take more than it costs to look which are met again. */
  boolean areMany() {
    return heapSize > many;
  }

  /** What they take. */
  long heapSize() {
    return heapSize;
  }
}
