package io.spyhop.server.hook;

import com.google.protobuf.Service;
import io.spyhop.core.global.IndexTable;
import io.spyhop.server.ddl.BaseTableLife;
import io.spyhop.server.ddl.DescriptorRules;
import io.spyhop.server.ddl.GlobalIndexDdl;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.CoreCoprocessor;
import org.apache.hadoop.hbase.coprocessor.HasMasterServices;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessor;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.MasterObserver;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.master.MasterServices;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses table descriptors whose index definitions cannot be read or served, whoever sends them;
 * creates and drops global indexes, and lets their tables follow the base tables. Configured in
 * {@code hbase.coprocessor.master.classes}. Thread-safe.
 *
 * <p>What an observer of the master lets out, other than an IOException, aborts the master: each
 * hook catches everything.
 */
@CoreCoprocessor
public class SpyhopMaster implements MasterCoprocessor, MasterObserver {
  private static final Logger LOG = LoggerFactory.getLogger(SpyhopMaster.class);

  private volatile GlobalIndexDdl ddl;

  @Override
  public Optional<MasterObserver> getMasterObserver() {
    return Optional.of(this);
  }

  @Override
  @SuppressWarnings("rawtypes")
  public void start(CoprocessorEnvironment env) {
    try {
      ddl = new GlobalIndexDdl(((HasMasterServices) env).getMasterServices());
    } catch (Throwable e) {
      LOG.error("Global indexes cannot be created or dropped by this master", e);
    }
  }

  @Override
  @SuppressWarnings("rawtypes")
  public void stop(CoprocessorEnvironment env) {
    GlobalIndexDdl started = ddl;
    ddl = null;
    if (started != null) {
      quietly("stopping", started::close);
    }
  }

  @Override
  public Iterable<Service> getServices() {
    return ServerService.ofMaster(() -> ddl);
  }

  @Override
  public void preCreateTable(
      ObserverContext<MasterCoprocessorEnvironment> c, TableDescriptor table, RegionInfo[] regions)
      throws IOException {
    checked(
        table.getTableName(),
        () -> {
          DescriptorRules.checkNew(table, GlobalIndexDdl.isSystem(c.getCaller()));
          life().beforeBirth(table);
        });
  }

  @Override
  public TableDescriptor preModifyTable(
      ObserverContext<MasterCoprocessorEnvironment> c,
      TableName name,
      TableDescriptor current,
      TableDescriptor changed)
      throws IOException {
    checked(
        name,
        () -> {
          boolean system = GlobalIndexDdl.isSystem(c.getCaller());
          DescriptorRules.checkChange(current, changed, system, t -> descriptor(c, t));
          life().beforeChange(c.getCaller(), current, changed);
        });
    return changed;
  }

  private static TableDescriptor descriptor(
      ObserverContext<MasterCoprocessorEnvironment> c, TableName table) throws IOException {
    MasterServices master = ((HasMasterServices) c.getEnvironment()).getMasterServices();
    return master.getTableDescriptors().get(table);
  }

  @Override
  public void postCompletedModifyTableAction(
      ObserverContext<MasterCoprocessorEnvironment> c,
      TableName name,
      TableDescriptor old,
      TableDescriptor current) {
    quietly("aligning the index tables of " + name, () -> life().afterChange(current));
  }

  @Override
  public void postDeleteTable(ObserverContext<MasterCoprocessorEnvironment> c, TableName name) {
    quietly("dropping the index tables of " + name, () -> life().afterDeath(name));
  }

  @Override
  public void preTruncateTable(ObserverContext<MasterCoprocessorEnvironment> c, TableName name)
      throws IOException {
    checked(name, () -> life().beforeTruncate(c.getCaller(), name));
  }

  @Override
  public void preCloneSnapshot(
      ObserverContext<MasterCoprocessorEnvironment> c,
      SnapshotDescription snapshot,
      TableDescriptor table)
      throws IOException {
    checked(
        table.getTableName(),
        () -> {
          requireNoIndexTable(table.getTableName());
          life().beforeBirth(table);
        });
  }

  @Override
  public void preRestoreSnapshot(
      ObserverContext<MasterCoprocessorEnvironment> c,
      SnapshotDescription snapshot,
      TableDescriptor table)
      throws IOException {
    checked(
        table.getTableName(),
        () -> {
          requireNoIndexTable(table.getTableName());
          life().beforeRestore(c.getCaller(), table);
        });
  }

  /** An index of another time knows nothing of what has been written and repaired since. */
  private static void requireNoIndexTable(TableName table) throws IOException {
    if (IndexTable.isReserved(table)) {
      throw new DoNotRetryIOException(
          "table '"
              + table
              + "' holds a global index, which cannot be taken from a snapshot: restore the base"
              + " table and rebuild the index");
    }
  }

  private BaseTableLife life() throws IOException {
    GlobalIndexDdl started = ddl;
    if (started == null) {
      throw new DoNotRetryIOException(
          "Spyhop could not be started on this master: see the master's log");
    }
    return started.life();
  }

  /** Work of a hook. */
  @FunctionalInterface
  private interface Work {
    void run() throws IOException;
  }

  private static void checked(TableName table, Work work) throws IOException {
    try {
      work.run();
    } catch (IOException e) {
      throw e;
    } catch (Throwable e) {
      LOG.error("Checking the indexes of table {} failed", table, e);
      throw new DoNotRetryIOException("table '" + table + "': cannot check its indexes: " + e, e);
    }
  }

  private static void quietly(String what, Work work) {
    try {
      work.run();
    } catch (Throwable e) {
      LOG.error("{} failed in Spyhop", what, e);
    }
  }
}
