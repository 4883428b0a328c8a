package io.spyhop.client.internal.admin;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.TableDescriptor;

/** Reads descriptors and region lists. Stateless, thread-safe. */
public final class TableInfo {
  private TableInfo() {}

  /**
   * The table's descriptor, asked of the master.
   *
   * @throws TableNotFoundException if there is no such table; the message names it
   */
  public static TableDescriptor descriptor(Connection connection, TableName table)
      throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return descriptor(admin, table);
    }
  }

  /**
   * The table's descriptor, asked of the master.
   *
   * @throws TableNotFoundException if there is no such table; the message names it
   */
  public static TableDescriptor descriptor(Admin admin, TableName table) throws IOException {
    Objects.requireNonNull(table, "the name of the table is null");
    try {
      return admin.getDescriptor(table);
    } catch (TableNotFoundException e) {
      throw noSuchTable(table, e);
    }
  }

  /** Says clearly which table it is that does not exist. */
  static TableNotFoundException noSuchTable(TableName table, TableNotFoundException cause) {
    TableNotFoundException clear =
        new TableNotFoundException(
            "table '" + table + "' does not exist; check the name and its namespace");
    clear.initCause(cause);
    return clear;
  }

  /** The table's regions in key order, without replicas, read from hbase:meta. */
  public static List<HRegionLocation> regions(Connection connection, TableName table)
      throws IOException {
    try (RegionLocator locator = connection.getRegionLocator(table)) {
      return locator.getAllRegionLocations().stream()
          .filter(TableInfo::isServed)
          .sorted((a, b) -> RegionInfo.COMPARATOR.compare(a.getRegion(), b.getRegion()))
          .collect(Collectors.toList());
    }
  }

  /** Whether a table is disabled, or about to be; read from hbase:meta. */
  static boolean isDisabled(Connection connection, TableName table) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return admin.isTableDisabled(table);
    }
  }

  /**
   * Makes sure that a table is not disabled: for each of its regions HBase's client would try for
   * long, and print a stack.
   */
  public static void requireEnabled(Connection connection, TableName table) throws IOException {
    if (isDisabled(connection, table)) {
      throw new TableNotEnabledException(disabled(table));
    }
  }

  /** What is wrong with a table that is disabled. */
  static String disabled(TableName table) {
    return "table '" + table + "' is disabled, and no region answers: enable it";
  }

  private static boolean isServed(HRegionLocation location) {
    return location != null
        && location.getRegion().getReplicaId() == RegionInfo.DEFAULT_REPLICA_ID
        && !location.getRegion().isSplit();
  }
}
