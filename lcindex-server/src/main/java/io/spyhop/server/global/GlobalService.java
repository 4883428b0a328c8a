package io.spyhop.server.global;

import io.spyhop.core.global.EntryBatch;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.server.global.repair.RepairMetrics;
import io.spyhop.server.global.repair.RepairQueue;
import io.spyhop.server.global.repair.RepairSettings;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.regionserver.FlushLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hadoop.hbase.regionserver.SpyhopAccess;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hadoop.hbase.util.FSTableDescriptors;
import org.apache.hbase.thirdparty.com.google.common.util.concurrent.ThreadFactoryBuilder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything of global indexes that a region server has once: the way to the index tables, and a
 * thread that builds. Owned by the region server coprocessor. Thread-safe.
 */
public final class GlobalService implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(GlobalService.class);

  private final Configuration conf;
  private final LocalIndexRegions local;
  private final IndexWriter writer;
  private final GlobalSettings settings;
  private final ScheduledExecutorService builds;
  private final ExecutorService repairs;
  private final RepairQueue queue;
  private final Set<RegionGlobals> regions = ConcurrentHashMap.newKeySet();

  /** Starts the building thread. */
  public GlobalService(RegionServerServices server, MetricRegistry metrics) throws IOException {
    this.conf = server.getConfiguration();
    this.local = new LocalIndexRegions(r -> isOnline(server, r), r -> requireMemory(server, r));
    this.settings = GlobalSettings.of(conf);
    this.writer = new IndexWriter(conf, User.getCurrent(), settings.writeMillis(), local);
    this.builds = Executors.newScheduledThreadPool(2, threads(server, "spyhop-global-%d"));
    RepairSettings repair = RepairSettings.of(conf);
    this.repairs =
        Executors.newFixedThreadPool(repair.threads(), threads(server, "spyhop-repair-%d"));
    this.queue =
        new RepairQueue(
            writer,
            new BaseRegions(writer::connect),
            repairs,
            EnvironmentEdgeManager::currentTime,
            repair,
            new RepairMetrics(metrics));
    if (!SpyhopRpcSchedulerFactory.class
        .getName()
        .equals(conf.get(SpyhopRpcSchedulerFactory.KEY))) {
      LOG.warn(
          "Writes to index tables share HBase's handlers; for global indexes set {} to {}",
          SpyhopRpcSchedulerFactory.KEY,
          SpyhopRpcSchedulerFactory.class.getName());
    }
    schedule(this::buildAll);
    schedule(this::repairAll);
  }

  private static boolean isOnline(RegionServerServices server, HRegion region) {
    return server.getRegion(region.getRegionInfo().getEncodedName()) == region;
  }

  /** A region that is refused is flushed: nobody else may wake up who flushes. */
  private static void requireMemory(RegionServerServices server, HRegion region)
      throws RegionTooBusyException {
    if (SpyhopAccess.isShortOfMemory(server.getRegionServerAccounting())) {
      server.getFlushRequester().requestFlush(region, FlushLifeCycleTracker.DUMMY);
      throw new RegionTooBusyException(
          "server "
              + server.getServerName()
              + " has no memory for entries of "
              + region
              + "; try again");
    }
  }

  private static ThreadFactory threads(RegionServerServices server, String format) {
    return new ThreadFactoryBuilder()
        .setNameFormat(server.getServerName().getPort() + "-" + format)
        .setDaemon(true)
        .build();
  }

  private void schedule(Runnable work) {
    long every = settings.buildMillis();
    builds.scheduleWithFixedDelay(work, every, every, TimeUnit.MILLISECONDS);
  }

  /**
   * A region of a base table is about to open; flushes come before it is open.
   *
   * @param schema its definitions
   */
  public RegionGlobals open(HRegion region, IndexSchema schema) {
    RegionGlobals globals = new RegionGlobals(this, region);
    globals.schema(schema);
    TableName base = region.getTableDescriptor().getTableName();
    globals.repair(
        queue.open(region, globals::definitions, new BaseRegions(writer::connect).gone(base)));
    return globals;
  }

  /** A region of an index table is open. */
  public void indexOpened(HRegion region) {
    local.add(region);
  }

  /** A region of an index table closes. */
  public void indexClosing(HRegion region) {
    local.remove(region);
  }

  /**
   * Writes entries that the server of their base rows sends.
   *
   * @param batch an {@link EntryBatch}
   * @return its encoded answer
   */
  public byte[] write(TableName indexTable, byte[] batch) throws IOException {
    try {
      return EntryBatch.encodeAnswer(local.write(indexTable, EntryBatch.decode(batch)));
    } catch (RegionTooBusyException e) {
      // The caller has rows locked: its client tries again, not its connection.
      throw new DoNotRetryIOException(EntryBatch.NO_MEMORY + ": " + e.getMessage(), e);
    }
  }

  void opened(RegionGlobals region) {
    regions.add(region);
    buildSoon();
  }

  void closed(RegionGlobals region) {
    regions.remove(region);
  }

  /** Looks soon at what a region has not built. */
  void buildSoon() {
    try {
      builds.execute(this::buildAll);
    } catch (RejectedExecutionException e) {
      LOG.debug("Nothing is built any more: the server stops");
    }
  }

  /** A periodic task that throws would never run again. */
  private void buildAll() {
    for (RegionGlobals r : regions) {
      try {
        r.build();
      } catch (Throwable e) {
        LOG.warn("Building the global indexes of {} failed, will be retried", r, e);
      }
    }
  }

  private void repairAll() {
    try {
      queue.tick();
    } catch (Throwable e) {
      LOG.warn("Looking for repairs failed, will be retried", e);
    }
  }

  /** What is to be repaired. */
  public RepairQueue repairs() {
    return queue;
  }

  /**
   * The descriptor of a table, or null if there is no such table. The server's own descriptors
   * cannot be asked: for them a table whose descriptor cannot be read is not there either, and
   * writes would pass by the index.
   *
   * @throws IOException if that cannot be told now
   */
  TableDescriptor descriptor(TableName table) throws IOException {
    return FSTableDescriptors.getTableDescriptorFromFs(
        CommonFSUtils.getCurrentFileSystem(conf), CommonFSUtils.getRootDir(conf), table);
  }

  IndexWriter writer() {
    return writer;
  }

  GlobalSettings settings() {
    return settings;
  }

  @Override
  public void close() {
    builds.shutdownNow();
    queue.close();
    repairs.shutdownNow();
    writer.close();
  }
}
