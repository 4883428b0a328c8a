package io.spyhop.client.internal.bucket;

import static org.apache.hadoop.hbase.client.Consistency.STRONG;

import io.spyhop.client.internal.exec.FirstRowsStream;
import io.spyhop.client.internal.exec.MappedRows;
import io.spyhop.client.internal.exec.MergedRows;
import io.spyhop.client.internal.exec.ReadDemand;
import io.spyhop.client.internal.exec.RowRange;
import io.spyhop.client.internal.exec.RowRanges;
import io.spyhop.client.internal.exec.RowSource;
import io.spyhop.client.internal.exec.RowStream;
import io.spyhop.client.internal.exec.ScanPool;
import io.spyhop.client.internal.exec.ScannerSource;
import io.spyhop.client.internal.exec.SortedRows;
import io.spyhop.core.bucket.BucketKeys;
import io.spyhop.core.io.IoFunction;
import io.spyhop.core.protocol.BelievedBuckets;
import io.spyhop.core.protocol.FirstRows;
import io.spyhop.core.protocol.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;

/**
 * Scans of a bucketed table in its users' keys (paper, section IV). Thread-safe.
 *
 * <p>As they come: a scan of each region. Of a part of the keys it jumps from prefix to prefix
 * within the region; without a filter the first rows of all regions are asked for with one call a
 * server ({@link FirstRowsStream}). In order: the rows of a part of the keys are sorted in memory
 * if they fit; otherwise, and where the first few or all rows are asked for, each region merges its
 * prefixes and the client merges the regions ({@link KeyOrderRows}), or all prefixes if regions
 * cannot.
 */
public final class BucketScans {
  private static final int CACHING = 1_000;

  /** Not 0, at which HBase's client stops after a server's first answer. */
  private static final int NO_LIMIT = -1;

  private final Connection connection;
  private final TableName table;
  private final BucketKeys keys;
  private final Regions regions;
  private final ScanPool pool;

  /** Knows where regions begin, and asks them. */
  public interface Regions {
    /**
     * Has regions run small scans, those of one server in one call.
     *
     * @param scans each of one region, with a limit
     * @return the answers, in the same order; empty where there is none, and the scan is to be run
     */
    List<Optional<FirstRows>> firstRows(List<Scan> scans) throws IOException;

    /** Ranges of stored rows, cut so that each part is in one region as far as is known. */
    List<RowRange> cut(RowRanges rows) throws IOException;

    /** A range of stored rows, cut at the borders of the regions that there are this moment. */
    List<RowRange> now(RowRange rows) throws IOException;
  }

  /** What it has of rows. */
  private final KeyOrderRows.Reader reader =
      new KeyOrderRows.Reader() {
        @Override
        public RowSource open(Scan scan) throws IOException {
          return source(scan);
        }

        @Override
        public Result shape(Result stored) {
          return UserRows.of(stored);
        }
      };

  /** Of a table with such rows. */
  public BucketScans(
      Connection connection, TableName table, BucketKeys keys, Regions regions, ScanPool pool) {
    this.connection = connection;
    this.table = table;
    this.keys = keys;
    this.regions = regions;
    this.pool = pool;
  }

  /**
   * The rows of a scan, with users' keys; more of them than its limit, perhaps.
   *
   * @param scan in users' keys; not changed
   * @param ordered whether rows are wanted by their keys
   * @throws UnsupportedOperationException if its filter looks at row keys, or it wants cursors
   */
  public RowStream open(Scan scan, boolean ordered) throws IOException {
    RowFilters.refuse(scan.getFilter());
    if (scan.isNeedCursorResult()) {
      throw new UnsupportedOperationException(
          "cursors of a scan are stored rows, which a bucketed table does not show");
    }
    RowRange range = StoredRows.within(range(scan));
    if (range.isEmpty()) {
      return RowStream.empty();
    }
    if (scan.getLimit() == 0) {
      return open(new Scan(scan).setLimit(NO_LIMIT), ordered);
    }
    if (range.isOneRow()) {
      return oneRow(scan, range.start());
    }
    if (!ordered) {
      return asTheyCome(scan, range, scan.getLimit());
    }
    if (range.equals(RowRange.ALL) || scan.getLimit() > 0 || isInParts(scan)) {
      return merged(scan, range);
    }
    return new SortedRows(
        asTheyCome(scan, range, NO_LIMIT),
        SortedRows.Limits.of(connection.getConfiguration(), ReadDemand.ALL),
        order(scan),
        () -> merged(scan, range));
  }

  private RowStream oneRow(Scan scan, byte[] key) throws IOException {
    byte[] row = keys.stored(key);
    Scan one = new Scan(scan).setReversed(false).withStartRow(row, true).withStopRow(row, true);
    RowRange part = new RowRange(row, after(row));
    return RowStream.of(List.of(part), p -> source(one), pool, new ReadDemand(1, 1));
  }

  /** The keys that a scan asks for, from the least to the greatest. */
  static RowRange range(Scan scan) {
    byte[] first = scan.isReversed() ? scan.getStopRow() : scan.getStartRow();
    byte[] last = scan.isReversed() ? scan.getStartRow() : scan.getStopRow();
    boolean withFirst = scan.isReversed() ? scan.includeStopRow() : scan.includeStartRow();
    boolean withLast = scan.isReversed() ? scan.includeStartRow() : scan.includeStopRow();
    return new RowRange(
        first.length == 0 || withFirst ? first : after(first),
        last.length > 0 && withLast ? after(last) : last);
  }

  private static byte[] after(byte[] row) {
    return Arrays.copyOf(row, row.length + 1);
  }

  private static boolean isInParts(Scan scan) {
    return scan.getBatch() > 0 || scan.getAllowPartialResults();
  }

  private static Comparator<Result> order(Scan scan) {
    return scan.isReversed() ? MergedRows.BY_ROW.reversed() : MergedRows.BY_ROW;
  }

  private RowStream asTheyCome(Scan scan, RowRange range, int limit) throws IOException {
    RowRanges stored = StoredRows.of(keys, range);
    List<RowRange> parts = regions.cut(RowRanges.of(stored.hull()));
    long most = limit > 0 && !isInParts(scan) ? limit : ReadDemand.ALL;
    ReadDemand demand = new ReadDemand(most, caching(scan));
    RowSource.Opener opener = part -> stored(within(stored, scan, part).setLimit(limit));
    IoFunction<List<RowRange>, RowStream> scans = of -> RowStream.of(of, opener, pool, demand);
    RowStream rows =
        mayBeginSmall(scan, range, demand)
            ? new FirstRowsStream(parts, first(stored, scan), scans, pool.readAhead())
            : scans.apply(parts);
    return new MappedRows(rows, UserRows::of);
  }

  /** A filter may count rows, and would begin again behind the first ones. */
  private static boolean mayBeginSmall(Scan scan, RowRange range, ReadDemand demand) {
    return !demand.isLimited()
        && !range.equals(RowRange.ALL)
        && isOfWholeRows(scan)
        && scan.getFilter() == null;
  }

  private FirstRowsStream.Questions first(RowRanges stored, Scan scan) {
    return new FirstRowsStream.Questions() {
      @Override
      public Scan small(RowRange part, long bytes) throws IOException {
        Scan small = within(stored, scan, part).setLimit(PrefixRuns.LEAST_ROWS);
        long own = scan.getMaxResultSize();
        return signed(small.setMaxResultSize(own > 0 ? Math.min(own, bytes) : bytes));
      }

      @Override
      public List<Optional<FirstRows>> ask(List<Scan> scans) throws IOException {
        return regions.firstRows(scans);
      }

      @Override
      public Result shape(Result row) {
        return row;
      }
    };
  }

  /** The scan of a part of the stored rows. */
  private static Scan within(RowRanges stored, Scan scan, RowRange part) throws IOException {
    return new Scan(scan)
        .setReversed(false)
        .withStartRow(part.start(), true)
        .withStopRow(part.stop(), false)
        .setFilter(within(stored, scan.getFilter()));
  }

  /** A scan with such a filter jumps from range to range; it is for one scan alone. */
  private static Filter within(RowRanges stored, Filter filter) {
    if (stored.ranges().size() == 1) {
      return filter;
    }
    List<MultiRowRangeFilter.RowRange> ranges = new ArrayList<>();
    stored
        .ranges()
        .forEach(
            r -> ranges.add(new MultiRowRangeFilter.RowRange(r.start(), true, r.stop(), false)));
    Filter jumping = new MultiRowRangeFilter(ranges);
    return filter == null
        ? jumping
        : new FilterList(FilterList.Operator.MUST_PASS_ALL, jumping, filter);
  }

  private RowStream merged(Scan scan, RowRange range) throws IOException {
    long rows = scan.getLimit() > 0 && !isInParts(scan) ? scan.getLimit() : ReadDemand.ALL;
    if (!isOfWholeRows(scan)) {
      return byPrefix(scan, range, rows);
    }
    return new KeyOrderRows(keys, regions, pool, reader, scan, rows).of(range);
  }

  private static boolean isOfWholeRows(Scan scan) {
    return !isInParts(scan) && scan.getConsistency() == STRONG;
  }

  /** As regions merge whole rows alone, and replicas may be asked for the others. */
  private RowStream byPrefix(Scan scan, RowRange range, long rows) throws IOException {
    List<List<RowRange>> runs = new ArrayList<>();
    for (RowRange run : StoredRows.runs(keys, range)) {
      List<RowRange> parts = new ArrayList<>(regions.cut(RowRanges.of(run)));
      if (scan.isReversed()) {
        Collections.reverse(parts);
      }
      runs.add(parts);
    }
    RowSource.Opener opener =
        part ->
            source(
                PrefixRuns.paged(KeyOrderRows.directed(new Scan(scan), part), runs.size(), pool));
    return PrefixRuns.merged(runs, opener, scan.isReversed(), pool, rows);
  }

  private RowSource source(Scan scan) throws IOException {
    return ScannerSource.open(connection, table, signed(scan), UserRows::of);
  }

  private RowSource stored(Scan scan) throws IOException {
    return ScannerSource.open(connection, table, signed(scan), row -> row);
  }

  private Scan signed(Scan scan) {
    BelievedBuckets.sign(scan, Optional.of(keys));
    Refusal.isKnownTo(scan);
    return scan;
  }

  private static int caching(Scan scan) {
    return scan.getCaching() > 0 ? scan.getCaching() : CACHING;
  }
}
