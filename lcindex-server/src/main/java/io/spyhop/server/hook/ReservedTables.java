package io.spyhop.server.hook;

import io.spyhop.core.global.IndexTable;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.Superusers;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.util.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps index tables for the servers' own user and other superusers, whatever has been granted: an
 * entry is a value without the cell's labels and ACLs, and what is written there is believed by
 * everybody's queries (correctness rule 17). Others ask the region server, which looks at their
 * rights to the base table. Stateless.
 */
final class ReservedTables {
  private static final Logger LOG = LoggerFactory.getLogger(ReservedTables.class);

  private ReservedTables() {}

  /**
   * Checks who does something to a table of any kind.
   *
   * @param caller as HBase tells its hooks; empty for work of the server's own
   * @param what the caller does, for the message
   * @throws AccessDeniedException if the table is an index table and not for the caller
   */
  static void require(Optional<User> caller, TableName table, String what) throws IOException {
    if (IndexTable.isReserved(table)) {
      requireSystem(caller, table, what);
    }
  }

  /** The same for a table's name as a client has sent it, which may be none. */
  static void require(Optional<User> caller, byte[] table, String what) throws IOException {
    TableName name;
    try {
      name = TableName.valueOf(table);
    } catch (IllegalArgumentException e) {
      throw new DoNotRetryIOException("no name of a table: " + Bytes.toStringBinary(table), e);
    }
    require(caller, name, what);
  }

  /** The same for a table that is known to be an index table. */
  static void requireSystem(Optional<User> caller, TableName table, String what)
      throws IOException {
    if (!isSystem(caller, table)) {
      throw new AccessDeniedException(
          "user '"
              + caller.map(User::getShortName).orElse("(none)")
              + "' may not "
              + what
              + " table '"
              + table
              + "': it holds a global index and is for the servers' own user and other superusers"
              + " alone; query the table that is indexed instead");
    }
  }

  /**
   * A call without a user is not the server's own work, but that of a client that did not give a
   * name.
   */
  private static boolean isSystem(Optional<User> caller, TableName table) throws IOException {
    try {
      return caller.map(Superusers::isSuperUser).orElseGet(() -> !RpcServer.isInRpcCallContext());
    } catch (Throwable t) {
      LOG.error("Cannot tell whether a caller may use {}", table, t);
      throw new DoNotRetryIOException(
          "Spyhop: cannot tell whether the caller may use table '" + table + "': " + t, t);
    }
  }
}
