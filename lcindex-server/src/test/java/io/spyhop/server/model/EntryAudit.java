package io.spyhop.server.model;

import io.spyhop.core.global.Entry;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.Maintenance;
import io.spyhop.core.schema.Repair;
import io.spyhop.core.value.ValueCodec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;

/**
 * Compares the entries of index tables with the cells of the base table, without the help of what
 * the servers have for it: each put cell of an indexed column that is in a memstore or an HFile,
 * visible or not, must have its entry. Where writes keep the index in place ({@link
 * Maintenance#SYNC}) this holds for the cells that can be seen, unless the family shows deleted
 * cells, too.
 *
 * <p>Not counted are cells that the table's TTL hides: their entries expire as well, an hour later.
 * Entries that nothing is behind are looked for at a history's end alone, and not where repair is
 * {@link Repair#OFF}. Where a TTL was set at any time those of such an age are left out, too: HBase
 * drops a file of nothing but expired cells unread.
 */
final class EntryAudit {
  private final ModelTable model;
  private long audited;

  EntryAudit(ModelTable model) {
    this.model = model;
  }

  /** Entries that were looked for. */
  long audited() {
    return audited;
  }

  /** Fails if a cell has no entry in an index that is built. */
  void requireNoneMissing() throws IOException {
    for (IndexDefinition index : model.globals().definitions()) {
      if (model.globals().isBuilt(index)) {
        Collection<String> missing = expected(index);
        audited += missing.size();
        missing.removeAll(entries(index, 0));
        if (!missing.isEmpty() && model.isRestless()) {
          missing.retainAll(expected(index));
        }
        require(index, "cells without entry", missing, missing.isEmpty() ? "" : stored(index));
      }
    }
  }

  /**
   * Fails if there is an entry without a cell. What a server without Spyhop has dropped only reads
   * and verification find.
   */
  void requireNoneDangling() throws IOException {
    if (model.wasUnwatched()) {
      return;
    }
    for (IndexDefinition index : model.globals().definitions()) {
      if (index.global().repair() != Repair.OFF) {
        boolean mortal = model.hadLifetime(index.column().family());
        Collection<String> dangling = entries(index, mortal ? unexpired() : 0);
        dangling.removeAll(new Cells(index).physical());
        require(index, "entries without cell", dangling, "");
      }
    }
  }

  /** No TTL of the model's is shorter. */
  private static long unexpired() {
    return System.currentTimeMillis() - 1_000L * ModelTable.LIFETIME;
  }

  private static void require(
      IndexDefinition index, String what, Collection<String> none, String more) {
    if (!none.isEmpty()) {
      throw new AssertionError(
          index.name() + " (" + index + "): " + what + ":\n  " + String.join("\n  ", none) + more);
    }
  }

  /**
   * Everything that is stored of an index's family and in its table, for the reader of a failure.
   */
  private String stored(IndexDefinition index) throws IOException {
    StringBuilder all = new StringBuilder("\nstored, by region and source:");
    TableName entries = IndexTable.nameOf(model.name(), index.name());
    for (TableName table : List.of(model.name(), entries)) {
      for (HRegion region : model.cluster().regions(table)) {
        for (HStore store : region.getStores()) {
          for (Cell c : cells(store)) {
            if (table.equals(entries) || !CellUtil.isPut(c) || index.column().matches(c)) {
              all.append("\n  ").append(region.getRegionInfo().getEncodedName(), 0, 6).append(' ');
              all.append(c).append(" tags ").append(c.getTagsLength());
            }
          }
        }
      }
    }
    return all.toString();
  }

  private Collection<String> entries(IndexDefinition index, long oldest) throws IOException {
    Collection<String> entries = new TreeSet<>();
    Scan scan = new Scan().addFamily(IndexTable.ENTRIES).readAllVersions();
    TableName table = IndexTable.nameOf(model.name(), index.name());
    // what is remembered of a region that is made anew may go round in circles (decision 0007)
    model.cluster().connection().getRegionLocator(table).clearRegionLocationCache();
    try (Table t = model.cluster().connection().getTable(table);
        ResultScanner scanner = t.getScanner(scan)) {
      for (Result r : scanner) {
        for (Cell c : r.rawCells()) {
          byte[] row = CellUtil.cloneRow(c);
          if (c.getTimestamp() < oldest) {
            continue;
          }
          entries.add(Entry.of(row, 0, row.length, c.getTimestamp()).toString());
        }
      }
    }
    return entries;
  }

  private Collection<String> expected(IndexDefinition index) throws IOException {
    Cells cells = new Cells(index);
    boolean visibleAlone =
        index.global().maintenance() == Maintenance.SYNC
            && cells.family.getKeepDeletedCells() == KeepDeletedCells.FALSE
            && !cells.family.isNewVersionBehavior();
    return visibleAlone ? cells.visible() : cells.physical();
  }

  /** Each source by itself: nothing is merged, so that nothing can hide anything. */
  private static List<Cell> cells(HStore store) throws IOException {
    List<Cell> cells = new ArrayList<>();
    byte[] all = HConstants.EMPTY_BYTE_ARRAY;
    for (KeyValueScanner s :
        store.getScanners(
            false, false, false, null, all, true, all, false, Long.MAX_VALUE, false)) {
      try {
        s.seek(KeyValue.LOWESTKEY);
        for (Cell c = s.next(); c != null; c = s.next()) {
          cells.add(KeyValueUtil.copyToNewKeyValue(c));
        }
      } finally {
        s.close();
      }
    }
    return cells;
  }

  /** The entries that cells of an index's column should have. */
  private final class Cells {
    private final IndexDefinition index;
    private final ColumnFamilyDescriptor family;
    private final long oldest;
    private final Collection<String> entries = new TreeSet<>();

    Cells(IndexDefinition index) throws IOException {
      this.index = index;
      this.family = model.descriptor().getColumnFamily(index.column().family());
      long seconds = family.getTimeToLive();
      this.oldest =
          seconds == HConstants.FOREVER ? 0 : System.currentTimeMillis() - 1_000 * seconds;
    }

    Collection<String> visible() throws IOException {
      Scan scan = new Scan().addFamily(family.getName()).readAllVersions();
      try (ResultScanner scanner = model.stored().getScanner(scan)) {
        for (Result r : scanner) {
          for (Cell c : r.rawCells()) {
            add(c);
          }
        }
      }
      return entries;
    }

    Collection<String> physical() throws IOException {
      for (HRegion region : model.cluster().regions(model.name())) {
        for (Cell c : cells(region.getStore(family.getName()))) {
          add(c);
        }
      }
      return entries;
    }

    private void add(Cell c) {
      ValueCodec codec = index.type().codec();
      byte[] value = CellUtil.cloneValue(c);
      if (CellUtil.isPut(c)
          && index.column().matches(c)
          && codec.isDecodable(value, 0, value.length)
          && c.getTimestamp() >= oldest) {
        byte[] key = codec.key(value, 0, value.length).bytes();
        entries.add(new Entry(key, CellUtil.cloneRow(c), c.getTimestamp()).toString());
      }
    }
  }
}
