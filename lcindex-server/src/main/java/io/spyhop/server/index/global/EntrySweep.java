package io.spyhop.server.index.global;

import io.spyhop.core.global.Entry;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.io.IoFunction;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.server.index.global.repair.EntryScan;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;

/**
 * Has the regions of a base table look at all entries of an index that was un-built, once it is
 * built again: what was restored may lack cells whose entries are there. It is noted in the index
 * table how far it is, so that the next server with the table's first region goes on from there; a
 * page is all that is in memory. Thread-safe.
 */
final class EntrySweep {
  private static final int PAGE = 1_000;

  /** Pages of one table in a row, before others have their turn. */
  private static final int PAGES = 20;

  private final EntryScan entries;
  private final BaseRegions bases;
  private final IoFunction<TableName, TableDescriptor> descriptors;
  private final IoFunction<HRegion, Boolean> progress;
  private final Set<HRegion> owed = ConcurrentHashMap.newKeySet();

  /** First regions that have been read, and whose notes nobody has changed since. */
  private final Set<HRegion> idle = ConcurrentHashMap.newKeySet();

  EntrySweep(
      EntryScan entries,
      BaseRegions bases,
      IoFunction<TableName, TableDescriptor> descriptors,
      IoFunction<HRegion, Boolean> progress) {
    this.entries = entries;
    this.bases = bases;
    this.descriptors = descriptors;
    this.progress = progress;
  }

  /** How many index tables have entries that are to be looked at. */
  int owed() {
    return owed.size();
  }

  /** A batch was applied to an index table's region, or some of it. */
  void written(HRegion region, MiniBatchOperationInProgress<Mutation> batch) {
    for (int i = 0; i < batch.size(); i++) {
      if (ControlRows.isNote(batch.getOperation(i).getRow())) {
        idle.remove(region);
      }
    }
  }

  /** A region of an index table closes. */
  void closing(HRegion region) {
    idle.remove(region);
    owed.remove(region);
  }

  /**
   * Looks at some entries, if there are any to look at.
   *
   * @param first the first region of an index table
   */
  void run(HRegion first) throws IOException {
    if (!idle.add(first)) {
      return;
    }
    Optional<Result> found = found(first);
    if (found.isEmpty()) {
      owed.remove(first);
      return;
    }
    idle.remove(first);
    owed.add(first);
    if (progress.apply(first)) {
      run(first, ControlRows.Look.of(found.get()));
    }
  }

  /** A write after this one is read makes the region not idle. */
  private Optional<Result> found(HRegion first) throws IOException {
    boolean read = false;
    try {
      Result found = first.get(ControlRows.Look.get());
      read = true;
      return Optional.of(found).filter(r -> !r.isEmpty());
    } finally {
      if (!read) {
        idle.remove(first);
      }
    }
  }

  private void run(HRegion first, ControlRows.Look look) throws IOException {
    TableName table = first.getTableDescriptor().getTableName();
    TableName base = IndexTable.baseOf(first.getTableDescriptor()).orElseThrow();
    Optional<IndexDefinition> index = index(first.getTableDescriptor(), base);
    byte[] from = look.from();
    boolean more = index.isPresent();
    for (int i = 0; i < PAGES && more; i++) {
      List<Entry> page = entries.page(table, from, PAGE);
      more = !page.isEmpty();
      if (more) {
        if (!bases.look(base, index.get(), page)) {
          break;
        }
        byte[] last = page.get(page.size() - 1).indexRow();
        from = Arrays.copyOf(last, last.length + 1);
      }
    }
    first.checkAndMutate(more ? look.replaced(from) : look.done());
  }

  /** Empty if the table holds none any more. */
  private Optional<IndexDefinition> index(TableDescriptor table, TableName base)
      throws IOException {
    TableDescriptor descriptor = descriptors.apply(base);
    return descriptor == null
        ? Optional.empty()
        : IndexSchema.of(descriptor).globals().indexes().stream()
            .filter(d -> IndexTable.holds(table, d))
            .findFirst();
  }
}
