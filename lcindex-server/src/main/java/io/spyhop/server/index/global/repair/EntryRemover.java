package io.spyhop.server.index.global.repair;

import io.spyhop.core.global.Entry;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.io.IoConsumer;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.Maintenance;
import io.spyhop.core.value.ValueKey;
import io.spyhop.server.index.global.entry.EntryDeleter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.Region.RowLock;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WAL;

/**
 * Deletes entries that have no cell any more: the only thing that ever deletes entries. It holds
 * the base rows locked from looking at what is stored of them until the deletes are acknowledged or
 * cannot happen any more, so that no write comes in between. Whatever reports an entry as obsolete,
 * what is deleted is decided here, by what is stored of its row; and an entry is only looked at if
 * its row in the index table is its own alone. Thread-safe if the deleter is.
 */
public final class EntryRemover {
  private final EntryDeleter deleter;
  private final int batchRows;

  /**
   * @param batchRows rows that are locked at once; HBase sorts batches of writes, too, so that they
   *     and these locks wait for each other in one order only
   */
  public EntryRemover(EntryDeleter deleter, int batchRows) {
    this.deleter = deleter;
    this.batchRows = batchRows;
  }

  /**
   * The outcome of checking a list of entries.
   *
   * @param deleted had no cell
   * @param kept have one, or wait
   * @param waiting have none, but the log may: a flush must come first
   * @param elsewhere whose rows are not of the region
   * @param unsound that no cell can have: nothing was done about them
   */
  public record Outcome(
      int deleted, int kept, List<Entry> waiting, List<Entry> elsewhere, int unsound) {}

  /**
   * Looks at entries of an index and deletes those that nothing is behind.
   *
   * @param removals the region's
   * @throws RepairHeldException if the index is held
   * @throws IOException if not all could be looked at and deleted; all may be tried again
   */
  public Outcome remove(
      IndexDefinition index, HRegion region, Collection<Entry> entries, EntryDeletionGate removals)
      throws IOException {
    TableName table = IndexTable.nameOf(region.getTableDescriptor().getTableName(), index.name());
    boolean sync = index.global().maintenance() == Maintenance.SYNC;
    List<Entry> waiting = new ArrayList<>();
    IoConsumer<List<Entry>> delete =
        dangling -> {
          List<Entry> gone = split(index, removals, dangling, waiting);
          if (!gone.isEmpty()) {
            removals.during(() -> deleter.delete(region, table, gone));
          }
        };
    Outcome all =
        each(
            region,
            entries,
            batchRows,
            rows ->
                removals.look(
                    index,
                    () ->
                        lookAt(
                            index, region, rows, () -> sync && !removals.keepsStored(), delete)));
    int waits = waiting.size();
    return new Outcome(all.deleted - waits, all.kept + waits, waiting, all.elsewhere, all.unsound);
  }

  /** To be asked when it has been seen that no cells are stored: they may have gone just before. */
  private static List<Entry> split(
      IndexDefinition index,
      EntryDeletionGate removals,
      List<Entry> dangling,
      List<Entry> waiting) {
    String family = Bytes.toString(index.column().family());
    List<Entry> gone = new ArrayList<>();
    for (Entry e : dangling) {
      (removals.logged().mayHave(family, e) ? waiting : gone).add(e);
    }
    return gone;
  }

  /** An action on a few rows at a time; returns how many entries have no cell. */
  @FunctionalInterface
  private interface Look {
    int at(NavigableMap<byte[], Set<Entry>> rows) throws IOException;
  }

  /**
   * Looks which entries of an index have no stored cell; in the outcome those are the deleted.
   *
   * @param batchRows rows that are locked at once
   * @param action what is done about them
   */
  static Outcome look(
      IndexDefinition index,
      HRegion region,
      Collection<Entry> entries,
      int batchRows,
      IoConsumer<List<Entry>> action)
      throws IOException {
    return each(
        region, entries, batchRows, rows -> lookAt(index, region, rows, () -> false, action));
  }

  private static Outcome each(HRegion region, Collection<Entry> entries, int batchRows, Look look)
      throws IOException {
    List<Entry> elsewhere = new ArrayList<>();
    NavigableMap<byte[], Set<Entry>> rows = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    int unsound = 0;
    for (Entry e : entries) {
      if (!e.isSound()) {
        unsound++;
      } else if (!HRegion.rowIsInRange(region.getRegionInfo(), e.row())) {
        elsewhere.add(e);
      } else {
        rows.computeIfAbsent(e.row(), r -> new LinkedHashSet<>()).add(e);
      }
    }
    int deleted = 0;
    int distinct = 0;
    while (!rows.isEmpty()) {
      NavigableMap<byte[], Set<Entry>> batch = new TreeMap<>(Bytes.BYTES_COMPARATOR);
      while (batch.size() < batchRows && !rows.isEmpty()) {
        Map.Entry<byte[], Set<Entry>> row = rows.pollFirstEntry();
        batch.put(row.getKey(), row.getValue());
        distinct += row.getValue().size();
      }
      deleted += look.at(batch);
    }
    return new Outcome(deleted, distinct - deleted, List.of(), elsewhere, unsound);
  }

  /**
   * The region stays open meanwhile: nobody else can write its rows.
   *
   * @param visible whether a cell counts only if it may be seen; asked when the rows are locked
   */
  private static int lookAt(
      IndexDefinition index,
      HRegion region,
      NavigableMap<byte[], Set<Entry>> rows,
      BooleanSupplier visible,
      IoConsumer<List<Entry>> action)
      throws IOException {
    List<RowLock> locks = new ArrayList<>();
    region.startRegionOperation();
    try {
      for (byte[] row : rows.keySet()) {
        locks.add(region.getRowLock(row, false));
      }
      List<Entry> dangling = dangling(index, region, rows, isVisible(region, visible));
      if (!dangling.isEmpty()) {
        action.accept(dangling);
      }
      return dangling.size();
    } finally {
      locks.forEach(RowLock::release);
      region.closeRegionOperation();
    }
  }

  /** What hides a cell must not be lost when the entry is gone. */
  private static boolean isVisible(HRegion region, BooleanSupplier visible) throws IOException {
    boolean asked = visible.getAsBoolean();
    WAL log = region.getWAL();
    if (asked && log != null) {
      log.sync();
    }
    return asked;
  }

  private static List<Entry> dangling(
      IndexDefinition index, HRegion region, NavigableMap<byte[], Set<Entry>> rows, boolean visible)
      throws IOException {
    List<Entry> dangling = new ArrayList<>();
    byte[] family = index.column().family();
    HStore store = region.getStore(family);
    if (store == null) {
      return dangling;
    }
    VersionRules rules = visible ? VersionRules.of(store.getScanInfo()) : null;
    try (PhysicalCells cells =
        PhysicalCells.rows(region, family, rows.firstKey(), rows.lastKey())) {
      for (Map.Entry<byte[], Set<Entry>> row : rows.entrySet()) {
        long oldest = row.getValue().stream().mapToLong(Entry::timestamp).min().orElseThrow();
        List<Cell> stored = cells.column(row.getKey(), index.column().qualifier(), oldest);
        Stored column = Stored.of(index, rules, stored);
        row.getValue().stream().filter(e -> !column.needs(e)).forEach(dangling::add);
      }
    }
    return dangling;
  }

  /**
   * Stored cells of a column in one row.
   *
   * @param puts by timestamp
   * @param purgeable if only what may be seen counts, or null
   */
  private record Stored(
      IndexDefinition index, Map<Long, List<Cell>> puts, PurgeableCells purgeable) {
    static Stored of(IndexDefinition index, VersionRules rules, List<Cell> cells) {
      return new Stored(
          index,
          cells.stream().filter(CellUtil::isPut).collect(Collectors.groupingBy(Cell::getTimestamp)),
          rules == null ? null : new PurgeableCells(rules, cells));
    }

    boolean needs(Entry entry) {
      return puts.getOrDefault(entry.timestamp(), List.of()).stream()
          .anyMatch(c -> mayBeBehind(index, c, entry) && (purgeable == null || !purgeable.has(c)));
    }
  }

  private static boolean mayBeBehind(IndexDefinition index, Cell cell, Entry entry) {
    if (CellEntries.isElsewhere(cell)) {
      return true;
    }
    ValueKey key = CellEntries.key(index, cell);
    return key != null && Arrays.equals(key.bytes(), entry.valueKey());
  }
}
