package io.spyhop.server.hook;

import com.google.protobuf.Service;
import io.spyhop.core.schema.IndexSchema;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessor;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.MasterObserver;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;

/**
 * Refuses table descriptors whose index definitions cannot be read or served, whoever sends them.
 * Configured in {@code hbase.coprocessor.master.classes}. Stateless.
 */
public class SpyhopMaster implements MasterCoprocessor, MasterObserver {
  @Override
  public Optional<MasterObserver> getMasterObserver() {
    return Optional.of(this);
  }

  @Override
  public Iterable<Service> getServices() {
    return ServerService.ofMaster();
  }

  @Override
  public void preCreateTable(
      ObserverContext<MasterCoprocessorEnvironment> c, TableDescriptor table, RegionInfo[] regions)
      throws IOException {
    check(table);
  }

  @Override
  public TableDescriptor preModifyTable(
      ObserverContext<MasterCoprocessorEnvironment> c,
      TableName name,
      TableDescriptor current,
      TableDescriptor changed)
      throws IOException {
    check(changed);
    return changed;
  }

  /** What an observer of the master lets out, other than an IOException, aborts the master. */
  private static void check(TableDescriptor table) throws IOException {
    try {
      checkIndexes(table);
    } catch (RuntimeException | Error e) {
      throw new DoNotRetryIOException(
          "table '" + table.getTableName() + "': cannot check its indexes: " + e, e);
    }
  }

  private static void checkIndexes(TableDescriptor table) throws IOException {
    IndexSchema schema = IndexSchema.of(table);
    if (!schema.unreadable().isEmpty()) {
      throw new DoNotRetryIOException(
          "table '" + table.getTableName() + "': " + schema.unreadable().values());
    }
    for (var index : schema.indexes()) {
      ColumnFamilyDescriptor family = table.getColumnFamily(index.column().family());
      if (family != null && family.isMobEnabled()) {
        throw new DoNotRetryIOException(
            "table '"
                + table.getTableName()
                + "': index '"
                + index.name()
                + "' is on family '"
                + family.getNameAsString()
                + "', which stores MOBs; drop the index or disable MOB");
      }
    }
  }
}
