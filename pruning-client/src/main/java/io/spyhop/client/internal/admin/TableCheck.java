package io.spyhop.client.internal.admin;

import io.spyhop.client.Diagnosis.Finding;
import io.spyhop.client.IndexStatus;
import io.spyhop.core.bucket.BucketOptions;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.protocol.RebalanceState;
import io.spyhop.core.protocol.RebalanceState.Phase;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;

/** Looks at one table: what is wrong with it, and what is good to know. Not thread-safe. */
final class TableCheck {
  private static final String TRACKER = "hbase.store.file-tracker.impl";
  private static final String IN_FILES = "FILE";

  private final TableDescriptor table;
  private final TableName name;
  private final IndexSchema schema;
  private final Connection connection;
  private final IndexStatuses statuses;
  private final ViewStatuses views;
  private final Predicate<ServerName> isReachable;
  private final List<Finding> findings = new ArrayList<>();
  private final List<Finding> notes = new ArrayList<>();
  private int indexes;

  /**
   * @param isReachable whether a server has answered
   */
  TableCheck(
      TableDescriptor table,
      Connection connection,
      IndexStatuses statuses,
      ViewStatuses views,
      Predicate<ServerName> isReachable) {
    this.table = table;
    this.name = table.getTableName();
    this.schema = IndexSchema.of(table);
    this.connection = connection;
    this.statuses = statuses;
    this.views = views;
    this.isReachable = isReachable;
  }

  /** What findings of a table say where they are. */
  static String where(TableName table) {
    return "table " + table;
  }

  /** Looks once; a table that was dropped meanwhile has nothing. */
  TableCheck look() throws IOException {
    schema
        .unreadable()
        .forEach(
            (index, why) ->
                add(
                    "index '" + index + "' is served by nobody: " + why,
                    "drop it, or create it again with this version"));
    indexes = schema.indexes().size();
    lookAtTracker();
    lookAtRebalance();
    boolean isAsked = indexes > 0 || ViewStatuses.areAsked(table);
    try {
      if (isAsked && !TableInfo.isDisabled(connection, name) && areAllReachable()) {
        lookAtViews();
        lookAtIndexes();
      }
    } catch (TableNotFoundException e) {
      indexes = 0;
      findings.clear();
      notes.clear();
    }
    return this;
  }

  /** HBASE-30049 (docs/decisions/0007). */
  private void lookAtTracker() {
    boolean inFiles =
        IN_FILES.equalsIgnoreCase(table.getValue(TRACKER))
            || Stream.of(table.getColumnFamilies()).anyMatch(TableCheck::isInFiles);
    if (inFiles) {
      notes.add(
          new Finding(
              where(name),
              "its store file tracker is FILE: a snapshot that is restored over it may leave"
                  + " regions that do not open (HBASE-30049)",
              "clone snapshots of it into new tables (docs/limits.md)"));
    }
  }

  private static boolean isInFiles(ColumnFamilyDescriptor family) {
    return IN_FILES.equalsIgnoreCase(family.getConfigurationValue(TRACKER))
        || IN_FILES.equalsIgnoreCase(Bytes.toString(family.getValue(Bytes.toBytes(TRACKER))));
  }

  /** One that was given up is tried again only where HBase's balancer is ours. */
  private void lookAtRebalance() {
    if (table.getValue(BucketOptions.KEY) == null) {
      return;
    }
    try (Admin admin = connection.getAdmin()) {
      new MasterCalls(admin)
          .last(name)
          .filter(s -> s.phase() == Phase.ABORTED)
          .ifPresent(this::givenUp);
    } catch (IOException e) {
      add("how its rebalances are is not known: " + e.getMessage(), rebalanceStatus());
    }
  }

  private void givenUp(RebalanceState state) {
    add(
        "its last rebalance was given up after " + state.moved() + " moves: " + state.note(),
        rebalanceStatus() + "; begin it again when that is mended");
  }

  private String rebalanceStatus() {
    return "see 'spyhop rebalance " + name + " --status'";
  }

  /** Servers that did not say how they are would be waited for. */
  private boolean areAllReachable() throws IOException {
    List<HRegionLocation> regions = new ArrayList<>(TableInfo.regions(connection, name));
    for (IndexDefinition index : schema.indexes()) {
      if (index.kind().hasTable()) {
        regions.addAll(regionsOf(IndexTable.nameOf(name, index.name())));
      }
    }
    long away =
        regions.stream()
            .filter(r -> r.getServerName() == null || !isReachable.test(r.getServerName()))
            .count();
    if (away > 0) {
      add(
          away
              + " of "
              + regions.size()
              + " regions of it and its index tables are on no server that answers; the others were"
              + " not asked",
          "see whether HBase brings them to other servers, and look again");
    }
    return away == 0;
  }

  /** None if there is no such table, which the index's status tells. */
  private List<HRegionLocation> regionsOf(TableName indexTable) throws IOException {
    try {
      return TableInfo.regions(connection, indexTable);
    } catch (TableNotFoundException e) {
      return List.of();
    }
  }

  private void lookAtViews() throws TableNotFoundException {
    try {
      findings.addAll(views.findings(table));
    } catch (TableNotFoundException e) {
      throw e;
    } catch (IOException e) {
      add("its regions do not say how its sorted views are: " + e.getMessage(), "look at HBase");
    }
  }

  private void lookAtIndexes() throws TableNotFoundException {
    if (indexes == 0) {
      return;
    }
    try {
      statuses.of(name, Patience.longest()).forEach(this::look);
    } catch (TableNotFoundException e) {
      throw e;
    } catch (IOException e) {
      add("its regions do not say how its indexes are: " + e.getMessage(), "look at HBase");
    }
  }

  private void look(IndexStatus status) {
    IndexFaults.of(name, status, System.currentTimeMillis())
        .forEach(fault -> add(fault.what(), fault.remedy()));
  }

  private void add(String what, String remedy) {
    findings.add(new Finding(where(name), what, remedy));
  }

  /** What is wrong. */
  List<Finding> findings() {
    return findings;
  }

  /** What is good to know. */
  List<Finding> notes() {
    return notes;
  }

  /** How many indexes it has. */
  int indexes() {
    return indexes;
  }
}
