package io.spyhop.server.ddl;

import io.spyhop.core.global.IndexTable;
import io.spyhop.core.protocol.OrphanTables;
import io.spyhop.core.protocol.OrphanTables.Orphan;
import io.spyhop.core.schema.IndexSchema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableDescriptors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.master.TableStateManager;

/**
 * Index tables that no definition names: their base table, or the definition in it, is gone.
 * Thread-safe.
 */
final class Orphans {
  private final TableDescriptors all;
  private final TableStateManager states;
  private final IndexTables tables;
  private final DdlJournal journal;

  Orphans(MasterServices master, IndexTables tables, DdlJournal journal) {
    this.all = master.getTableDescriptors();
    this.states = master.getTableStateManager();
    this.tables = tables;
    this.journal = journal;
  }

  /** All orphans, ordered by name. */
  OrphanTables list() throws IOException {
    List<Orphan> orphans = new ArrayList<>();
    for (TableDescriptor table : all.getAll().values()) {
      find(table).ifPresent(orphans::add);
    }
    orphans.sort((a, b) -> a.table().compareTo(b.table()));
    return new OrphanTables(List.copyOf(orphans));
  }

  /**
   * Orphans that a master left when it died while their base table was deleted. Of a table whose
   * descriptor alone is lost, nothing is touched.
   */
  List<TableName> ofDeadTables() throws IOException {
    List<TableName> dead = new ArrayList<>();
    for (Orphan o : list().orphans()) {
      if (all.get(o.base()) == null && !states.isTablePresent(o.base())) {
        dead.add(o.table());
      }
    }
    return dead;
  }

  private Optional<Orphan> find(TableDescriptor table) throws IOException {
    TableName name = table.getTableName();
    Optional<TableName> base = IndexTable.baseOf(table);
    if (!IndexTable.isReserved(name) || base.isEmpty() || isBusy(name)) {
      return Optional.empty();
    }
    TableDescriptor owner = all.get(base.get());
    if (owner == null) {
      return Optional.of(new Orphan(name, base.get(), "table '" + base.get() + "' does not exist"));
    }
    String index = IndexTable.indexOf(name);
    if (owner.getValue(IndexSchema.KEY_PREFIX + index) != null) {
      return Optional.empty();
    }
    return Optional.of(
        new Orphan(name, base.get(), "table '" + base.get() + "' has no index '" + index + "'"));
  }

  /** What is still being made or dropped is no orphan. */
  private boolean isBusy(TableName table) throws IOException {
    return journal.open().stream().anyMatch(r -> r.table().equals(table));
  }

  /** The base table of an orphan. */
  TableName baseOf(TableName table) throws IOException {
    TableDescriptor found = all.get(table);
    if (found == null) {
      throw new DoNotRetryIOException("table '" + table + "' does not exist");
    }
    return find(found)
        .map(Orphan::base)
        .orElseThrow(
            () ->
                new DoNotRetryIOException(
                    "table '"
                        + table
                        + "' is no orphaned index table: drop an index with"
                        + " IndexAdmin.dropIndex, and another table as usual"));
  }

  /** Drops an orphan. */
  void drop(TableName table) throws IOException {
    baseOf(table);
    tables.drop(table);
  }
}
