package io.spyhop.server.index.global;

import io.spyhop.core.global.Entry;
import io.spyhop.core.schema.Maintenance;
import io.spyhop.server.index.global.entry.BatchEntries;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.regionserver.HRegion;

/** The entries of one index for one write. Not thread-safe. */
final class IndexWrite {
  private final GlobalIndex index;
  private final BatchEntries entries;
  private final SyncReads reads;

  IndexWrite(HRegion region, GlobalIndex index) {
    this.index = index;
    this.entries = new BatchEntries(region.getTableDescriptor().getTableName(), index.definition());
    boolean sync = index.definition().global().maintenance() == Maintenance.SYNC;
    this.reads = sync ? new SyncReads(region, index.definition()) : null;
  }

  GlobalIndex index() {
    return index;
  }

  /** Takes note of a mutation, its timestamps resolved. */
  void add(Mutation mutation) throws IOException {
    List<Cell> cells = mutation.getFamilyCellMap().get(index.definition().column().family());
    for (int i = 0; cells != null && i < cells.size(); i++) {
      add(cells.get(i));
    }
  }

  /** Takes note of a cell. */
  void add(Cell cell) throws IOException {
    entries.add(cell);
    if (reads != null) {
      reads.add(cell);
    }
  }

  /** What to write to the index table before the write. */
  List<Put> puts() throws IOException {
    List<Put> puts = entries.puts();
    if (reads != null) {
      puts.addAll(reads.restored());
    }
    return puts;
  }

  /** The entries of its cells. */
  List<Entry> entries() {
    return entries.entries();
  }

  /** Entries of places to which the write brings several values, of which one is stored. */
  List<Entry> contested() {
    return entries.contested();
  }

  /** What the write makes or may make obsolete; to be asked before it is made. */
  List<Entry> replaced() throws IOException {
    return reads == null ? List.of() : reads.replaced();
  }
}
