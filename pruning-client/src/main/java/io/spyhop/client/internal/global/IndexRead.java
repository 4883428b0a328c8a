package io.spyhop.client.internal.global;

import io.spyhop.client.IndexPage;
import io.spyhop.client.IndexedCell;
import io.spyhop.client.InvalidQueryException;
import io.spyhop.client.Paging;
import io.spyhop.core.global.Entry;
import io.spyhop.core.global.EntryRows;
import io.spyhop.core.global.EntryRows.Span;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.value.ValueKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * One read of an index: entries, each checked against the base table (DELI, algorithm 2). Not
 * thread-safe.
 *
 * <p>An entry counts if the base table has a cell of its value and its very timestamp among the
 * versions that are asked for (correctness rule 14).
 */
public final class IndexRead {
  private static final int MAX_BATCH = 500;

  /** A page ends behind rows of so many bytes; more of them are the next page's. */
  private static final long MOST_BYTES = CandidateRows.CHUNK_BYTES;

  /** The most entries that one page has looked at again. */
  private static final int MAX_STALE = 1_000;

  /** How many entries are checked for a page, for each cell that is wanted; most may be stale. */
  private static final long MAX_CHECKED = 20;

  private final Connection connection;
  private final TableName table;
  private final IndexCalls calls;
  private final IndexDefinition index;
  private final AsOf asOf;
  private final List<Entry> stale = new ArrayList<>();

  /**
   * The versions that count.
   *
   * @param timestamp those of that time and before
   * @param versions how many of them
   * @param kept how many the base table keeps
   * @param newVersionBehavior whether the family has it
   */
  public record AsOf(long timestamp, int versions, int kept, boolean newVersionBehavior) {}

  /** A read. */
  public IndexRead(
      Connection connection, TableName table, IndexCalls calls, IndexDefinition index, AsOf asOf) {
    this.connection = connection;
    this.table = table;
    this.calls = calls;
    this.index = index;
    this.asOf = asOf;
  }

  /**
   * The Get of a column's newest versions at a time. With new version behaviour it reads all of the
   * family: reads of single columns may never end there (docs/decisions/0007).
   */
  public static Get get(
      byte[] row, ColumnName column, boolean newVersionBehavior, long timestamp, int versions)
      throws IOException {
    long end = timestamp == Long.MAX_VALUE ? timestamp : timestamp + 1;
    Get get = new Get(row).setTimeRange(0, end).readVersions(versions);
    return newVersionBehavior
        ? get.addFamily(column.family())
        : get.addColumn(column.family(), column.qualifier());
  }

  /**
   * The cells of a page.
   *
   * @throws InvalidQueryException if the page's position is one of another incarnation
   */
  public IndexPage page(StoredTest test, Paging page) throws IOException {
    EntryWalk walk = walk(test);
    if (page.from().isPresent()) {
      walk.startAt(row(page.from().get()));
    }
    Page cells = new Page(test);
    long left = Math.max(MAX_BATCH, MAX_CHECKED * page.size());
    while (walk.position().isPresent() && cells.found.size() < page.size() && left > 0) {
      List<Entry> entries = walk.next(Math.min(MAX_BATCH, page.size() - cells.found.size()));
      requireBuilt(walk);
      left -= Math.max(1, entries.size());
      Optional<byte[]> rest = cells.add(entries);
      if (rest.isPresent()) {
        return new IndexPage(cells.found, rest.map(this::position));
      }
    }
    return new IndexPage(cells.found, walk.position().map(this::position));
  }

  private void requireBuilt(EntryWalk walk) throws IOException {
    if (!walk.missing().isEmpty()) {
      throw new IOException(
          "index '"
              + index.name()
              + "' of table '"
              + table
              + "' is BUILDING: wait until it is active, or query the table");
    }
  }

  /** A position is the index's incarnation and a row of its table: other keys mean other values. */
  private byte[] position(byte[] row) {
    return Bytes.add(Bytes.toBytes(index.incarnation()), row);
  }

  private byte[] row(byte[] position) {
    if (position.length < Long.BYTES || Bytes.toLong(position) != index.incarnation()) {
      throw new InvalidQueryException(
          "index '"
              + index.name()
              + "' of table '"
              + table
              + "' gave no such position, or was made anew since: begin at the first page");
    }
    return Arrays.copyOfRange(position, Long.BYTES, position.length);
  }

  private EntryWalk walk(StoredTest test) {
    List<Span> spans = new ArrayList<>(EntryRows.of(test.keys()));
    if (!test.passesUnkeyable()) {
      spans.removeIf(s -> Arrays.equals(s.from(), ValueKey.UNKEYABLE.bytes()));
    }
    long before = asOf.timestamp == Long.MAX_VALUE ? Long.MAX_VALUE : asOf.timestamp + 1;
    return new EntryWalk(calls, index, new EntryWalk.Wanted(spans, before, true));
  }

  /** The cells of a page, and what rows were read for it. Not thread-safe. */
  private final class Page {
    private final StoredTest test;
    private final List<IndexedCell> found = new ArrayList<>();
    private long bytes;

    Page(StoredTest test) {
      this.test = test;
    }

    /**
     * Looks at entries, and at the rows behind them.
     *
     * @return the index table's row of the first that there was no room for
     */
    Optional<byte[]> add(List<Entry> entries) throws IOException {
      Map<byte[], List<Cell>> versions = new TreeMap<>(Bytes.BYTES_COMPARATOR);
      CandidateRows rows =
          new CandidateRows(
              connection, table, RowKeys.of(keys(entries)), entries.size(), IndexRead.this::get);
      try {
        Entry before = null;
        for (Entry e : entries) {
          if (bytes >= MOST_BYTES && !isOfSameRow(e, before)) {
            return Optional.of(e.indexRow());
          }
          while (!versions.containsKey(e.row())) {
            CandidateRows.Row row = rows.next();
            versions.put(row.key(), ofColumn(row.result()));
          }
          check(e, versions.get(e.row()));
          before = e;
        }
        return Optional.empty();
      } finally {
        rows.close();
      }
    }

    private List<Cell> ofColumn(Result row) {
      bytes += Result.getTotalSizeOfCells(row);
      return row.getColumnCells(index.column().family(), index.column().qualifier());
    }

    private void check(Entry e, List<Cell> versions) {
      Cell behind = behind(e, versions);
      if (behind == null) {
        note(e, versions);
      } else if (test.passes(
          behind.getValueArray(), behind.getValueOffset(), behind.getValueLength())) {
        found.add(new IndexedCell(e.row(), CellUtil.cloneValue(behind), e.timestamp()));
      }
    }
  }

  /** The rows of entries, each once, in the order in which they are looked at. */
  private static Collection<byte[]> keys(List<Entry> entries) {
    Set<byte[]> seen = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    return entries.stream().map(Entry::row).filter(seen::add).toList();
  }

  private static boolean isOfSameRow(Entry e, Entry before) {
    return before != null
        && Arrays.equals(e.row(), before.row())
        && Arrays.equals(e.valueKey(), before.valueKey());
  }

  private Get get(byte[] row) throws IOException {
    return get(row, index.column(), asOf.newVersionBehavior, asOf.timestamp, asOf.versions);
  }

  private Cell behind(Entry e, List<Cell> versions) {
    for (Cell c : versions) {
      if (c.getTimestamp() == e.timestamp()) {
        ValueKey key =
            index.type().codec().key(c.getValueArray(), c.getValueOffset(), c.getValueLength());
        return key != null && Arrays.equals(key.bytes(), e.valueKey()) ? c : null;
      }
    }
    return null;
  }

  /**
   * An entry without a cell is one for repair, unless its cell may be one of the older versions
   * that the base table keeps and nobody asked for.
   */
  private void note(Entry e, List<Cell> versions) {
    boolean all = versions.size() < asOf.versions || asOf.versions >= asOf.kept;
    boolean dangling = all || e.timestamp() >= versions.get(versions.size() - 1).getTimestamp();
    if (dangling && stale.size() < MAX_STALE) {
      stale.add(e);
    }
  }

  /** Entries that nothing seems to be behind. */
  public List<Entry> stale() {
    return stale;
  }
}
