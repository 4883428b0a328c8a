package io.spyhop.server.query.scan;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.User;

/**
 * The user who opened a scanner. HBase's access control looks that up by the scanner that it saw,
 * which is not the one handed out in its place; so that one has to know it. Immutable, thread-safe.
 *
 * @param user the short name; null where everybody may go on with everybody's scanner
 */
record ScannerOwner(String user) {
  /** Where nobody is authorized nobody is refused, as HBase has it. */
  static final ScannerOwner ANYBODY = new ScannerOwner(null);

  /** The user of the call that is being served, or the server itself. */
  static ScannerOwner current() throws IOException {
    Optional<String> caller = RpcServer.getRequestUserName();
    return new ScannerOwner(caller.isPresent() ? caller.get() : User.getCurrent().getShortName());
  }

  /**
   * Checks the call that is being served, if one is.
   *
   * @throws AccessDeniedException if it is another user's
   */
  void check() throws AccessDeniedException {
    if (user == null || !RpcServer.isInRpcCallContext()) {
      return;
    }
    String caller = RpcServer.getRequestUserName().orElse(null);
    if (!user.equals(caller)) {
      throw new AccessDeniedException("User '" + caller + "' is not the scanner owner!");
    }
  }
}
