package io.spyhop.server.model;

import io.spyhop.client.Spyhop;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.server.testing.Secured;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.Random;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.access.AccessControlClient;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.visibility.Authorizations;
import org.apache.hadoop.hbase.security.visibility.CellVisibility;
import org.apache.hadoop.hbase.security.visibility.VisibilityClient;

/**
 * The rights of one user on the model's table: grants to read, cell ACLs and labels, drawn at
 * random. The user has no other rights.
 */
final class ModelSecurity implements AutoCloseable {
  private static final String USER = "bob";
  private static final String[] LABELS = {"public", "secret"};

  private final TestCluster cluster;
  private final TableName name;
  private final Connection connection;
  private final Table usersTable;
  private final Spyhop usersSpyhop;
  private long denied;

  ModelSecurity(TestCluster cluster, TableName name) throws IOException {
    this.cluster = cluster;
    this.name = name;
    User user = Secured.user(cluster, USER);
    try {
      connection =
          user.runAs(
              (PrivilegedExceptionAction<Connection>)
                  () ->
                      ConnectionFactory.createConnection(
                          GlobalIndexes.clientConfiguration(cluster)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
    usersTable = connection.getTable(name);
    usersSpyhop = Spyhop.connect(connection);
  }

  /** Labels are the cluster's, once and for all. */
  static void addLabels(TestCluster cluster) {
    Secured.eventually(
        "labels to be known",
        () -> {
          VisibilityClient.addLabels(cluster.connection(), LABELS);
          VisibilityClient.setAuths(cluster.connection(), new String[] {LABELS[0]}, USER);
        });
  }

  /** The table as the user sees it. */
  Table usersTable() {
    return usersTable;
  }

  /** A client of the user's. */
  Spyhop usersSpyhop() {
    return usersSpyhop;
  }

  /** Fails if the user can read an index table, whatever it may read of the table itself. */
  void requireHidden(TableName base, IndexDefinition index) throws IOException {
    TableName hidden = IndexTable.nameOf(base, index.name());
    try (Table t = connection.getTable(hidden);
        ResultScanner scanner = t.getScanner(new Scan())) {
      throw new AssertionError(USER + " reads from " + hidden + ": " + scanner.next());
    } catch (AccessDeniedException e) {
      denied++;
    }
  }

  /** How often the user was refused an index table. */
  long denied() {
    return denied;
  }

  /** Has the user's connection look up regions anew, see {@link Topology}. */
  void forgetLocations() {
    connection.clearRegionLocationCache();
  }

  /** Gives a put an ACL or a label, sometimes. */
  void protect(Random r, Put put) {
    if (r.nextInt(3) == 0) {
      put.setACL(USER, r.nextBoolean() ? new Permission(Permission.Action.READ) : new Permission());
    }
    if (r.nextInt(4) == 0) {
      put.setCellVisibility(new CellVisibility(LABELS[r.nextInt(2)]));
    }
  }

  /** The scan, perhaps with labels that the user asks to be used. */
  Scan draw(Random r, Scan scan) throws IOException {
    Scan own = new Scan(scan);
    if (r.nextBoolean()) {
      own.setAuthorizations(new Authorizations(LABELS[0]));
    }
    return own;
  }

  /** Gives the user a table, a family or a column to read, or takes all away. */
  void grant(Random r) throws IOException {
    Column c = Column.values()[r.nextInt(Column.values().length)];
    int what = r.nextInt(4);
    Secured.eventually(
        "a grant to be made",
        () -> {
          switch (what) {
            case 0 -> grant(null, null);
            case 1 -> grant(c.family(), null);
            case 2 -> grant(c.family(), c.qualifier());
            default ->
                AccessControlClient.revoke(
                    cluster.connection(), name, USER, null, null, Permission.Action.READ);
          }
        });
  }

  private void grant(byte[] family, byte[] qualifier) throws Throwable {
    AccessControlClient.grant(
        cluster.connection(), name, USER, family, qualifier, Permission.Action.READ);
  }

  @Override
  public void close() throws IOException {
    usersSpyhop.close();
    usersTable.close();
    connection.close();
  }
}
