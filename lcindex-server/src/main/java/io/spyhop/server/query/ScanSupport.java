package io.spyhop.server.query;

import io.spyhop.core.predicate.BoundColumn;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.protocol.DefinitionsChangedException;
import java.io.IOException;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Consistency;
import org.apache.hadoop.hbase.client.IsolationLevel;
import org.apache.hadoop.hbase.client.PackagePrivateFieldAccessor;
import org.apache.hadoop.hbase.client.Scan;

/**
 * Which scans the index path serves. It is a list of what is known to be right, not of what is
 * known to be wrong: a scan with any other setting goes the plain way (correctness rule 6).
 * Stateless.
 */
public final class ScanSupport {
  private ScanSupport() {}

  /**
   * Why the scan must go the plain way, or empty if an index may answer it.
   *
   * <p>Served, with any value: start and stop row, families and columns, versions, caching, result
   * size, row limit, block caching, read type, priority, identifiers and metrics, prefetching. The
   * rest must be at its default.
   */
  public static Optional<String> unsupported(Scan scan) {
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
    if (PackagePrivateFieldAccessor.getMvccReadPoint(scan) > 0) {
      return Optional.of("resumed at an older read point");
    }
    return Optional.empty();
  }

  /**
   * Checks that the scan selects every column of the predicate: a filter sees only what is
   * selected, and without this check the scan would silently return nothing.
   *
   * @throws DoNotRetryIOException naming the first column that is missing
   */
  public static void checkSelection(String table, Scan scan, BoundPredicate predicate)
      throws DoNotRetryIOException {
    for (BoundColumn c : predicate.columns()) {
      if (!selects(scan, c)) {
        throw new DoNotRetryIOException(
            "table '"
                + table
                + "': the predicate reads column "
                + c.name()
                + ", which the scan does not select; add it to the scan's columns");
      }
    }
  }

  /**
   * Checks that the client took the columns' types from the definitions that the table has: one
   * that remembers older ones asks something else than it means. A column that is not declared has
   * the type that the client says.
   *
   * @param flags which of the predicate's columns are declared, as the client knows: 1
   * @throws DefinitionsChangedException if another type is declared even after the definitions were
   *     read again
   */
  static void checkDeclared(
      String table, byte[] flags, BoundPredicate predicate, Declarations declarations)
      throws IOException {
    if (changed(flags, predicate, declarations).isEmpty()) {
      return;
    }
    declarations.readAgain();
    Optional<BoundColumn> changed = changed(flags, predicate, declarations);
    if (changed.isPresent()) {
      throw new DefinitionsChangedException(
          "table '"
              + table
              + "' does not declare column "
              + changed.get().name()
              + " as "
              + changed.get().type()
              + " any more; ask again");
    }
  }

  private static Optional<BoundColumn> changed(
      byte[] flags, BoundPredicate predicate, Declarations declarations) throws IOException {
    List<BoundColumn> columns = predicate.columns();
    for (int i = 0; i < Math.min(flags.length, columns.size()); i++) {
      BoundColumn c = columns.get(i);
      if (flags[i] == 1 && declarations.isOtherType(c.name(), c.type())) {
        return Optional.of(c);
      }
    }
    return Optional.empty();
  }

  /** Whether the scan selects every column of the predicate. */
  static boolean selects(Scan scan, BoundPredicate predicate) {
    return predicate.columns().stream().allMatch(c -> selects(scan, c));
  }

  private static boolean selects(Scan scan, BoundColumn column) {
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
