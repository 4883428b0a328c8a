package io.spyhop.client.internal.prune;

import io.spyhop.client.internal.exec.RowRange;
import io.spyhop.core.predicate.BoundColumn;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.PredicateFilter;
import java.util.Arrays;
import java.util.NavigableSet;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Consistency;
import org.apache.hadoop.hbase.client.IsolationLevel;
import org.apache.hadoop.hbase.client.PackagePrivateFieldAccessor;
import org.apache.hadoop.hbase.client.Scan;

/**
 * Which scans of other programs may leave out regions. It is a list of what is known to be right: a
 * scan with any other setting runs as it is (correctness rule 6). Stateless, thread-safe.
 */
public final class PrunableScan {
  private PrunableScan() {}

  /**
   * The predicate of a scan that may leave out regions, or empty if it must run as it is.
   *
   * <p>Such a scan has a {@link PredicateFilter} and nothing around it, selects the predicate's
   * columns, and has, with any value: start and stop row, families and columns, versions, caching,
   * result size, row limit, block caching, read type, priority, identifier, attributes,
   * prefetching. The rest is at its default. Its range of rows is not empty: who may not read is
   * told so even then.
   */
  public static Optional<BoundPredicate> predicate(Scan scan) {
    boolean served =
        !scan.isRaw()
            && !scan.isReversed()
            && scan.getTimeRange().isAllTime()
            && scan.getColumnFamilyTimeRange().isEmpty()
            && scan.getIsolationLevel() == IsolationLevel.READ_COMMITTED
            && scan.getConsistency() == Consistency.STRONG
            && scan.getReplicaId() <= 0
            && hasWholeRows(scan)
            && !range(scan).isEmpty();
    return served && scan.getFilter() instanceof PredicateFilter f
        ? Optional.of(f.predicate()).filter(p -> selects(scan, p))
        : Optional.empty();
  }

  private static boolean hasWholeRows(Scan scan) {
    return scan.getBatch() <= 0
        && scan.getMaxResultsPerColumnFamily() < 0
        && scan.getRowOffsetPerColumnFamily() <= 0
        && !scan.getAllowPartialResults()
        && !scan.isNeedCursorResult()
        && !scan.isScanMetricsEnabled()
        && PackagePrivateFieldAccessor.getMvccReadPoint(scan) <= 0;
  }

  /** A filter sees only what is selected: servers say so, and must be asked to. */
  private static boolean selects(Scan scan, BoundPredicate predicate) {
    return predicate.columns().stream().allMatch(c -> selects(scan, c));
  }

  private static boolean selects(Scan scan, BoundColumn column) {
    if (!scan.hasFamilies()) {
      return true;
    }
    byte[] family = column.name().family();
    if (!scan.getFamilyMap().containsKey(family)) {
      return false;
    }
    NavigableSet<byte[]> qualifiers = scan.getFamilyMap().get(family);
    return qualifiers == null
        || qualifiers.isEmpty()
        || qualifiers.contains(column.name().qualifier());
  }

  /** The rows that a scan asks for. */
  public static RowRange range(Scan scan) {
    byte[] start = scan.getStartRow();
    byte[] stop = scan.getStopRow();
    return new RowRange(
        start.length == 0 || scan.includeStartRow() ? start : after(start),
        stop.length > 0 && scan.includeStopRow() ? after(stop) : stop);
  }

  private static byte[] after(byte[] row) {
    return Arrays.copyOf(row, row.length + 1);
  }
}
