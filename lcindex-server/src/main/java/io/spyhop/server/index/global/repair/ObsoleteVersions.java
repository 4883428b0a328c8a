package io.spyhop.server.index.global.repair;

import io.spyhop.core.global.Entry;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.server.index.CellTtl;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Finds the versions that a flush or compaction of one family may drop: DELI's Algorithm 3, over
 * all cells in HBase's order, newest first, so that its queue is a count: what comes after the
 * newest m is obsolete, and so is what a delete marker covers or what is expired. It names some
 * that stay, and none that go are missing; whether they are gone is looked at later.
 *
 * <p>Every cell of a compaction passes here: of cells of other columns only the qualifier's length
 * is looked at, mostly. Keeps copies, never cells. Not thread-safe.
 */
final class ObsoleteVersions {
  /** Takes what is found. */
  @FunctionalInterface
  interface EntryConsumer {
    void obsolete(IndexDefinition index, Entry entry) throws IOException;
  }

  /** An indexed column. */
  private static final class Column {
    private final byte[] qualifier;
    private final List<IndexDefinition> indexes = new ArrayList<>();

    Column(byte[] qualifier) {
      this.qualifier = qualifier;
    }
  }

  private final Column[] columns;
  private final VersionRules rules;
  private final long now;
  private final long oldestUnexpired;
  private final EntryConsumer sink;

  private byte[] row = new byte[64];
  private int rowLength = -1;
  private final Markers ofFamily = new Markers();

  private Column column;
  private final Markers ofColumn = new Markers();
  private int versions;
  private long previous;

  /** Delete markers met so far. */
  private static final class Markers {
    private long upTo = Long.MIN_VALUE;
    private final Set<Long> exactly = new HashSet<>();

    void clear() {
      upTo = Long.MIN_VALUE;
      if (!exactly.isEmpty()) {
        exactly.clear();
      }
    }

    boolean cover(long timestamp) {
      return (timestamp <= upTo && upTo != Long.MIN_VALUE)
          || (!exactly.isEmpty() && exactly.contains(timestamp));
    }
  }

  /**
   * @param indexes on columns of one family
   * @param now the server's clock
   */
  ObsoleteVersions(
      Collection<IndexDefinition> indexes, VersionRules rules, long now, EntryConsumer sink) {
    this.columns = columns(indexes);
    this.rules = rules;
    this.now = now;
    this.oldestUnexpired = rules.oldestUnexpired(now);
    this.sink = sink;
  }

  private static Column[] columns(Collection<IndexDefinition> indexes) {
    Map<byte[], Column> columns = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    for (IndexDefinition i : indexes) {
      columns.computeIfAbsent(i.column().qualifier(), Column::new).indexes.add(i);
    }
    return columns.values().toArray(Column[]::new);
  }

  /** The next cell; valid during the call only. */
  void add(Cell cell) throws IOException {
    boolean put = CellUtil.isPut(cell);
    if (!put && ofFamily(cell)) {
      return;
    }
    Column found = columnOf(cell);
    if (found == null) {
      return;
    }
    enter(cell, found);
    if (put) {
      version(cell);
    } else {
      marker(cell);
    }
  }

  /** Notes a marker of the whole family; false if it is none. */
  private boolean ofFamily(Cell cell) {
    if (PrivateCellUtil.isDeleteFamily(cell)) {
      enter(cell);
      ofFamily.upTo = Math.max(ofFamily.upTo, cell.getTimestamp());
      return true;
    }
    if (PrivateCellUtil.isDeleteFamilyVersion(cell)) {
      enter(cell);
      ofFamily.exactly.add(cell.getTimestamp());
      return true;
    }
    return false;
  }

  private void marker(Cell cell) {
    if (PrivateCellUtil.isDeleteColumns(cell)) {
      ofColumn.upTo = Math.max(ofColumn.upTo, cell.getTimestamp());
    } else {
      ofColumn.exactly.add(cell.getTimestamp());
    }
  }

  private Column columnOf(Cell cell) {
    int length = cell.getQualifierLength();
    for (Column c : columns) {
      if (c.qualifier.length == length && CellUtil.matchingQualifier(cell, c.qualifier)) {
        return c;
      }
    }
    return null;
  }

  private void enter(Cell cell, Column found) {
    enter(cell);
    if (column != found) {
      column = found;
      ofColumn.clear();
      versions = 0;
    }
  }

  /** Begins the cell's row unless it is the current one. */
  private void enter(Cell cell) {
    if (rowLength == cell.getRowLength() && PrivateCellUtil.matchingRows(cell, row, 0, rowLength)) {
      return;
    }
    rowLength = cell.getRowLength();
    if (rowLength > row.length) {
      row = new byte[Math.max(rowLength, 2 * row.length)];
    }
    CellUtil.copyRowTo(cell, row, 0);
    ofFamily.clear();
    column = null;
  }

  private void version(Cell cell) throws IOException {
    long timestamp = cell.getTimestamp();
    boolean again = versions > 0 && timestamp == previous;
    if (again
        || versions >= rules.maxVersions()
        || ofFamily.cover(timestamp)
        || ofColumn.cover(timestamp)
        || isExpired(cell)) {
      emit(cell);
    }
    if (!again) {
      versions++;
      previous = timestamp;
    }
  }

  private boolean isExpired(Cell cell) {
    if (cell.getTimestamp() < oldestUnexpired && versions >= rules.minVersions()) {
      return true;
    }
    return cell.getTagsLength() > 0
        && CellTtl.of(cell).orElse(Long.MAX_VALUE) < now - cell.getTimestamp();
  }

  private void emit(Cell cell) throws IOException {
    for (IndexDefinition i : column.indexes) {
      Entry entry = CellEntries.of(i, cell);
      if (entry != null) {
        sink.obsolete(i, entry);
      }
    }
  }
}
