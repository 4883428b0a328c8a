package io.spyhop.server.global;

import io.spyhop.core.global.Entry;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.server.global.repair.PhysicalCells;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.regionserver.HRegion;

/**
 * The entries of the versions that an increment or append may take out of the memstore: where one
 * version is kept, HBase removes there those that no scanner needs any more, whatever their
 * timestamps. Not thread-safe.
 */
final class ReplacedCells {
  private final HRegion region;
  private final IndexDefinition index;
  private final BatchEntries entries;
  private final boolean removes;
  private final List<Entry> found = new ArrayList<>();

  ReplacedCells(HRegion region, IndexDefinition index) {
    this.region = region;
    this.index = index;
    this.entries = new BatchEntries(region.getTableDescriptor().getTableName(), index);
    ColumnFamilyDescriptor family =
        region.getTableDescriptor().getColumnFamily(index.column().family());
    this.removes = family != null && family.getMaxVersions() == 1;
  }

  /** Takes note of a cell that is about to be written, its row locked. */
  void add(Cell cell) throws IOException {
    if (!removes || !index.column().matches(cell)) {
      return;
    }
    byte[] row = CellUtil.cloneRow(cell);
    try (PhysicalCells memory = PhysicalCells.memory(region, index.column().family(), row)) {
      for (Cell c : memory.column(row, index.column().qualifier())) {
        if (CellUtil.isPut(c)) {
          entries.entry(c).ifPresent(found::add);
        }
      }
    }
  }

  /** What there is so far. */
  List<Entry> entries() {
    return found;
  }
}
