package io.spyhop.server.ddl;

import io.spyhop.core.global.IndexTable;
import io.spyhop.core.schema.IndexSchema;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.master.TableNamespaceManager;
import org.apache.hadoop.hbase.quotas.QuotaExceededException;
import org.apache.hadoop.hbase.quotas.QuotaUtil;

/**
 * The room that a namespace's quota leaves for a new table whose descriptor brings global indexes:
 * HBase counts the table alone, and the tables of its indexes come after it. Stateless.
 */
final class NamespaceRoom {
  private NamespaceRoom() {}

  /**
   * Checks a table to be created. Others that are created at the same time may still take the room.
   *
   * @param regions how many it begins with; each index begins with one
   * @throws QuotaExceededException if not all of its tables have room
   */
  static void require(MasterServices master, TableDescriptor table, int regions)
      throws IOException {
    TableName base = table.getTableName();
    Set<TableName> indexes =
        IndexSchema.of(table).globals().indexes().stream()
            .map(d -> IndexTable.nameOf(base, d.name()))
            .collect(Collectors.toCollection(HashSet::new));
    if (indexes.isEmpty() || !QuotaUtil.isQuotaEnabled(master.getConfiguration())) {
      return;
    }
    NamespaceDescriptor space = master.getClusterSchema().getNamespace(base.getNamespaceAsString());
    Set<TableName> present =
        master.getTableDescriptors().getByNamespace(space.getName()).values().stream()
            .map(TableDescriptor::getTableName)
            .collect(Collectors.toSet());
    indexes.removeAll(present);
    if (indexes.isEmpty()) {
      return;
    }
    long regionsNow =
        present.stream()
            .mapToLong(
                t -> master.getAssignmentManager().getRegionStates().getRegionsOfTable(t).size())
            .sum();
    long tables = present.size() + 1L + indexes.size();
    long all = regionsNow + regions + indexes.size();
    long maxTables = TableNamespaceManager.getMaxTables(space);
    long maxRegions = TableNamespaceManager.getMaxRegions(space);
    if (tables > maxTables || all > maxRegions) {
      throw new QuotaExceededException(
          "table '"
              + base
              + "' has "
              + indexes.size()
              + " global indexes, whose tables have no room in namespace '"
              + space.getName()
              + "': it would have "
              + tables
              + " tables of at most "
              + maxTables
              + " and "
              + all
              + " regions of at most "
              + maxRegions
              + "; raise its quota, or create the table without them");
    }
  }
}
