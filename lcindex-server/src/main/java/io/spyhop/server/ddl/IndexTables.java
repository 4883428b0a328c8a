package io.spyhop.server.ddl;

import io.spyhop.core.global.IndexTable;
import io.spyhop.core.io.IoConsumer;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.server.index.global.ControlRows;
import io.spyhop.server.index.global.opening.ControlNotes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotDisabledException;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates, changes and drops the tables of global indexes, as the master's own user. Thread-safe.
 */
final class IndexTables {
  private static final Logger LOG = LoggerFactory.getLogger(IndexTables.class);

  private static final int ATTEMPTS = 3;

  private final SystemConnection connection;
  private final HiddenBoundaries boundaries;
  private final IoConsumer<TableName> unbuilt;

  /**
   * @param unbuilt tells servers of an index table that is to be built again; they find out by
   *     themselves after a while
   */
  IndexTables(
      SystemConnection connection, HiddenBoundaries boundaries, IoConsumer<TableName> unbuilt) {
    this.connection = connection;
    this.boundaries = boundaries;
    this.unbuilt = unbuilt;
  }

  /**
   * Makes the table of an index, if it is not there; one that holds another incarnation goes. What
   * builders of that one still note does not count in it.
   *
   * @param base the base table
   */
  void make(DdlRecord record, TableDescriptor base) throws IOException {
    TableName name = record.table();
    try (Admin admin = connection.get().getAdmin()) {
      if (admin.tableExists(name) && !IndexTable.holds(admin.getDescriptor(name), record.index())) {
        drop(name);
      }
      if (!admin.tableExists(name)) {
        create(admin, record, base);
      }
      enable(admin, name);
      if (!isBegun(name)) {
        unbuild(name);
      }
    }
  }

  /**
   * The table, with nothing that is remembered of where its regions were. Regions that went to and
   * fro and are gone now are still said to be on the other server, by either, until the client
   * gives up (docs/decisions/0007).
   */
  private Table open(TableName name) throws IOException {
    Connection open = connection.get();
    try (RegionLocator regions = open.getRegionLocator(name)) {
      regions.clearRegionLocationCache();
    }
    return open.getTable(name);
  }

  /** Whether a table, which must be enabled, has an epoch: what is built in it can be noted. */
  boolean isBegun(TableName name) throws IOException {
    try (Table table = open(name)) {
      return table.exists(ControlRows.epoch());
    }
  }

  private void create(Admin admin, DdlRecord record, TableDescriptor base) throws IOException {
    List<byte[]> splits = record.request().splits();
    try {
      admin.createTable(
          boundaries.descriptor(base, record.index()),
          splits.isEmpty() ? null : splits.toArray(new byte[0][]));
    } catch (TableExistsException e) {
      if (!IndexTable.holds(admin.getDescriptor(record.table()), record.index())) {
        throw new IOException("index table '" + record.table() + "' is another's: try again", e);
      }
      LOG.debug("An earlier master has begun to create {}", record.table(), e);
    }
  }

  /** A table that is being created, by an earlier master, is locked until it is. */
  private static void enable(Admin admin, TableName name) throws IOException {
    try {
      if (admin.isTableDisabled(name)) {
        admin.enableTable(name);
      }
    } catch (TableNotDisabledException e) {
      LOG.debug("Table {} is enabled", name, e);
    }
    if (!admin.isTableAvailable(name)) {
      throw new IOException("index table '" + name + "' is not available yet: try again");
    }
  }

  /** Drops a table if it holds that very index. */
  void dropIfHolds(TableName name, IndexDefinition index) throws IOException {
    try (Admin admin = connection.get().getAdmin()) {
      if (admin.tableExists(name) && IndexTable.holds(admin.getDescriptor(name), index)) {
        drop(name);
      }
    }
  }

  /** Drops a table, if there is one of that name. */
  void drop(TableName name) throws IOException {
    try (Admin admin = connection.get().getAdmin()) {
      if (!admin.tableExists(name)) {
        return;
      }
      disable(admin, name);
      admin.deleteTable(name);
      LOG.info("Dropped index table {}", name);
    } catch (TableNotFoundException e) {
      LOG.debug("Index table {} has already been dropped", name, e);
    }
  }

  private static void disable(Admin admin, TableName name) throws IOException {
    try {
      admin.disableTable(name);
    } catch (TableNotEnabledException e) {
      LOG.debug("Table {} is disabled", name, e);
    }
  }

  /**
   * Takes all entries and all notes out of an index table and keeps its regions, unless their
   * boundaries show what they should not.
   */
  void truncate(TableName name) throws IOException {
    try (Admin admin = connection.get().getAdmin()) {
      for (int attempt = 1; ; attempt++) {
        try {
          disable(admin, name);
          admin.truncateTable(name, !IndexTable.hidesBoundaries(admin.getDescriptor(name)));
          unbuild(name);
          LOG.info("Truncated index table {}", name);
          return;
        } catch (TableNotDisabledException e) {
          if (attempt == ATTEMPTS) {
            throw new IOException("index table '" + name + "' changes at the moment", e);
          }
          LOG.debug("An earlier master has just truncated {}", name, e);
        }
      }
    }
  }

  /** Un-builds an index if its table is there and enabled; otherwise nobody believes it. */
  void unbuildIfServed(TableName name) throws IOException {
    try (Admin admin = connection.get().getAdmin()) {
      if (!admin.tableExists(name) || !admin.isTableEnabled(name)) {
        return;
      }
    }
    unbuild(name);
  }

  /**
   * Lets an index forget which rows of the base table it has: it answers no query until the regions
   * of the base table have built it again. After that all entries are looked at, as the cells
   * behind them may be gone. The marks of openings stay.
   */
  void unbuild(TableName name) throws IOException {
    try (Table table = open(name)) {
      List<Cell> notes = notes(table);
      long epoch = ControlRows.nextEpoch(notes, EnvironmentEdgeManager.currentTime());
      table.put(List.of(ControlRows.begin(epoch), ControlRows.Look.all(epoch).put()));
      table.delete(ControlRows.forget(notes, epoch));
    }
    LOG.info("Index table {} is to be built again", name);
    tellServers(name);
  }

  private void tellServers(TableName name) {
    try {
      unbuilt.accept(name);
    } catch (IOException | RuntimeException e) {
      LOG.warn("Servers see late that {} is to be built again", name, e);
    }
  }

  private static List<Cell> notes(Table table) throws IOException {
    List<Cell> notes = new ArrayList<>();
    try (ResultScanner rows = table.getScanner(ControlRows.scan())) {
      for (Result row = rows.next(); row != null; row = rows.next()) {
        notes.addAll(row.listCells());
      }
    }
    return notes;
  }

  /** Whether any region of the base table has ever begun to keep the index. */
  boolean isUsed(TableName name) throws IOException {
    try (Table table = open(name)) {
      ControlNotes notes = ControlRows.notes(notes(table));
      return !notes.marks().isEmpty() || !notes.built().isEmpty();
    }
  }

  /**
   * A region of the base table has been emptied, and its sequence numbers begin anew: what was
   * noted of its openings says nothing of later ones. It is built again, and all entries are looked
   * at, as the cells behind them may be gone.
   */
  void doubt(TableName name, RegionInfo region) throws IOException {
    try (Table table = open(name)) {
      ControlNotes notes = ControlRows.notes(notes(table));
      long now = EnvironmentEdgeManager.currentTime();
      long number = Math.max(notes.greatestNumber() + 1, now);
      List<Put> puts = new ArrayList<>();
      notes
          .markOf(region.getEncodedName())
          .ifPresent(mark -> puts.add(ControlRows.mark(mark.unknown(number))));
      puts.add(ControlRows.Look.all(number).put());
      table.put(puts);
    }
    tellServers(name);
  }

  /**
   * Lets an index table follow its base table.
   *
   * @param base the base table, as it is or is about to be
   * @param changed whether it is like that already: until then entries do not live shorter, and are
   *     not less secret, than they were
   * @throws IOException if it is to be tried again
   */
  void align(TableDescriptor table, TableDescriptor base, IndexDefinition index, boolean changed)
      throws IOException {
    TableDescriptor wanted = aligned(table, base, index, changed);
    if (Alignment.isSame(table, wanted)) {
      return;
    }
    try (Admin admin = connection.get().getAdmin()) {
      admin.modifyTable(wanted);
      if (!IndexTable.hidesBoundaries(table) && IndexTable.hidesBoundaries(wanted)) {
        warnOfBoundaries(admin, table.getTableName());
      }
    }
  }

  private TableDescriptor aligned(
      TableDescriptor table, TableDescriptor base, IndexDefinition index, boolean changed) {
    ColumnFamilyDescriptor family = base.getColumnFamily(index.column().family());
    TableDescriptor followed =
        changed ? Alignment.after(table, family) : Alignment.before(table, family);
    return boundaries.kept(followed, base, index);
  }

  /** Whether {@link #align} would change nothing. */
  boolean isAligned(
      TableDescriptor table, TableDescriptor base, IndexDefinition index, boolean changed) {
    return Alignment.isSame(table, aligned(table, base, index, changed));
  }

  private static void warnOfBoundaries(Admin admin, TableName name) throws IOException {
    int regions = admin.getRegions(name).size();
    if (regions > 1) {
      LOG.warn(
          "Index table {} has {} regions, whose boundaries show values to everybody: rebuild the"
              + " index (spyhop index rebuild)",
          name,
          regions);
    }
  }
}
