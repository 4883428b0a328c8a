package io.spyhop.server.query;

import io.spyhop.core.predicate.BoundColumn;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.ScanSettings;
import io.spyhop.core.protocol.DefinitionsChangedException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.SpyhopAccess;

/** Checks that a scan with a predicate can be answered, beside its settings. Stateless. */
final class ScanChecks {
  private ScanChecks() {}

  /**
   * Checks that the scan selects every column of the predicate: a filter sees only what is
   * selected, and without this check the scan would silently return nothing.
   *
   * @throws DoNotRetryIOException naming the first column that is missing
   */
  static void checkSelection(String table, Scan scan, BoundPredicate predicate)
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
  static Optional<String> unsupported(Scan scan, Condition question, RegionScanner core) {
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
}
