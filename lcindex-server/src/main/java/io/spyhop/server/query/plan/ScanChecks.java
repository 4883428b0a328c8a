package io.spyhop.server.query.plan;

import io.spyhop.core.order.OrderResetException;
import io.spyhop.core.predicate.BoundColumn;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.ScanSettings;
import io.spyhop.core.protocol.DefinitionsChangedException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.PackagePrivateFieldAccessor;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.SpyhopAccess;
import org.apache.hadoop.hbase.util.Bytes;

/** Checks that a scan with a predicate can be answered, beside its settings. Stateless. */
public final class ScanChecks {
  /** Why nothing may be looked up in indexes for a caller who may not see all. */
  public static final String HIDDEN = "cells of the predicate's columns may be hidden";

  private ScanChecks() {}

  /**
   * Checks that the scan selects every column of the predicate: a filter sees only what is
   * selected, and without this check the scan would silently return nothing.
   *
   * @throws DoNotRetryIOException naming the first column that is missing
   */
  public static void checkSelection(String table, Scan scan, BoundPredicate predicate)
      throws DoNotRetryIOException {
    for (BoundColumn c : predicate.columns()) {
      if (!ScanSettings.selects(scan, c)) {
        throw inOneLine(
            new DoNotRetryIOException(
                "table '"
                    + table
                    + "': the predicate reads column "
                    + c.name()
                    + ", which the scan does not select; add it to the scan's columns"));
      }
    }
  }

  /** What users are shown of it has no frames of the server's: nothing is wrong there. */
  private static DoNotRetryIOException inOneLine(DoNotRetryIOException e) {
    e.setStackTrace(new StackTraceElement[0]);
    return e;
  }

  /** Why no index may answer the scan, if that is so. */
  public static Optional<String> unsupported(
      Scan scan, ScanPredicate question, RegionScanner core) {
    if (!SpyhopAccess.isRegionsOwn(core)) {
      return Optional.of("another coprocessor answers the scan");
    }
    if (!ScanSettings.selects(scan, question.predicate())) {
      return Optional.of("the scan does not select all columns of its filter");
    }
    return ScanSettings.unsupported(scan);
  }

  /**
   * Checks that the client took the columns' types from the definitions that the table has: one
   * that remembers older ones asks something else than it means. A column that is not declared has
   * the type that the client says.
   *
   * @param flags which of the columns are declared, as the client knows: 1
   * @throws DefinitionsChangedException if another type is declared even after the definitions were
   *     read again
   */
  public static void checkDeclared(
      String table, byte[] flags, List<BoundColumn> columns, Declarations declarations)
      throws IOException {
    if (changed(flags, columns, declarations).isEmpty()) {
      return;
    }
    declarations.readAgain();
    Optional<BoundColumn> changed = changed(flags, columns, declarations);
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
      byte[] flags, List<BoundColumn> columns, Declarations declarations) throws IOException {
    for (int i = 0; i < Math.min(flags.length, columns.size()); i++) {
      BoundColumn c = columns.get(i);
      if (flags[i] == 1 && declarations.isOtherType(c.name(), c.type())) {
        return Optional.of(c);
      }
    }
    return Optional.empty();
  }

  /**
   * HBase's client opens a scan again at the last row that it has seen, which is in the midst of
   * the answer here, and goes on in the next region.
   */
  public static void requireAsAsked(RegionInfo region, Scan scan, byte[] start)
      throws OrderResetException {
    if (!scan.includeStartRow()
        || !Bytes.equals(scan.getStartRow(), start)
        || PackagePrivateFieldAccessor.getMvccReadPoint(scan) > 0) {
      throw new OrderResetException("the scan was opened again, behind rows that it had");
    }
    byte[] stop = scan.getStopRow();
    byte[] end = region.getEndKey();
    boolean ends =
        end.length == 0
            || stop.length > 0 && !scan.includeStopRow() && Bytes.compareTo(stop, end) <= 0;
    if (!ends || Bytes.compareTo(scan.getStartRow(), region.getStartKey()) < 0) {
      throw new OrderResetException(
          "the scan is of more than region " + region.getEncodedName() + " has now");
    }
  }
}
