package io.spyhop.client.internal.admin;

import io.spyhop.client.VerifyReport;
import io.spyhop.core.predicate.KeyRanges;
import io.spyhop.core.protocol.SummaryAnswer;
import io.spyhop.core.protocol.SummaryRequest;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.stats.ColumnSummary;
import io.spyhop.core.stats.RegionSummary;
import io.spyhop.core.value.ValueKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/**
 * Looks whether the statistics that regions tell of a column contain every stored cell of it, those
 * that others hide included. Not thread-safe.
 *
 * <p>Cells are read first and statistics asked for afterwards, so that these must contain all that
 * was read and is still stored. What seems to be missing is looked at again, in the same order.
 */
public final class StatisticsVerification {
  /** How many cells are held, to be compared with one answer of their region. */
  private static final int PAGE = 20_000;

  private static final long PAGE_BYTES = 8 << 20;

  private static final int CACHING = 1_000;
  private static final int TRIES = 3;

  private final Connection connection;
  private final TableName table;
  private final IndexDefinition index;
  private final RegionCalls regions;
  private final Tally tally;

  /** Of one definition of statistics. */
  public StatisticsVerification(Connection connection, TableName table, IndexDefinition index) {
    this.connection = connection;
    this.table = table;
    this.index = index;
    this.regions = new RegionCalls(connection);
    this.tally = new Tally(index);
  }

  /** Reads the whole table. */
  public VerifyReport run() throws IOException {
    try (Table t = connection.getTable(table)) {
      for (HRegionLocation region : TableInfo.regions(connection, table)) {
        read(t, region);
      }
    }
    return tally.report();
  }

  private void read(Table t, HRegionLocation region) throws IOException {
    RegionInfo info = region.getRegion();
    Scan scan = raw().withStartRow(info.getStartKey()).withStopRow(info.getEndKey());
    List<Cell> page = new ArrayList<>();
    long bytes = 0;
    try (ResultScanner rows = t.getScanner(scan.setCaching(CACHING))) {
      for (Result row = rows.next(); row != null; row = rows.next()) {
        for (Cell cell : row.rawCells()) {
          if (index.column().matches(cell) && CellUtil.isPut(cell)) {
            // The cell itself is a part of all that came with one call.
            KeyValue copy = KeyValueUtil.copyToNewKeyValue(cell);
            page.add(copy);
            bytes += copy.heapSize();
          }
        }
        if (page.size() >= PAGE || bytes >= PAGE_BYTES) {
          compare(t, region, page);
          page.clear();
          bytes = 0;
        }
      }
    }
    compare(t, region, page);
  }

  /** Whole families: explicit columns never end with new version behaviour (decision 0007). */
  private Scan raw() {
    return new Scan().addFamily(index.column().family()).setRaw(true).readAllVersions();
  }

  private void compare(Table t, HRegionLocation region, List<Cell> page) throws IOException {
    if (page.isEmpty()) {
      return;
    }
    tally.compared(page.size());
    Optional<RegionSummary> summary = ask(region);
    for (Cell cell : page) {
      Optional<ColumnSummary> column = summary.flatMap(s -> of(s, cell));
      if (column.isEmpty()) {
        tally.unchecked(1);
      } else if (!has(column.get(), cell) && isMissing(t, region, cell)) {
        tally.missing(cell);
      }
    }
  }

  private Optional<RegionSummary> ask(HRegionLocation region) throws IOException {
    return regions
        .ask(
            table, List.of(region), SummaryRequest.first().toRegionRequest(), SummaryAnswer::decode)
        .get(0)
        .answer()
        .flatMap(SummaryAnswer::whole)
        .filter(RegionSummary::isKnown);
  }

  /** What a region's answer says of the column, if it speaks of the cell's row. */
  private Optional<ColumnSummary> of(RegionSummary summary, Cell cell) {
    byte[] row = CellUtil.cloneRow(cell);
    byte[] behind = Arrays.copyOf(row, row.length + 1);
    return Optional.ofNullable(summary.union().columns().get(index.column()))
        .filter(c -> c.type() == index.type() && summary.covers(row, behind));
  }

  private boolean has(ColumnSummary column, Cell cell) {
    ValueKey key =
        index
            .type()
            .codec()
            .key(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength());
    boolean keyed = key != null && !key.isUnkeyable();
    KeyRanges keys = keyed ? KeyRanges.of(key, key) : KeyRanges.NONE;
    return column.might(keys, false, key == null);
  }

  /** Whether the cell is still stored and statistics of later do not have it. */
  private boolean isMissing(Table t, HRegionLocation region, Cell cell) throws IOException {
    for (int i = 0; i < TRIES; i++) {
      if (!isStored(t, cell)) {
        return false;
      }
      Optional<ColumnSummary> column = ask(region).flatMap(s -> of(s, cell));
      if (column.isEmpty() || has(column.get(), cell)) {
        return false;
      }
    }
    return true;
  }

  private boolean isStored(Table t, Cell cell) throws IOException {
    byte[] row = CellUtil.cloneRow(cell);
    try (ResultScanner rows = t.getScanner(raw().withStartRow(row, true).withStopRow(row, true))) {
      for (Result found = rows.next(); found != null; found = rows.next()) {
        for (Cell c : found.rawCells()) {
          if (CellUtil.isPut(c)
              && index.column().matches(c)
              && c.getTimestamp() == cell.getTimestamp()
              && CellUtil.matchingValue(c, cell)) {
            return true;
          }
        }
      }
    }
    return false;
  }
}
