package io.spyhop.ycsb;

import java.io.IOException;
import java.util.function.IntFunction;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import site.ycsb.WorkloadException;

/** Creates tables, and says why one will not do. Stateless. */
final class YcsbTable {
  /** The most regions that a table is made of. */
  static final int MAX_REGIONS = 1_000;

  private YcsbTable() {}

  /**
   * Creates a table unless it is there.
   *
   * @param first gives the first key of each region but the first, from 1 on
   */
  static void create(
      Connection connection, TableName name, String family, int regions, IntFunction<String> first)
      throws IOException {
    byte[][] splits = new byte[regions - 1][];
    for (int i = 1; i < regions; i++) {
      splits[i - 1] = Bytes.toBytes(first.apply(i));
    }
    try (Admin admin = connection.getAdmin()) {
      if (!admin.tableExists(name)) {
        admin.createTable(
            TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(family))
                .build(),
            splits);
      }
    } catch (TableExistsException e) {
      // another process of the same run was faster
    }
  }

  /**
   * Refuses a table that cannot be written.
   *
   * @throws WorkloadException that says why
   */
  static void require(Connection connection, TableName name, String family)
      throws IOException, WorkloadException {
    try (Admin admin = connection.getAdmin()) {
      if (!admin.tableExists(name)) {
        throw new WorkloadException(
            "table '" + name + "' is not there: create it, or say " + Settings.CREATE + "=true");
      }
      if (!admin.getDescriptor(name).hasColumnFamily(Bytes.toBytes(family))) {
        throw new WorkloadException("table '" + name + "' has no family '" + family + "'");
      }
      if (admin.isTableDisabled(name)) {
        throw new WorkloadException("table '" + name + "' is disabled: enable it");
      }
    }
  }
}
