package io.spyhop.server.access;

import java.util.Optional;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.security.Superusers;
import org.apache.hadoop.hbase.security.User;

/** The user behind the current RPC. Stateless. */
final class Callers {
  private Callers() {}

  /**
   * Whether it is the servers' own user or another superuser, or there is no RPC: the server does
   * something by itself. A call without a user comes from a client that did not give a name.
   */
  static boolean isSystem() {
    Optional<User> caller = RpcServer.getRequestUser();
    return caller.map(Superusers::isSuperUser).orElseGet(() -> !RpcServer.isInRpcCallContext());
  }

  /** The caller's name, for messages. */
  static String name() {
    return RpcServer.getRequestUserName().orElse("(none)");
  }
}
