package io.spyhop.core.predicate;

import java.util.NavigableSet;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Consistency;
import org.apache.hadoop.hbase.client.IsolationLevel;
import org.apache.hadoop.hbase.client.PackagePrivateFieldAccessor;
import org.apache.hadoop.hbase.client.Scan;

/**
 * Decides by a scan's settings whether an index may answer it and leave out regions. It is a list
 * of what is known to be right, not of what is known to be wrong: a scan with any other setting
 * goes the plain way (correctness rule 6). Stateless.
 */
public final class ScanSettings {
  private ScanSettings() {}

  /**
   * Why the scan must go the plain way, or empty if an index may answer it.
   *
   * <p>Served, with any value: start and stop row, families and columns, versions, caching, result
   * size, row limit, block caching, read type, priority, identifiers and metrics, prefetching. The
   * rest must be at its default.
   */
  public static Optional<String> unsupported(Scan scan) {
    Optional<String> unusual = unusual(scan);
    return unusual.isEmpty() && PackagePrivateFieldAccessor.getMvccReadPoint(scan) > 0
        ? Optional.of("resumed at an older read point")
        : unusual;
  }

  /**
   * Why the scan has more, less or other than the newest cells of whole rows in ascending order, or
   * empty if it has these. HBase's client may have opened it again behind a row.
   */
  public static Optional<String> unusual(Scan scan) {
    if (scan.isRaw()) {
      return Optional.of("raw scan");
    }
    if (scan.isReversed()) {
      return Optional.of("reversed scan");
    }
    if (!scan.getTimeRange().isAllTime() || !scan.getColumnFamilyTimeRange().isEmpty()) {
      return Optional.of("time range");
    }
    if (scan.getIsolationLevel() != IsolationLevel.READ_COMMITTED) {
      return Optional.of("isolation level " + scan.getIsolationLevel());
    }
    if (scan.getConsistency() != Consistency.STRONG || scan.getReplicaId() > 0) {
      return Optional.of("read from a replica");
    }
    return partOfRow(scan);
  }

  private static Optional<String> partOfRow(Scan scan) {
    if (scan.getBatch() > 0) {
      return Optional.of("batch");
    }
    if (scan.getMaxResultsPerColumnFamily() >= 0 || scan.getRowOffsetPerColumnFamily() > 0) {
      return Optional.of("limit or offset per column family");
    }
    if (scan.getAllowPartialResults()) {
      return Optional.of("partial results");
    }
    if (scan.isNeedCursorResult()) {
      return Optional.of("cursor results");
    }
    return Optional.empty();
  }

  /** Whether the scan selects every column of the predicate. */
  public static boolean selects(Scan scan, BoundPredicate predicate) {
    return predicate.columns().stream().allMatch(c -> selects(scan, c));
  }

  /** Whether the scan selects a column. */
  public static boolean selects(Scan scan, BoundColumn column) {
    if (!scan.hasFamilies()) {
      return true;
    }
    if (!scan.getFamilyMap().containsKey(column.name().family())) {
      return false;
    }
    NavigableSet<byte[]> qualifiers = scan.getFamilyMap().get(column.name().family());
    return qualifiers == null
        || qualifiers.isEmpty()
        || qualifiers.contains(column.name().qualifier());
  }
}
