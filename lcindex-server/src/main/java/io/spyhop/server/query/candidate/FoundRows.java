package io.spyhop.server.query.candidate;

import io.spyhop.server.index.memstore.MemstoreIndex;
import io.spyhop.server.memory.QueryMemory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The rows of a memstore that its index finds, in order, each once. A row is left out if no HFile
 * may have some of it, and the predicate cannot be true of what was written to it. Not thread-safe.
 */
final class FoundRows {
  private static final int OVERHEAD = 24;

  private final IndexedQuery query;
  private final StoreSnapshot snapshot;
  private final MemstoreIndex index;
  private final boolean narrows;
  private final QueryMemory memory;
  private List<byte[]> rows = new ArrayList<>();
  private long heapSize;
  private int at = -1;

  /**
   * @param narrows whether rows that no HFile has may be judged by the whole predicate
   */
  FoundRows(IndexedQuery query, StoreSnapshot snapshot, boolean narrows, QueryMemory memory) {
    this.query = query;
    this.snapshot = snapshot;
    this.index = snapshot.memstoreIndex().orElseThrow();
    this.narrows = narrows;
    this.memory = memory;
  }

  /**
   * Finds them.
   *
   * @return where to begin to read
   */
  Cell find() throws IOException {
    index.find(query.driven(), query.keys(), query.predicate(), this::add);
    rows.sort(Bytes.BYTES_COMPARATOR);
    rows = distinct(rows);
    return rows.isEmpty() ? KeyValue.LOWESTKEY : KeyValueUtil.createFirstOnRow(rows.get(0));
  }

  private void add(byte[] b, int off, int len, boolean might) throws IOException {
    if (!query.isInRange(b, off, len) || !might && narrows && !isInFiles(b, off, len)) {
      return;
    }
    rows.add(Bytes.copy(b, off, len));
    heapSize += OVERHEAD + len;
    memory.hold(heapSize);
  }

  private boolean isInFiles(byte[] b, int off, int len) {
    for (FileSource file : snapshot.files()) {
      if (file.mayContain(b, off, len)) {
        return true;
      }
    }
    return false;
  }

  private static List<byte[]> distinct(List<byte[]> sorted) {
    List<byte[]> distinct = new ArrayList<>(sorted.size());
    byte[] last = null;
    for (byte[] row : sorted) {
      if (last == null || !Bytes.equals(last, row)) {
        distinct.add(row);
      }
      last = row;
    }
    return distinct;
  }

  /** The next cell of one of the rows, null behind the last. */
  Cell next(KeyValueScanner from) throws IOException {
    Cell cell = from.peek();
    while (cell != null && !isOfRow(cell)) {
      if (at == rows.size() - 1) {
        return null;
      }
      byte[] row = rows.get(++at);
      if (CellComparator.getInstance().compareRows(cell, row, 0, row.length) < 0) {
        from.reseek(KeyValueUtil.createFirstOnRow(row));
        cell = from.peek();
      }
    }
    return cell == null ? null : from.next();
  }

  private boolean isOfRow(Cell cell) {
    return at >= 0 && PrivateCellUtil.matchingRows(cell, rows.get(at), 0, rows.get(at).length);
  }

  /** Bytes on the heap, about. */
  long heapSize() {
    return heapSize;
  }
}
