package io.spyhop.server.index.global;

import io.spyhop.core.global.Entry;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.server.index.global.entry.BatchEntries;
import io.spyhop.server.index.global.repair.PhysicalCells;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The reads before a write to an index with {@link io.spyhop.core.schema.Maintenance#SYNC}: the
 * entries that it makes obsolete (DELI, section IV.A, tasks 1 and 2), and those that it brings
 * back: a marker that deletes one version alone uncovers the version below, whose entry may have
 * been deleted when it was overwritten. Where cells have visibility labels every marker is like
 * that: it deletes those cells alone that have its own label, and HBase forgets that of a column
 * when it meets one of a single version (docs/decisions/0007). Not thread-safe.
 */
final class SyncReads {
  private final HRegion region;
  private final ColumnName column;
  private final BatchEntries entries;
  private final Set<byte[]> written = new TreeSet<>(Bytes.BYTES_COMPARATOR);
  private final Set<byte[]> uncovered = new TreeSet<>(Bytes.BYTES_COMPARATOR);
  private final Set<byte[]> deleted = new TreeSet<>(Bytes.BYTES_COMPARATOR);

  SyncReads(HRegion region, IndexDefinition definition) {
    this.region = region;
    this.column = definition.column();
    this.entries = new BatchEntries(region.getTableDescriptor().getTableName(), definition);
  }

  /** Takes note of a cell that is about to be written. */
  void add(Cell cell) {
    if (CellUtil.isPut(cell)) {
      if (column.matches(cell)) {
        written.add(CellUtil.cloneRow(cell));
      }
    } else if (PrivateCellUtil.isDeleteFamilyVersion(cell)
        || PrivateCellUtil.isDeleteType(cell) && column.matches(cell)) {
      uncovered.add(CellUtil.cloneRow(cell));
    } else if (PrivateCellUtil.isDeleteFamily(cell) || column.matches(cell)) {
      deleted.add(CellUtil.cloneRow(cell));
    }
  }

  /** How many rows there are to read. */
  int rows() {
    return written.size() + uncovered.size() + deleted.size();
  }

  /** The entries of the cells that can be seen now in rows that are written. */
  List<Entry> replaced() throws IOException {
    List<Entry> replaced = new ArrayList<>();
    ColumnFamilyDescriptor family = region.getTableDescriptor().getColumnFamily(column.family());
    for (byte[] row : written) {
      Scan scan = new Scan().withStartRow(row).withStopRow(row, true);
      scan.readVersions(family.getMaxVersions());
      select(scan, family);
      List<Cell> cells = new ArrayList<>();
      try (RegionScanner scanner = region.getScanner(scan)) {
        scanner.next(cells);
        for (Cell c : cells) {
          if (column.matches(c)) {
            entries.entry(c).ifPresent(replaced::add);
          }
        }
      }
    }
    return replaced;
  }

  /** Reads of single columns may never end with new version behaviour (docs/decisions/0007). */
  private void select(Scan scan, ColumnFamilyDescriptor family) {
    if (family.isNewVersionBehavior()) {
      scan.addFamily(column.family());
    } else {
      scan.addColumn(column.family(), column.qualifier());
    }
  }

  /** The entries of all cells that are there in rows of which a version may be uncovered. */
  List<Put> restored() throws IOException {
    List<Put> restored = new ArrayList<>();
    for (byte[] row : uncovered) {
      restore(stored(row), restored);
    }
    for (byte[] row : deleted) {
      List<Cell> stored = stored(row);
      if (stored.stream().anyMatch(SyncReads::mayUndoMarker)) {
        restore(stored, restored);
      }
    }
    return restored;
  }

  private static boolean mayUndoMarker(Cell stored) {
    return CellUtil.isPut(stored)
        ? BatchEntries.isLabelled(stored)
        : PrivateCellUtil.isDeleteType(stored);
  }

  private List<Cell> stored(byte[] row) throws IOException {
    try (PhysicalCells cells = PhysicalCells.rows(region, column.family(), row, row)) {
      return List.copyOf(cells.column(row, column.qualifier(), Long.MIN_VALUE));
    }
  }

  private void restore(List<Cell> stored, List<Put> restored) throws IOException {
    for (Cell c : stored) {
      if (CellUtil.isPut(c)) {
        entries.entry(c).ifPresent(e -> restored.add(e.put(BatchEntries.isLabelled(c))));
      }
    }
  }
}
