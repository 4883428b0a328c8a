package io.spyhop.server.hook;

import com.google.protobuf.Service;
import io.spyhop.core.bucket.BucketOptions;
import io.spyhop.core.conf.HBaseLines;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.io.IoRunnable;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.server.bucket.BucketBalancer;
import io.spyhop.server.bucket.BucketRules;
import io.spyhop.server.bucket.Rebalances;
import io.spyhop.server.ddl.BaseTableLife;
import io.spyhop.server.ddl.DescriptorRules;
import io.spyhop.server.ddl.GlobalIndexDdl;
import io.spyhop.server.ddl.SystemConnection;
import io.spyhop.server.runtime.DefinitionsNode;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BalanceRequest;
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
import org.apache.hadoop.hbase.master.RegionPlan;
import org.apache.hadoop.hbase.util.VersionInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses table descriptors whose index definitions cannot be read or served, from any user;
 * creates and drops global indexes, and lets their tables follow the base tables. Configured in
 * {@code hbase.coprocessor.master.classes}. Thread-safe.
 *
 * <p>HBase asks the hooks before it makes its own checks: they only refuse. What is to happen to
 * index tables happens in the hooks of HBase's procedures, behind these checks, with the base table
 * locked; a master that takes over runs them again.
 *
 * <p>What an observer of the master lets out, other than an IOException, aborts the master: each
 * hook catches everything.
 */
@CoreCoprocessor
public class SpyhopMaster implements MasterCoprocessor, MasterObserver {
  private static final Logger LOG = LoggerFactory.getLogger(SpyhopMaster.class);

  private volatile GlobalIndexDdl ddl;
  private volatile Rebalances rebalances;
  private SystemConnection connection;

  @Override
  public Optional<MasterObserver> getMasterObserver() {
    return Optional.of(this);
  }

  @Override
  @SuppressWarnings("rawtypes")
  public void start(CoprocessorEnvironment env) {
    try {
      HBaseLines.check(VersionInfo.getVersion(), SpyhopRegionServer.TAKE_OUT);
    } catch (UnsupportedOperationException e) {
      LOG.error("Spyhop is off on this master", e);
      return;
    }
    try {
      ddl = new GlobalIndexDdl(((HasMasterServices) env).getMasterServices(), this::done);
    } catch (Throwable e) {
      LOG.error("Global indexes cannot be created or dropped by this master", e);
    }
    try {
      MasterServices master = ((HasMasterServices) env).getMasterServices();
      connection = new SystemConnection(master.getConfiguration());
      rebalances = Rebalances.of(master, connection, this::done);
    } catch (Throwable e) {
      LOG.error("Bucketed tables cannot be rebalanced by this master", e);
    }
  }

  /**
   * Is told of each step of a global index's life, and of rebalances; does nothing. Tests let
   * masters die here.
   *
   * @param step which has been done
   */
  protected void done(String step) throws IOException {}

  /** What earlier masters have begun is ended. */
  @Override
  public void postStartMaster(ObserverContext<MasterCoprocessorEnvironment> c) {
    GlobalIndexDdl started = ddl;
    if (started != null) {
      quietly("ending what earlier masters have begun", started::resume);
    }
    Rebalances moving = rebalances;
    if (moving != null) {
      quietly("going on with rebalances", moving::resume);
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
    Rebalances moving = rebalances;
    rebalances = null;
    if (moving != null) {
      moving.close();
      quietly("stopping", connection::close);
    }
  }

  @Override
  public Iterable<Service> getServices() {
    return ServerService.ofMaster(() -> ddl, () -> rebalances);
  }

  @Override
  public void preCreateTable(
      ObserverContext<MasterCoprocessorEnvironment> c, TableDescriptor table, RegionInfo[] regions)
      throws IOException {
    checked(
        table.getTableName(),
        () -> {
          DescriptorRules.checkNew(table, GlobalIndexDdl.isSystem(c.getCaller()));
          for (RegionInfo r : regions) {
            DescriptorRules.checkBoundary(table.getTableName(), r.getStartKey());
          }
          BucketRules.checkNew(table, regions);
          if (!IndexSchema.of(table).globals().isEmpty()) {
            started().checkNew(c.getCaller(), table, regions.length);
          }
        });
  }

  /** Buckets are moved by rebalances, if HBase's balancer is the one that leaves them alone. */
  @Override
  public void postBalance(
      ObserverContext<MasterCoprocessorEnvironment> c,
      BalanceRequest request,
      List<RegionPlan> plans) {
    MasterServices master = ((HasMasterServices) c.getEnvironment()).getMasterServices();
    Rebalances moving = rebalances;
    boolean ours = master.getLoadBalancer() instanceof BucketBalancer;
    if (moving != null && ours && !request.isDryRun()) {
      quietly("making buckets even", () -> moving.even("HBase's balancer"));
    }
  }

  /** Checks all splits that are asked for, with a row or in the middle of a file. */
  @Override
  public void preSplitRegionAction(
      ObserverContext<MasterCoprocessorEnvironment> c, TableName name, byte[] row)
      throws IOException {
    checked(
        name,
        () -> {
          DescriptorRules.checkBoundary(name, row);
          checkBucket(((HasMasterServices) c.getEnvironment()).getMasterServices(), name, row);
          requireStill(name);
        });
  }

  /** A bucket that is split amid its move would leave half of its files behind. */
  private void requireStill(TableName name) throws IOException {
    Rebalances moving = rebalances;
    if (moving != null && moving.isMoving(name)) {
      throw new DoNotRetryIOException(
          "table '" + name + "' is being rebalanced: its buckets are not split meanwhile");
    }
  }

  private static void checkBucket(MasterServices master, TableName name, byte[] row)
      throws IOException {
    TableDescriptor table = master.getTableDescriptors().get(name);
    if (table != null && table.getValue(BucketOptions.KEY) != null) {
      RegionInfo region =
          master.getAssignmentManager().getRegionStates().getRegionsOfTable(name).stream()
              .filter(r -> r.containsRow(row))
              .findFirst()
              .orElse(null);
      BucketRules.checkSplit(table, region, row);
    }
  }

  @Override
  public void preMergeRegionsAction(
      ObserverContext<MasterCoprocessorEnvironment> c, RegionInfo[] regions) throws IOException {
    TableName name = regions[0].getTable();
    MasterServices master = ((HasMasterServices) c.getEnvironment()).getMasterServices();
    checked(
        name,
        () -> {
          TableDescriptor table = master.getTableDescriptors().get(name);
          if (table != null && table.getValue(BucketOptions.KEY) != null) {
            BucketRules.checkMerge(table, regions);
          }
        });
  }

  /** Here, and in the other actions, HBase has made its checks and locked the table. */
  @Override
  public void preCreateTableAction(
      ObserverContext<MasterCoprocessorEnvironment> c, TableDescriptor table, RegionInfo[] regions)
      throws IOException {
    checked(
        table.getTableName(),
        () -> {
          Rebalances moving = rebalances;
          if (moving != null) {
            moving.forget(table.getTableName());
          }
          life().beforeBirth(table);
        });
  }

  /** Tables that are cloned from a snapshot come here, too. */
  @Override
  public void postCompletedCreateTableAction(
      ObserverContext<MasterCoprocessorEnvironment> c,
      TableDescriptor table,
      RegionInfo[] regions) {
    quietly(
        "making the index tables of " + table.getTableName(), () -> started().makeMissing(table));
  }

  @Override
  public TableDescriptor preModifyTable(
      ObserverContext<MasterCoprocessorEnvironment> c,
      TableName name,
      TableDescriptor current,
      TableDescriptor changed)
      throws IOException {
    checked(name, () -> checkChange(c, current, changed));
    return changed;
  }

  @Override
  public void preModifyTableAction(
      ObserverContext<MasterCoprocessorEnvironment> c,
      TableName name,
      TableDescriptor current,
      TableDescriptor changed)
      throws IOException {
    checked(
        name,
        () -> {
          checkChange(c, current, changed);
          life().beforeChange(current, changed);
        });
  }

  private void checkChange(
      ObserverContext<MasterCoprocessorEnvironment> c,
      TableDescriptor current,
      TableDescriptor changed)
      throws IOException {
    ReservedTables.require(c.getCaller(), changed.getTableName(), "alter");
    boolean system = GlobalIndexDdl.isSystem(c.getCaller());
    MasterServices master = ((HasMasterServices) c.getEnvironment()).getMasterServices();
    BucketRules.checkChange(current, changed);
    DescriptorRules.checkChange(current, changed, system, tables(master));
  }

  private DescriptorRules.Tables tables(MasterServices master) {
    return new DescriptorRules.Tables() {
      @Override
      public TableDescriptor get(TableName table) throws IOException {
        return master.getTableDescriptors().get(table);
      }

      @Override
      public boolean isRebuilding(TableName base, IndexDefinition index) throws IOException {
        return started().isRebuilding(base, index);
      }
    };
  }

  @Override
  public void postCompletedModifyTableAction(
      ObserverContext<MasterCoprocessorEnvironment> c,
      TableName name,
      TableDescriptor old,
      TableDescriptor current)
      throws IOException {
    tellServers(((HasMasterServices) c.getEnvironment()).getMasterServices(), old, current);
    checked(name, () -> life().afterChange(old, current));
  }

  private static void tellServers(
      MasterServices master, TableDescriptor old, TableDescriptor current) {
    try {
      if (!IndexSchema.of(old).indexes().equals(IndexSchema.of(current).indexes())) {
        DefinitionsNode.tell(master.getZooKeeper(), current.getTableName());
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("Servers see late that definitions of {} changed", current.getTableName(), e);
    }
  }

  @Override
  public void postCompletedDeleteTableAction(
      ObserverContext<MasterCoprocessorEnvironment> c, TableName name) {
    quietly("dropping the index tables of " + name, () -> life().afterDeath(name));
    Rebalances moving = rebalances;
    if (moving != null) {
      quietly("forgetting the rebalances of " + name, () -> moving.forget(name));
    }
  }

  @Override
  public void preTruncateTableAction(
      ObserverContext<MasterCoprocessorEnvironment> c, TableName name) throws IOException {
    checked(
        name,
        () -> {
          Rebalances moving = rebalances;
          if (moving != null) {
            moving.abort(name, "the table was truncated");
          }
          life().beforeTruncate(name);
        });
  }

  /** HBase asks this one before its checks, and the next behind them, in the procedure. */
  @Override
  public void preTruncateRegion(
      ObserverContext<MasterCoprocessorEnvironment> c, RegionInfo region) {
    refusing(region);
  }

  @Override
  public void preTruncateRegionAction(
      ObserverContext<MasterCoprocessorEnvironment> c, RegionInfo region) {
    refusing(region);
  }

  @Override
  public void postTruncateRegionAction(
      ObserverContext<MasterCoprocessorEnvironment> c, RegionInfo region) {
    quietly("following the truncation of " + region, () -> life().afterTruncate(region));
  }

  private static void requireNoIndexRegion(RegionInfo region) throws IOException {
    if (IndexTable.isReserved(region.getTable())) {
      throw new DoNotRetryIOException(
          "table '"
              + region.getTable()
              + "' holds a global index, which would lose the entries of region "
              + region.getRegionNameAsString()
              + ": rebuild the index instead (spyhop index rebuild)");
    }
  }

  @Override
  public void preSnapshot(
      ObserverContext<MasterCoprocessorEnvironment> c,
      SnapshotDescription snapshot,
      TableDescriptor table)
      throws IOException {
    TableName name = table.getTableName();
    checked(name, () -> ReservedTables.require(c.getCaller(), name, "take a snapshot of"));
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
          requireReadable(c, snapshot);
        });
  }

  /** HBase has no hook behind all checks of this; what is refused then is built again. */
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
          requireReadable(c, snapshot);
          life().beforeRestore(c.getCaller(), table);
        });
  }

  /** The snapshot names the table it is of as HBase has stored it, whatever the request says. */
  private static void requireReadable(
      ObserverContext<MasterCoprocessorEnvironment> c, SnapshotDescription snapshot)
      throws IOException {
    TableName of = snapshot.getTableName();
    if (of != null) {
      ReservedTables.require(c.getCaller(), of, "read a snapshot of");
    }
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
    return started().life();
  }

  private GlobalIndexDdl started() throws IOException {
    GlobalIndexDdl started = ddl;
    if (started == null) {
      throw new DoNotRetryIOException(
          "Spyhop could not be started on this master: see the master's log");
    }
    return started;
  }

  private static void checked(TableName table, IoRunnable work) throws IOException {
    try {
      work.run();
    } catch (IOException e) {
      throw e;
    } catch (Throwable e) {
      LOG.error("Checking the indexes of table {} failed", table, e);
      throw new DoNotRetryIOException("table '" + table + "': cannot check its indexes: " + e, e);
    }
  }

  /** HBase declares these hooks without exceptions, and passes them on all the same. */
  private static void refusing(RegionInfo region) {
    try {
      checked(region.getTable(), () -> requireNoIndexRegion(region));
    } catch (IOException e) {
      SpyhopMaster.<RuntimeException>pass(e);
    }
  }

  /** Throws what the compiler takes for another one; HBase catches it as what it is. */
  @SuppressWarnings("unchecked")
  private static <E extends Exception> void pass(IOException e) throws E {
    throw (E) e;
  }

  private static void quietly(String what, IoRunnable work) {
    try {
      work.run();
    } catch (Throwable e) {
      LOG.error("{} failed in Spyhop", what, e);
    }
  }
}
