package io.spyhop.client.internal.admin;

import io.spyhop.client.Diagnosis;
import io.spyhop.client.Diagnosis.Finding;
import io.spyhop.client.IndexStatus;
import io.spyhop.core.schema.IndexSchema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.TableDescriptor;

/** Looks at a cluster from end to end. For one look; not thread-safe. */
public final class ClusterCheck {
  private final Admin admin;
  private final IndexStatuses statuses;
  private final GlobalIndexes globals;
  private final ViewStatuses views;
  private final List<Finding> findings = new ArrayList<>();
  private int indexes;

  /** Asks through an administrator, which stays the caller's. */
  public ClusterCheck(
      Admin admin, IndexStatuses statuses, GlobalIndexes globals, ViewStatuses views) {
    this.admin = admin;
    this.statuses = statuses;
    this.globals = globals;
    this.views = views;
  }

  /**
   * Asks all servers, then the regions of all tables with indexes.
   *
   * @throws org.apache.hadoop.hbase.security.AccessDeniedException if the caller may not ADMIN
   *     everything
   */
  public Diagnosis look() throws IOException {
    ServerChecks servers = new ServerChecks();
    servers.ask("master " + admin.getMaster(), admin.coprocessorService());
    for (ServerName server : admin.getRegionServers()) {
      servers.ask("region server " + server, admin.coprocessorService(server));
    }
    findings.addAll(servers.findings());
    for (TableDescriptor table : admin.listTableDescriptors()) {
      look(table);
    }
    if (!servers.healthy().isEmpty()) {
      orphans();
    }
    return new Diagnosis(servers.healthy(), indexes, findings);
  }

  private void look(TableDescriptor table) throws IOException {
    IndexSchema schema = IndexSchema.of(table);
    TableName name = table.getTableName();
    schema
        .unreadable()
        .forEach(
            (index, why) ->
                add(
                    name,
                    "index '" + index + "' is served by nobody: " + why,
                    "drop it, or create it again with this version"));
    indexes += schema.indexes().size();
    boolean isAsked = !schema.indexes().isEmpty() || ViewStatuses.areAsked(table);
    if (!isAsked || !isServed(name)) {
      return;
    }
    lookAtViews(table);
    if (schema.indexes().isEmpty()) {
      return;
    }
    try {
      statuses.of(name).forEach(status -> look(name, status));
    } catch (TableNotFoundException e) {
      indexes -= schema.indexes().size(); // dropped meanwhile
    } catch (IOException e) {
      add(name, "its regions do not say how its indexes are: " + e.getMessage(), "look at HBase");
    }
  }

  /** Not if it is disabled, or was dropped meanwhile. */
  private boolean isServed(TableName table) throws IOException {
    try {
      return !admin.isTableDisabled(table);
    } catch (TableNotFoundException e) {
      return false;
    }
  }

  private void lookAtViews(TableDescriptor table) {
    try {
      findings.addAll(views.findings(table));
    } catch (TableNotFoundException e) {
      // Dropped meanwhile: nothing is wrong with it.
    } catch (IOException e) {
      add(
          table.getTableName(),
          "its regions do not say how its sorted views are: " + e.getMessage(),
          "look at HBase");
    }
  }

  private void look(TableName table, IndexStatus status) {
    String index = "index '" + status.name() + "'";
    if (status instanceof IndexStatus.Local local && local.regionsAnswered() < local.regions()) {
      add(
          table,
          index
              + ": "
              + (local.regions() - local.regionsAnswered())
              + " of "
              + local.regions()
              + " regions do not serve it",
          "see whether they are open, and on servers with Spyhop");
    }
    for (String error : status.errors()) {
      add(table, index + ": " + error, "see docs/operations.md, 'What goes wrong'");
    }
  }

  private void orphans() throws IOException {
    for (var orphan : globals.orphans(admin)) {
      add(
          orphan.table(),
          "an index table that no definition names, as " + orphan.why(),
          "drop it with 'spyhop index drop'");
    }
  }

  private void add(TableName table, String what, String remedy) {
    findings.add(new Finding("table " + table, what, remedy));
  }
}
