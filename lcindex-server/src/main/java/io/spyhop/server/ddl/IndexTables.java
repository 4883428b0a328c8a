package io.spyhop.server.ddl;

import io.spyhop.core.global.IndexTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotDisabledException;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is done to the tables of global indexes, as the master's own user. Thread-safe. */
final class IndexTables {
  private static final Logger LOG = LoggerFactory.getLogger(IndexTables.class);

  /** The first row behind those that note something about the index itself. */
  private static final byte[] CONTROL_END = {0x01};

  private static final byte[] CONTROL_START = {0x00};

  private final SystemConnection connection;

  IndexTables(SystemConnection connection) {
    this.connection = connection;
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
      LOG.debug("Index table {} has been dropped by somebody else", name, e);
    }
  }

  private static void disable(Admin admin, TableName name) throws IOException {
    try {
      admin.disableTable(name);
    } catch (TableNotEnabledException e) {
      LOG.debug("Table {} is disabled", name, e);
    }
  }

  /** Takes all entries and all notes out of an index table and keeps its regions. */
  void truncate(TableName name) throws IOException {
    try (Admin admin = connection.get().getAdmin()) {
      disable(admin, name);
      admin.truncateTable(name, true);
      LOG.info("Truncated index table {}", name);
    } catch (TableNotDisabledException | TableNotFoundException e) {
      throw new IOException("index table '" + name + "' changes at the moment: try again", e);
    }
  }

  /**
   * Lets an index forget which rows of the base table it has: it answers no query until the regions
   * of the base table have built it again.
   */
  void unbuild(TableName name) throws IOException {
    Scan notes = new Scan().withStartRow(CONTROL_START).withStopRow(CONTROL_END);
    notes.addFamily(IndexTable.CONTROL);
    List<Delete> deletes = new ArrayList<>();
    try (Table table = connection.get().getTable(name);
        ResultScanner rows = table.getScanner(notes)) {
      for (Result row : rows) {
        deletes.add(new Delete(row.getRow()).addFamily(IndexTable.CONTROL));
      }
      table.delete(deletes);
    }
    LOG.info("Index table {} is to be built again", name);
  }

  /**
   * Lets the entries follow a family of the base table.
   *
   * @param shorten whether they may also live shorter: not before the base table's cells do
   */
  void align(TableDescriptor table, ColumnFamilyDescriptor base, boolean shorten)
      throws IOException {
    ColumnFamilyDescriptor current = table.getColumnFamily(IndexTable.ENTRIES);
    ColumnFamilyDescriptor wanted = IndexTable.entries(base);
    if (!shorten) {
      wanted =
          ColumnFamilyDescriptorBuilder.newBuilder(wanted)
              .setTimeToLive(Math.max(wanted.getTimeToLive(), current.getTimeToLive()))
              .setMinVersions(Math.max(wanted.getMinVersions(), current.getMinVersions()))
              .build();
    }
    if (isSame(current, wanted)) {
      return;
    }
    try (Admin admin = connection.get().getAdmin()) {
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(table).modifyColumnFamily(wanted).build());
    }
  }

  private static boolean isSame(ColumnFamilyDescriptor a, ColumnFamilyDescriptor b) {
    return a.getTimeToLive() == b.getTimeToLive() && a.getMinVersions() == b.getMinVersions();
  }
}
