package io.spyhop.server.global;

import io.spyhop.core.schema.ColumnName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionCoprocessorHost;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.Superusers;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.access.AccessChecker;
import org.apache.hadoop.hbase.security.access.AccessControlConstants;
import org.apache.hadoop.hbase.security.access.AccessController;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.visibility.VisibilityController;

/**
 * Who may know of the entries of a column: whoever may read all of it. Where nobody checks access
 * everybody may. Stateless.
 */
public final class ColumnAccess {
  private ColumnAccess() {}

  /**
   * Checks the caller of the current RPC.
   *
   * @param region any region of this server, whose observers are looked at
   * @throws AccessDeniedException if the caller may not read every cell of the column
   */
  public static void requireRead(HRegion region, TableName base, ColumnName column)
      throws AccessDeniedException {
    requireRead(region, base, column, false);
  }

  /**
   * The same for callers who are told of cells whatever their visibility labels: where there may be
   * labels, only superusers.
   */
  static void requireReadAll(HRegion region, TableName base, ColumnName column)
      throws AccessDeniedException {
    boolean labels =
        region.getCoprocessorHost().findCoprocessor(VisibilityController.class) != null;
    requireRead(region, base, column, labels);
  }

  /**
   * Who may have a table's indexes repaired: who may change the table. Where access is not checked
   * everybody may.
   *
   * @throws AccessDeniedException if the caller may not
   */
  static void requireRepair(HRegion region, TableName base) throws AccessDeniedException {
    if (!AccessChecker.isAuthorizationSupported(region.getReadOnlyConfiguration())) {
      return;
    }
    AccessController access = region.getCoprocessorHost().findCoprocessor(AccessController.class);
    User user = RpcServer.getRequestUser().orElse(null);
    boolean may =
        user != null
            && (Superusers.isSuperUser(user)
                || access != null
                    && (may(access, user, base, Permission.Action.ADMIN)
                        || may(access, user, base, Permission.Action.CREATE)));
    if (!may) {
      throw new AccessDeniedException(
          "Spyhop: user "
              + (user == null ? "(none)" : user.getShortName())
              + " may look for defects in the indexes of table '"
              + base
              + "', but not have them repaired; that is for superusers and for who has ADMIN or"
              + " CREATE on the table");
    }
  }

  private static boolean may(
      AccessController access, User user, TableName table, Permission.Action action) {
    return access.getAuthManager().authorizeUserTable(user, table, action);
  }

  /**
   * For what is open to everybody where nobody checks access, and to nobody elsewhere.
   *
   * @throws AccessDeniedException if access is checked, or cells may have visibility labels
   */
  public static void requireUnchecked(HRegion region) throws AccessDeniedException {
    RegionCoprocessorHost host = region.getCoprocessorHost();
    if (host.findCoprocessor(AccessController.class) != null
        || host.findCoprocessor(VisibilityController.class) != null) {
      throw new AccessDeniedException(
          "Spyhop: where access is checked, clients do not write entries themselves");
    }
  }

  /**
   * Whether a caller may know that a column is declared: whoever may read the column, and where
   * grants of single cells count everybody, as any column may hold cells for him.
   *
   * @param region of the table, whose request has passed access control
   */
  public static boolean mayKnow(HRegion region, User caller, ColumnName column) {
    AccessController access = region.getCoprocessorHost().findCoprocessor(AccessController.class);
    Configuration conf = region.getReadOnlyConfiguration();
    if (access == null || !AccessChecker.isAuthorizationSupported(conf)) {
      return true;
    }
    return caller != null
        && (Superusers.isSuperUser(caller)
            || grantsOfCellsCount(conf)
            || access
                .getAuthManager()
                .authorizeUserTable(
                    caller,
                    region.getTableDescriptor().getTableName(),
                    column.family(),
                    column.qualifier(),
                    Permission.Action.READ));
  }

  /** As access control decides it; the region's configuration has the table's settings. */
  private static boolean grantsOfCellsCount(Configuration conf) {
    boolean early =
        conf.getBoolean(
            AccessControlConstants.CF_ATTRIBUTE_EARLY_OUT,
            AccessControlConstants.DEFAULT_ATTRIBUTE_EARLY_OUT);
    return !early && HFile.getFormatVersion(conf) >= HFile.MIN_FORMAT_VERSION_WITH_TAGS;
  }

  private static void requireRead(
      HRegion region, TableName base, ColumnName column, boolean superuser)
      throws AccessDeniedException {
    AccessController access = region.getCoprocessorHost().findCoprocessor(AccessController.class);
    if (access == null && !superuser) {
      return;
    }
    User user = RpcServer.getRequestUser().orElse(null);
    boolean may =
        user != null
            && (Superusers.isSuperUser(user)
                || !superuser
                    && access
                        .getAuthManager()
                        .authorizeUserTable(
                            user,
                            base,
                            column.family(),
                            column.qualifier(),
                            Permission.Action.READ));
    if (!may) {
      throw new AccessDeniedException(
          "Spyhop: user "
              + (user == null ? "(none)" : user.getShortName())
              + " may not read all of column "
              + column
              + " of table '"
              + base
              + "'");
    }
  }
}
