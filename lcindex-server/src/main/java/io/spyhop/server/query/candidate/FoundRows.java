package io.spyhop.server.query.candidate;

import io.spyhop.core.predicate.BoundColumn;
import io.spyhop.core.predicate.Condition;
import io.spyhop.server.index.local.column.HashedRows;
import io.spyhop.server.index.local.column.RowHashes;
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
 * The rows of a memstore that its index finds, in order, each once. A row is left out if the
 * predicate cannot be true of what was written to it, and either no HFile may have some of it, or
 * HFiles find all that they have a part of. Not thread-safe.
 */
final class FoundRows extends MemstoreRows {
  private static final int OVERHEAD = 24;

  private final IndexedQuery query;
  private final StoreSnapshot snapshot;
  private final MemstoreIndex index;
  private final boolean narrows;
  private final boolean filesNarrow;
  private final QueryMemory memory;
  private final RowHashes left = new RowHashes();
  private final HashedRows[] ofConditions;
  private List<byte[]> rows = new ArrayList<>();
  private long heapSize;
  private int at = -1;

  /**
   * @param trust says what may be left out
   * @param toFiles whether rows may be left out that HFiles find
   */
  FoundRows(
      IndexedQuery query,
      StoreSnapshot snapshot,
      SourceVerdict trust,
      QueryMemory memory,
      boolean toFiles) {
    super(query, snapshot.memstoreIndex().orElseThrow(), snapshot.memstore());
    this.query = query;
    this.snapshot = snapshot;
    this.index = snapshot.memstoreIndex().orElseThrow();
    this.narrows = trust.memstoreNarrows();
    this.filesNarrow = toFiles && narrows && trust.allNarrow(snapshot.files());
    this.memory = memory;
    this.ofConditions = new HashedRows[query.predicate().conditions()];
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
    memory.add(left.sketched().heapSize());
    return rows.isEmpty() ? KeyValue.LOWESTKEY : KeyValueUtil.createFirstOnRow(rows.get(0));
  }

  /** Whether HFiles find each row that they have a part of. */
  boolean areLeftToFiles() {
    return filesNarrow;
  }

  private void add(byte[] b, int off, int len, int hash, boolean might) throws IOException {
    if (!query.isInRange(b, off, len)) {
      return;
    }
    if (filesNarrow) {
      left.add(hash);
    }
    if (might || !filesNarrow && (!narrows || isInFiles(b, off, len))) {
      rows.add(Bytes.copy(b, off, len));
      heapSize += OVERHEAD + len;
    }
    memory.hold(heapSize + left.heapSize());
  }

  @Override
  public RowHashes leftToFiles() {
    return left;
  }

  @Override
  public HashedRows of(Condition condition) throws IOException {
    if (!narrows) {
      return index;
    }
    int number = condition.number();
    if (ofConditions[number] == null) {
      BoundColumn column = query.predicate().columns().get(condition.column());
      ofConditions[number] = index.of(condition, column);
      memory.add(ofConditions[number].heapSize());
    }
    return ofConditions[number];
  }

  private boolean isInFiles(byte[] b, int off, int len) throws IOException {
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
        rows = List.of(); // no reader comes back for them
        at = -1;
        heapSize = 0;
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
