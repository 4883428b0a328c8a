package io.spyhop.server.ddl;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.Superusers;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.access.AccessChecker;
import org.apache.hadoop.hbase.security.access.AccessController;
import org.apache.hadoop.hbase.security.access.AuthManager;
import org.apache.hadoop.hbase.security.access.Permission.Action;

/** Who may change a table, as the master's access control has it. Thread-safe. */
final class MasterAccess {
  private final MasterServices master;

  MasterAccess(MasterServices master) {
    this.master = master;
  }

  /** Whether a request comes from the servers' own user or another superuser, or from within. */
  static boolean isSystem(Optional<User> caller) {
    return caller.isEmpty() || Superusers.isSuperUser(caller.get());
  }

  /**
   * Checks that who asks may change a table, which needs ADMIN or CREATE on it.
   *
   * @throws AccessDeniedException if not
   */
  void requireChange(Optional<User> caller, TableName table, String what) throws IOException {
    if (isSystem(caller) || !isChecked()) {
      return;
    }
    AuthManager granted = granted();
    User user = caller.get();
    boolean may =
        granted == null
            || granted.authorizeUserTable(user, table, Action.ADMIN)
            || granted.authorizeUserTable(user, table, Action.CREATE);
    if (!may) {
      throw new AccessDeniedException(
          "user '"
              + user.getShortName()
              + "' may not "
              + what
              + " table '"
              + table
              + "': that needs ADMIN or CREATE on the table");
    }
  }

  /**
   * Checks that who asks may do anything, which needs ADMIN on everything.
   *
   * @throws AccessDeniedException if not
   */
  void requireAdmin(Optional<User> caller, String what) throws IOException {
    if (isSystem(caller) || !isChecked()) {
      return;
    }
    AuthManager granted = granted();
    if (granted != null && !granted.authorizeUserGlobal(caller.get(), Action.ADMIN)) {
      throw new AccessDeniedException(
          "user '"
              + caller.get().getShortName()
              + "' may not "
              + what
              + ": that needs ADMIN on everything");
    }
  }

  private AuthManager granted() {
    AccessController controller =
        master.getMasterCoprocessorHost().findCoprocessor(AccessController.class);
    return controller == null ? null : controller.getAuthManager();
  }

  private boolean isChecked() {
    return AccessChecker.isAuthorizationSupported(master.getConfiguration());
  }
}
