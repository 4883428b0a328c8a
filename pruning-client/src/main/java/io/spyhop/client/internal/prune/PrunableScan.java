package io.spyhop.client.internal.prune;

import io.spyhop.client.internal.exec.RowRange;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.PredicateFilter;
import io.spyhop.core.predicate.ScanSettings;
import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Scan;

/** Decides which scans of other programs may leave out regions. Stateless, thread-safe. */
public final class PrunableScan {
  private PrunableScan() {}

  /**
   * The predicate of a scan that may leave out regions, or empty if it must run as it is.
   *
   * <p>Such a scan has settings on the list that indexes answer ({@link ScanSettings}), a {@link
   * PredicateFilter} and nothing around it, selects the predicate's columns, and counts nothing: a
   * region that is left out would be missing in its metrics. Its range of rows is not empty: who
   * may not read is told so even then.
   */
  public static Optional<BoundPredicate> predicate(Scan scan) {
    boolean served =
        ScanSettings.unsupported(scan).isEmpty()
            && !scan.isScanMetricsEnabled()
            && !range(scan).isEmpty();
    return served && scan.getFilter() instanceof PredicateFilter f
        ? Optional.of(f.predicate()).filter(p -> ScanSettings.selects(scan, p))
        : Optional.empty();
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
