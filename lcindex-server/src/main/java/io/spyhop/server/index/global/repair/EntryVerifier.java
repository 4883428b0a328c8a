package io.spyhop.server.index.global.repair;

import io.spyhop.core.global.Entry;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.protocol.EntryList;
import io.spyhop.core.protocol.VerifyPage;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.Maintenance;
import io.spyhop.server.index.global.entry.BatchEntries;
import io.spyhop.server.index.global.entry.EntryWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.Region.RowLock;

/**
 * Compares the cells of a region with an index, both ways, while writes go on: what looks wrong is
 * looked at again with its row locked, when no write is half done. Not thread-safe.
 *
 * <p>Expired cells do not count: their entries end by themselves. Nor do cells of an index with
 * {@link Maintenance#SYNC} that nobody can see any more.
 */
public final class EntryVerifier {
  private static final int ROWS_AT_ONCE = 200;

  /** A page of entries may have 4 MB and a row, and what entries take beside their bytes. */
  private static final long MOST_LOOKED_AT = 2 * EntryList.MOST_REPORTED_BYTES;

  private static final int MAX_ROWS = 10_000;
  private static final long MAX_BYTES = 4L << 20;

  private final HRegion region;
  private final HStore store;
  private final IndexDefinition index;
  private final TableName table;
  private final EntryWriter writer;
  private final EntryLookup lookup;
  private final RegionRepair repairs;
  private final long oldest;

  /**
   * @param repairs the region's
   * @param clock milliseconds
   */
  public EntryVerifier(
      HRegion region,
      IndexDefinition index,
      EntryWriter writer,
      EntryLookup lookup,
      RegionRepair repairs,
      LongSupplier clock) {
    this.region = region;
    this.store = region.getStore(index.column().family());
    this.index = index;
    this.table = IndexTable.nameOf(region.getTableDescriptor().getTableName(), index.name());
    this.writer = writer;
    this.lookup = lookup;
    this.repairs = repairs;
    this.oldest = VersionRules.of(store.getScanInfo()).oldestUnexpired(clock.getAsLong());
  }

  /**
   * Looks for cells without entry, in one row at least; it stops after the row with which what it
   * has found exceeds 4 MB, and holds no more than that and the cells of one column of one row.
   *
   * @param from the first row, inclusive
   * @param limit rows to look at, at most
   * @param repair whether to add what is missing
   */
  public VerifyPage missing(byte[] from, int limit, boolean repair) throws IOException {
    byte[] end = region.getRegionInfo().getEndKey();
    Optional<byte[]> next = end.length == 0 ? Optional.empty() : Optional.of(end);
    Set<Entry> expected = new LinkedHashSet<>();
    try (PhysicalCells cells = PhysicalCells.range(region, index.column().family(), from, end)) {
      int most = Math.max(1, Math.min(limit, MAX_ROWS));
      long bytes = 0;
      for (int rows = 0; rows < most && bytes < MAX_BYTES && cells.peek() != null; rows++) {
        for (Entry e : expected(nextRow(cells)).keySet()) {
          bytes += expected.add(e) ? e.bytes() : 0;
        }
        cells.shipped();
      }
      if (cells.peek() != null) {
        next = Optional.of(CellUtil.cloneRow(cells.peek()));
      }
    }
    if (region.isClosing() || region.isClosed()) {
      throw new NotServingRegionException(region + " closes: it may have no cells any more");
    }
    List<Entry> wrong = new ArrayList<>();
    for (Entry e : absent(expected)) {
      if (isMissing(e, repair)) {
        wrong.add(e);
      }
    }
    return new VerifyPage(expected.size(), wrong, next);
  }

  /** Copies of what counts of the next row, all else is passed over. */
  private List<Cell> nextRow(PhysicalCells cells) throws IOException {
    byte[] row = CellUtil.cloneRow(cells.peek());
    List<Cell> stored = new ArrayList<>();
    while (cells.peek() != null && CellUtil.matchingRows(cells.peek(), row)) {
      Cell c = cells.next();
      if (isOfFamily(c) || index.column().matches(c)) {
        stored.add(KeyValueUtil.copyToNewKeyValue(c));
      }
    }
    return stored;
  }

  private static boolean isOfFamily(Cell c) {
    return PrivateCellUtil.isDeleteFamily(c) || PrivateCellUtil.isDeleteFamilyVersion(c);
  }

  /** The entries that what is stored of a row should have, each with a cell that it is of. */
  private Map<Entry, Cell> expected(List<Cell> stored) {
    boolean sync = index.global().maintenance() == Maintenance.SYNC;
    PurgeableCells purgeable =
        sync ? new PurgeableCells(VersionRules.of(store.getScanInfo()), stored) : null;
    Map<Entry, Cell> expected = new LinkedHashMap<>();
    for (Cell c : stored) {
      if (!CellUtil.isPut(c) || c.getTimestamp() < oldest) {
        continue;
      }
      boolean unneeded = purgeable != null && purgeable.has(c);
      Entry entry = unneeded ? null : CellEntries.of(index, c);
      if (entry != null && entry.fits()) {
        expected.put(entry, c);
      }
    }
    return expected;
  }

  private List<Entry> absent(Collection<Entry> entries) throws IOException {
    List<Entry> asked = new ArrayList<>(entries);
    boolean[] exist = lookup.exist(table, asked);
    List<Entry> absent = new ArrayList<>();
    for (int i = 0; i < exist.length; i++) {
      if (!exist[i]) {
        absent.add(asked.get(i));
      }
    }
    return absent;
  }

  private boolean isMissing(Entry entry, boolean repair) throws IOException {
    region.startRegionOperation();
    try {
      RowLock lock = region.getRowLock(entry.row(), false);
      try {
        return isMissingStill(entry, repair);
      } finally {
        lock.release();
      }
    } finally {
      region.closeRegionOperation();
    }
  }

  private boolean isMissingStill(Entry entry, boolean repair) throws IOException {
    Cell cell;
    try (PhysicalCells cells =
        PhysicalCells.rows(region, index.column().family(), entry.row(), entry.row())) {
      List<Cell> stored = cells.column(entry.row(), index.column().qualifier(), entry.timestamp());
      cell = expected(stored).get(entry);
    }
    if (cell == null || lookup.exist(table, List.of(entry))[0]) {
      return false;
    }
    if (repair) {
      Put put = entry.put(BatchEntries.isLabelled(cell));
      writer.write(table, List.of(put));
    }
    return true;
  }

  /**
   * Looks for entries without cell. While HFiles are being loaded whose entries are there already,
   * nobody can tell, and nothing is looked at; nor do entries count whose cells the log may have.
   *
   * <p>Nobody waits for what other servers are asked: rows are looked at before and after that, and
   * what has no cell both times, and an entry in between, dangles.
   *
   * @param entries of rows of the region, each {@link Entry#isSound() sound}
   * @param repair whether to hand them in for repair, which looks again when the grace period is
   *     over, and deletes them
   * @throws org.apache.hadoop.hbase.DoNotRetryIOException if they are too many for one call
   */
  public VerifyPage dangling(List<Entry> entries, boolean repair) throws IOException {
    EntryValidation.require(entries);
    EntryValidation.requireFew(entries, MOST_LOOKED_AT);
    if (repairs.removals().isHeld(index)) {
      return new VerifyPage(0, List.of(), Optional.empty());
    }
    String family = store.getColumnFamilyName();
    List<Entry> suspects = new ArrayList<>();
    List<Entry> looked = entries.stream().filter(e -> e.timestamp() >= oldest).toList();
    EntryRemover.Outcome outcome = look(looked, suspects);
    suspects.removeIf(e -> repairs.removals().logged().mayHave(family, e));
    suspects.removeAll(new HashSet<>(absent(suspects)));
    List<Entry> wrong = new ArrayList<>();
    look(suspects, wrong);
    if (repair && !wrong.isEmpty()) {
      repairs.owe(new EntryList(index.name(), index.incarnation(), wrong));
    }
    if (!outcome.elsewhere().isEmpty()) {
      throw new IOException(
          "row of "
              + outcome.elsewhere().get(0)
              + " is not in "
              + region
              + " any more; look up its region again");
    }
    return new VerifyPage(entries.size(), wrong, Optional.empty());
  }

  /** Which entries have no cell; rows that are elsewhere by now are none of these. */
  private EntryRemover.Outcome look(List<Entry> entries, List<Entry> without) throws IOException {
    return EntryRemover.look(index, region, entries, ROWS_AT_ONCE, without::addAll);
  }
}
