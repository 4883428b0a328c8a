package io.spyhop.server.index.stats;

import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.stats.ColumnSummary;
import io.spyhop.core.stats.SourceSummary;
import io.spyhop.server.index.CellTtl;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;

/**
 * Collects the summary of a source of one store whose cells come in HBase's order. Not thread-safe.
 */
final class CellCollector {
  private final List<StatisticsColumn> columns;
  private final ColumnFinder finder;
  private final ColumnSummary.Builder[] builders;
  private final KnownValues[] known;
  private final boolean[] seen;

  /** The current row, in the beginning of an array that is used again. */
  private byte[] row = new byte[0];

  private int rowLength = -1;
  private boolean deletes;
  private boolean cellTtl;
  private long cells;

  CellCollector(List<StatisticsColumn> columns) {
    this.columns = columns;
    this.finder = new ColumnFinder(columns);
    this.seen = new boolean[columns.size()];
    this.known = new KnownValues[columns.size()];
    this.builders = new ColumnSummary.Builder[columns.size()];
    for (int i = 0; i < builders.length; i++) {
      known[i] = new KnownValues();
      builders[i] = ColumnSummary.builder(columns.get(i).type(), columns.get(i).bloom());
    }
  }

  /** Takes the next cell. */
  void add(Cell cell) {
    cells++;
    if (rowLength < 0 || !PrivateCellUtil.matchingRows(cell, row, 0, rowLength)) {
      endRow();
      startRow(cell);
    }
    cellTtl |= CellTtl.isIn(cell);
    if (!CellUtil.isPut(cell)) {
      deletes = true;
      return;
    }
    int i = finder.find(cell);
    if (i >= 0) {
      seen[i] = true;
      if (!known[i].contains(cell)) {
        builders[i].add(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength());
        known[i].add(cell);
      }
    }
  }

  private void startRow(Cell cell) {
    rowLength = cell.getRowLength();
    if (row.length < rowLength) {
      row = new byte[2 * rowLength];
    }
    CellUtil.copyRowTo(cell, row, 0);
  }

  private void endRow() {
    for (int i = 0; rowLength >= 0 && i < seen.length; i++) {
      if (!seen[i]) {
        builders[i].addAbsent();
      }
    }
    Arrays.fill(seen, false);
  }

  /** How many cells came. */
  long cells() {
    return cells;
  }

  /** The summary of all cells; to be called once, at the end. */
  SourceSummary build() {
    endRow();
    SortedMap<ColumnName, ColumnSummary> built = new TreeMap<>();
    for (int i = 0; i < builders.length; i++) {
      built.put(columns.get(i).name(), builders[i].build());
    }
    return new SourceSummary(deletes, cellTtl, built);
  }
}
