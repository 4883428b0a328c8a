package io.spyhop.server.ddl;

import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessor;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.Superusers;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.access.AccessChecker;
import org.apache.hadoop.hbase.security.access.AccessController;
import org.apache.hadoop.hbase.security.access.Permission.Action;

/**
 * The right to change a table, as all of the master's observers together have it. What they cannot
 * be asked is for superusers (docs/decisions/0028). Thread-safe.
 */
final class MasterAccess {
  /** They refuse nobody; by name, as in regions. */
  private static final Set<String> HARMLESS =
      Set.of(
          "io.spyhop.server.hook.SpyhopMaster",
          "org.apache.hadoop.hbase.quotas.MasterQuotasObserver",
          "org.apache.hadoop.hbase.rsgroup.RSGroupAdminEndpoint",
          "org.apache.hadoop.hbase.security.access.AccessController",
          "org.apache.hadoop.hbase.security.access.CoprocessorWhitelistMasterObserver",
          "org.apache.hadoop.hbase.security.access.SnapshotScannerHDFSAclController",
          "org.apache.hadoop.hbase.security.visibility.VisibilityController");

  private final MasterServices master;

  MasterAccess(MasterServices master) {
    this.master = master;
  }

  /** Whether a request comes from the servers' own user or another superuser, or from within. */
  static boolean isSystem(Optional<User> caller) {
    return caller.isEmpty() || Superusers.isSuperUser(caller.get());
  }

  /**
   * Checks that who asks may change a table, which needs ADMIN or CREATE on it. HBase's observers
   * are asked as before a flush of the table, which takes the same right and has no effect. To be
   * called in the thread of the request, with nothing locked.
   *
   * @throws AccessDeniedException if not, or if nobody can be asked
   */
  void requireChange(Optional<User> caller, TableName table, String what) throws IOException {
    if (isSystem(caller)) {
      return;
    }
    String refusal =
        "user '"
            + caller.get().getShortName()
            + "' may not "
            + what
            + " table '"
            + table
            + "': that needs ADMIN or CREATE on the table";
    boolean unanswered = isChecked() && controller().isEmpty() && !isWatched();
    if (unanswered || !isCallers(caller.get())) {
      throw new AccessDeniedException(refusal + ", and nobody here can tell who has that");
    }
    try {
      master.getMasterCoprocessorHost().preTableFlush(table);
    } catch (AccessDeniedException e) {
      AccessDeniedException clear = new AccessDeniedException(refusal + ": " + e.getMessage());
      clear.initCause(e);
      throw clear;
    }
  }

  /** The observers are told the user of the thread's request. */
  private static boolean isCallers(User user) {
    return RpcServer.getRequestUserName().filter(user.getShortName()::equals).isPresent();
  }

  /**
   * Checks that who asks may do anything, which needs ADMIN on everything: as HBase's own grants
   * say, where nobody else has a word in it.
   *
   * @throws AccessDeniedException if not
   */
  void requireAdmin(Optional<User> caller, String what) throws IOException {
    if (isSystem(caller) || !isWatched() && (!isChecked() || isAdmin(caller.get()))) {
      return;
    }
    throw new AccessDeniedException(
        "user '"
            + caller.get().getShortName()
            + "' may not "
            + what
            + ": that needs ADMIN on everything, and a superuser where not HBase alone decides who"
            + " has that");
  }

  private boolean isAdmin(User user) {
    return controller()
        .filter(c -> c.getAuthManager().authorizeUserGlobal(user, Action.ADMIN))
        .isPresent();
  }

  private Optional<AccessController> controller() {
    return Optional.ofNullable(
        master.getMasterCoprocessorHost().findCoprocessor(AccessController.class));
  }

  /** Whether there are observers that may refuse a user by rules that only they know. */
  private boolean isWatched() {
    return master.getMasterCoprocessorHost().findCoprocessors(MasterCoprocessor.class).stream()
        .filter(c -> c.getMasterObserver().isPresent())
        .map(c -> c.getClass().getName())
        .anyMatch(n -> !HARMLESS.contains(n));
  }

  private boolean isChecked() {
    return AccessChecker.isAuthorizationSupported(master.getConfiguration());
  }
}
