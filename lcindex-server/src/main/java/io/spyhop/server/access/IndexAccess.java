package io.spyhop.server.access;

import io.spyhop.core.global.IndexTable;
import io.spyhop.core.schema.ColumnName;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionCoprocessorHost;
import org.apache.hadoop.hbase.regionserver.SpyhopAccess;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.access.AccessChecker;
import org.apache.hadoop.hbase.security.access.AccessController;
import org.apache.hadoop.hbase.security.access.Permission.Action;
import org.apache.hadoop.hbase.security.visibility.VisibilityController;

/**
 * The rights of the current RPC's caller to entries in a region of an index table, derived from the
 * rights to the base table's column as far as they can be told from here. Thread-safe.
 *
 * <p>The base table's regions are elsewhere, and its observers with them. HBase's AccessController
 * knows every table's grants wherever it runs; others cannot be asked. Which there are is said by
 * this region, as the site's coprocessors run in all, and by the base table's descriptor. It never
 * depends on the entries that are there.
 */
public final class IndexAccess {
  /** What clients recognise a refusal by that another way of asking can mend. */
  public static final String CANNOT_SERVE = "spyhop: cannot serve";

  private final HRegion region;
  private final BaseDescriptors descriptors;

  /**
   * The rights to a region of an index table.
   *
   * @param descriptors of base tables
   */
  public IndexAccess(HRegion region, BaseDescriptors descriptors) {
    this.region = region;
    this.descriptors = descriptors;
  }

  /**
   * Checks that the caller may know of all entries.
   *
   * @throws AccessDeniedException if the caller may not read all of the indexed column
   * @throws DoNotRetryIOException with {@link #CANNOT_SERVE} if that cannot be told
   */
  public void requireRead() throws IOException {
    TableDescriptor base = Callers.isSystem() ? null : base();
    if (base == null || isOpen(base)) {
      return;
    }
    RegionCoprocessorHost host = region.getCoprocessorHost();
    AccessController access = host.findCoprocessor(AccessController.class);
    if (access == null || isWatched(base)) {
      throw cannotServe("it cannot be told here who may read table '" + base.getTableName() + "'");
    }
    if (host.findCoprocessor(VisibilityController.class) != null) {
      throw cannotServe("cells may have visibility labels");
    }
    ColumnName column = column();
    User user = RpcServer.getRequestUser().orElse(null);
    if (user == null || !mayRead(access, user, base.getTableName(), column)) {
      throw ColumnAccess.mayNotRead(base.getTableName(), column);
    }
  }

  /**
   * For what is open to everybody where nobody checks access, and to nobody elsewhere.
   *
   * @throws AccessDeniedException if a coprocessor checks
   */
  public void requireOpen() throws IOException {
    if (!isOpen(base())) {
      throw ColumnAccess.noEntries();
    }
  }

  private static boolean mayRead(
      AccessController access, User user, TableName base, ColumnName column) {
    return access
        .getAuthManager()
        .authorizeUserTable(user, base, column.family(), column.qualifier(), Action.READ);
  }

  private boolean isOpen(TableDescriptor base) {
    return !isAuthorized(base) && !isWatched(base);
  }

  /** A table's settings are over the site's. */
  private boolean isAuthorized(TableDescriptor base) {
    String ofTable = base.getValue(User.HBASE_SECURITY_AUTHORIZATION_CONF_KEY);
    Configuration conf = SpyhopAccess.configuration(region);
    return AccessChecker.isAuthorizationSupported(conf)
        || ofTable != null && Boolean.parseBoolean(ofTable.trim());
  }

  private boolean isWatched(TableDescriptor base) {
    return ForeignObservers.watch(region) || ForeignObservers.areNamedBy(base);
  }

  private TableDescriptor base() throws IOException {
    TableName base =
        IndexTable.baseOf(region.getTableDescriptor())
            .orElseThrow(() -> cannotServe("the table names no base table"));
    return descriptors
        .of(base, String.valueOf(region.getTableDescriptor().getValue(IndexTable.INCARNATION)))
        .orElseThrow(() -> cannotServe("the descriptor of table '" + base + "' is not at hand"));
  }

  private ColumnName column() throws DoNotRetryIOException {
    String column = region.getTableDescriptor().getValue(IndexTable.COLUMN);
    if (column == null) {
      throw cannotServe("the table names no indexed column");
    }
    return ColumnName.parse(column);
  }

  private DoNotRetryIOException cannotServe(String why) {
    TableName index = region.getTableDescriptor().getTableName();
    return new DoNotRetryIOException(CANNOT_SERVE + " from '" + index + "': " + why);
  }
}
