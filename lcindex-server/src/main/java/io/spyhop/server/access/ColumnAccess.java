package io.spyhop.server.access;

import io.spyhop.core.schema.ColumnName;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.SpyhopAccess;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.access.AccessChecker;
import org.apache.hadoop.hbase.security.access.AccessController;
import org.apache.hadoop.hbase.security.access.AuthManager;
import org.apache.hadoop.hbase.security.access.Permission.Action;

/**
 * The rights of the current RPC's caller in a region of a base table, as all its observers together
 * have them. Superusers are not asked for, nor is anybody where nobody checks. Stateless;
 * thread-safe.
 */
public final class ColumnAccess {
  private ColumnAccess() {}

  /**
   * Whether nobody checks who reads and writes: authorization is off, and no coprocessor watches
   * the region that might all the same. Asks nobody, and may be used with rows locked.
   */
  public static boolean isOpen(HRegion region) {
    return !AccessChecker.isAuthorizationSupported(SpyhopAccess.configuration(region))
        && !ForeignObservers.watch(region);
  }

  /** Whether the caller is a superuser, or the server itself: nothing is hidden from it. */
  public static boolean isSystem() {
    return Callers.isSystem();
  }

  /**
   * Whether the caller sees every cell of some columns, in every row of the region. It does not
   * depend on what cells there are: where there may be labels, only superusers do.
   *
   * @throws IOException if an observer refuses the caller, or cannot tell
   */
  public static boolean seesAllOf(HRegion region, Collection<ColumnName> columns)
      throws IOException {
    return isOpen(region)
        || Callers.isSystem()
        || ReadProbe.isWhole(
            region, scan -> columns.forEach(c -> scan.addColumn(c.family(), c.qualifier())));
  }

  /**
   * Whether a caller who may read all that there is of one row may know of the whole region: unless
   * an observer decides who may read, as its rules may go by rows.
   *
   * @throws IOException if an observer refuses the caller, or cannot tell
   */
  public static boolean seesEveryRow(HRegion region) throws IOException {
    return !ForeignObservers.watch(region)
        || Callers.isSystem()
        || ReadProbe.isWhole(region, scan -> selectAll(region, scan));
  }

  private static void selectAll(HRegion region, Scan scan) {
    region.getTableDescriptor().getColumnFamilyNames().forEach(scan::addFamily);
  }

  /**
   * Checks that the caller sees every cell of a column.
   *
   * @throws IOException if the caller does not, or that cannot be told
   */
  public static void requireRead(HRegion region, ColumnName column) throws IOException {
    if (!seesAllOf(region, List.of(column))) {
      throw mayNotRead(table(region), column);
    }
  }

  static AccessDeniedException mayNotRead(TableName base, ColumnName column) {
    return new AccessDeniedException(
        "Spyhop: user "
            + Callers.name()
            + " may not read all of column "
            + column
            + " of table '"
            + base
            + "'");
  }

  /**
   * Whether the caller may know that a column is declared: callers who may read something of it.
   *
   * @throws IOException if that cannot be told now
   */
  public static boolean mayKnow(HRegion region, ColumnName column) throws IOException {
    try {
      seesAllOf(region, List.of(column));
      return true;
    } catch (DoNotRetryIOException refusal) {
      return false;
    }
  }

  /**
   * Who may have a table's indexes repaired: {@link #mayChange}.
   *
   * @throws AccessDeniedException if the caller may not
   */
  public static void requireRepair(HRegion region) throws AccessDeniedException {
    if (!mayChange(region)) {
      throw new AccessDeniedException(
          "Spyhop: user "
              + Callers.name()
              + " may look for defects in the indexes of table '"
              + table(region)
              + "', but not have them repaired; that is for superusers and for who has ADMIN or"
              + " CREATE on the table");
    }
  }

  /**
   * Whether the caller may change the region's table, which takes ADMIN or CREATE on it. HBase has
   * no hook that asks a region for this right and does nothing; so if others than HBase's own may
   * decide about it, superusers alone have it.
   */
  public static boolean mayChange(HRegion region) {
    return isOpen(region) || Callers.isSystem() || isGrantedChange(region);
  }

  private static boolean isGrantedChange(HRegion region) {
    AccessController access = region.getCoprocessorHost().findCoprocessor(AccessController.class);
    User user = RpcServer.getRequestUser().orElse(null);
    if (access == null || user == null || ForeignObservers.watch(region)) {
      return false;
    }
    AuthManager granted = access.getAuthManager();
    return granted.authorizeUserTable(user, table(region), Action.ADMIN)
        || granted.authorizeUserTable(user, table(region), Action.CREATE);
  }

  /**
   * For what is open to everybody where nobody checks access, and to nobody elsewhere.
   *
   * @throws AccessDeniedException if an observer checks
   */
  public static void requireOpen(HRegion region) throws AccessDeniedException {
    if (!isOpen(region)) {
      throw noEntries();
    }
  }

  static AccessDeniedException noEntries() {
    return new AccessDeniedException(
        "Spyhop: where a coprocessor may check access, clients do not write entries themselves");
  }

  private static TableName table(HRegion region) {
    return region.getTableDescriptor().getTableName();
  }
}
