package io.spyhop.server.index.local.upkeep;

import io.spyhop.core.protocol.Handover;
import io.spyhop.core.protocol.HandoverState;
import io.spyhop.core.protocol.JobRecord;
import io.spyhop.core.protocol.ServerHealth.Trouble;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.server.index.local.BuildSettings;
import io.spyhop.server.index.local.IndexDirectory;
import io.spyhop.server.index.local.directory.HBaseRoot;
import io.spyhop.server.index.local.directory.RegionSweep;
import io.spyhop.server.index.local.directory.ServerDirectory;
import io.spyhop.server.index.local.remote.FileFetcher;
import io.spyhop.server.index.local.remote.FileServer;
import io.spyhop.server.index.local.remote.Shipment;
import io.spyhop.server.index.stats.RegionStatistics;
import io.spyhop.server.job.Job;
import io.spyhop.server.job.JobLog;
import io.spyhop.server.job.JobScheduler;
import io.spyhop.server.job.Pacer;
import io.spyhop.server.metrics.Backlog;
import io.spyhop.server.metrics.ServerMetrics;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hbase.thirdparty.com.google.common.util.concurrent.ThreadFactoryBuilder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything of Spyhop that a region server has once: index jobs, the index directory, the clock
 * that drives reconciliation. Owned by the region server coprocessor. Thread-safe.
 */
public final class IndexService implements AutoCloseable, FileServer.Holdings {
  private static final Logger LOG = LoggerFactory.getLogger(IndexService.class);

  private static final int JOB_LOG = 10_000;
  private static final int MEGABYTE_BITS = 20;
  private static final long LEAST_ROOM = 1024L << MEGABYTE_BITS;

  private final RegionServerServices server;
  private final Settings settings;
  private final ServerMetrics metrics;
  private final ServerDirectory directory;
  private final JobScheduler jobs;
  private final JobLog log = new JobLog(JOB_LOG);
  private final FileFetcher fetcher;
  private final OtherServers others;
  private final Arrivals arrivals;
  private final ScheduledExecutorService ticker;
  private final LongSupplier clock;
  private final Set<RegionMaintainer> regions = ConcurrentHashMap.newKeySet();
  private final Map<RegionMaintainer, Boolean> soon = new ConcurrentHashMap<>();
  private final SharedReadings<TableName, IndexSchema> definitions =
      new SharedReadings<>(System::nanoTime);
  private volatile boolean stopping;

  /**
   * @param clock milliseconds
   */
  public IndexService(RegionServerServices server, ServerMetrics metrics, LongSupplier clock)
      throws IOException {
    this.server = server;
    this.clock = clock;
    this.metrics = metrics;
    Configuration conf = server.getConfiguration();
    this.settings = Settings.of(conf);
    this.directory = ServerDirectory.of(conf, server.getServerName(), new HBaseRoot(conf));
    this.jobs =
        new JobScheduler(
            settings.jobThreads(),
            settings.jobQueue(),
            threads("spyhop-job-%d").build(),
            clock,
            this::ended);
    this.fetcher =
        new FileFetcher(
            settings.fetchChunk(), metrics.fetchedBytes::increment, OtherServers::pause);
    this.others = new OtherServers(server);
    this.arrivals =
        new Arrivals(
            new Host(),
            fetcher,
            Executors.newSingleThreadExecutor(threads("spyhop-arrival-%d").build()),
            clock);
    metrics.observe(
        this::backlog, jobs::waiting, () -> directory.unusable().isPresent(), directory::room);
    this.ticker = Executors.newSingleThreadScheduledExecutor(threads("spyhop-tick-%d").build());
  }

  private ThreadFactoryBuilder threads(String format) {
    return new ThreadFactoryBuilder()
        .setNameFormat(server.getServerName().getPort() + "-" + format)
        .setDaemon(true);
  }

  /** Begins to work. */
  public void start() {
    schedule(this::reconcileAll, settings.reconcileMillis());
    schedule(this::refreshAll, settings.refreshMillis());
    schedule(this::sweep, settings.sweepMillis());
  }

  /** Has something done each time indexes are compared with HFiles, by the same thread. */
  public void eachTurn(Runnable work) {
    schedule(work, settings.reconcileMillis());
  }

  @SuppressWarnings("FutureReturnValueIgnored") // What fails is told where it happens.
  private void schedule(Runnable work, long everyMillis) {
    ticker.scheduleWithFixedDelay(
        () -> guarded(work), everyMillis, everyMillis, TimeUnit.MILLISECONDS);
  }

  /** A periodic task that throws would never run again. */
  private static void guarded(Runnable work) {
    try {
      work.run();
    } catch (Throwable e) {
      LOG.error("Periodic work of Spyhop failed, goes on with the next turn", e);
    }
  }

  /**
   * A region opens.
   *
   * @param statistics those of the region, which are kept complete
   * @param changes told of the table's definitions whenever they are read again
   */
  public RegionMaintainer open(
      HRegion region, RegionStatistics statistics, Consumer<IndexSchema> changes) {
    TableDescriptor table = region.getTableDescriptor();
    IndexDirectory files = directory.region(region.getRegionInfo().getEncodedName());
    RegionMaintainer maintainer =
        new RegionMaintainer(
            this, region, files, IndexSchema.of(table), statistics, changes, clock);
    regions.add(maintainer);
    arrivals.arrived(region.getRegionInfo().getEncodedName());
    maintainer.changed();
    return maintainer;
  }

  void closed(RegionMaintainer region) {
    regions.remove(region);
  }

  /** Reconciles soon; calls that come before it does are joined. */
  void reconcileSoon(RegionMaintainer region) {
    if (soon.putIfAbsent(region, true) == null) {
      try {
        ticker.execute(
            () -> {
              soon.remove(region);
              guarded(() -> reconcile(region));
            });
      } catch (RejectedExecutionException e) {
        LOG.debug("{} is not looked at: the server stops", region.region());
      }
    }
  }

  private void reconcileAll() {
    regions.forEach(this::reconcile);
  }

  private void reconcile(RegionMaintainer region) {
    try {
      region.reconcile();
    } catch (IOException | RuntimeException e) {
      LOG.warn("Cannot bring the indexes of {} up to date, will be retried", region.region(), e);
    }
  }

  /** Tables without an index are not looked at: their regions are told when one is created. */
  private void refreshAll() {
    definitions.forget();
    Map<TableName, List<RegionMaintainer>> tables =
        regions.stream()
            .filter(RegionMaintainer::isIndexed)
            .collect(Collectors.groupingBy(r -> r.region().getTableDescriptor().getTableName()));
    tables.forEach(this::refreshQuietly);
  }

  private void refreshQuietly(TableName table, List<RegionMaintainer> itsRegions) {
    try {
      refresh(table, itsRegions, definitions.now());
    } catch (IOException | RuntimeException e) {
      LOG.warn("Cannot read the index definitions of {} again", table, e);
    }
  }

  /** Reads the definitions of a region's table again. */
  void refresh(RegionMaintainer region) throws IOException {
    refresh(table(region), List.of(region), definitions.now());
  }

  /**
   * The same for the call that is served, which needs what was there when it came: the regions of a
   * table that are asked together are read once. What was read before the region opened would put
   * an older state in the place of that with which it opened. Such readings are rationed.
   */
  void refreshForCall(RegionMaintainer region) throws IOException {
    long now = definitions.now().after();
    long age =
        RpcServer.getCurrentCall()
            .map(call -> EnvironmentEdgeManager.currentTime() - call.getReceiveTime())
            .orElse(0L);
    // Both times are cut to milliseconds.
    long agoNanos = TimeUnit.MILLISECONDS.toNanos(Math.max(0, age - 1));
    long after = now - Math.min(agoNanos, now - region.opened());
    String caller = RpcServer.getRequestUserName().orElse("");
    refresh(table(region), List.of(region), new SharedReadings.Terms(after, Optional.of(caller)));
  }

  private static TableName table(RegionMaintainer region) {
    return region.region().getTableDescriptor().getTableName();
  }

  /**
   * Reads a table's definitions again, or takes what another thread has read. One reading of a
   * table at a time: an older one never takes the place of a newer one, with which writes have
   * begun to be indexed.
   */
  private void refresh(
      TableName table, List<RegionMaintainer> itsRegions, SharedReadings.Terms terms)
      throws IOException {
    definitions.read(
        table, terms, this::readSchema, schema -> itsRegions.forEach(r -> r.schema(schema)));
  }

  private void sweep() {
    for (RegionMaintainer r : regions) {
      try {
        r.sweep();
      } catch (IOException e) {
        LOG.warn("Cannot sweep the index files of {}", r.region(), e);
      }
    }
    if (!isUsable()) {
      return;
    }
    try {
      boolean holdsMeta = !server.getRegions(TableName.META_TABLE_NAME).isEmpty();
      RegionSweep.Terms terms =
          new RegionSweep.Terms(settings.absentMillis(), settings.goneMillis());
      Predicate<String> stays = region -> isOpen(region) || arrivals.isExpected(region);
      directory.sweep(stays, others::known, clock.getAsLong(), terms, holdsMeta);
    } catch (IOException e) {
      LOG.warn("Cannot sweep the index directory", e);
    }
  }

  private boolean isOpen(String region) {
    return regions.stream()
        .anyMatch(r -> r.region().getRegionInfo().getEncodedName().equals(region));
  }

  private IndexSchema readSchema(TableName table) throws IOException {
    TableDescriptor descriptor = server.getTableDescriptors().get(table);
    if (descriptor == null) {
      throw new IOException("table " + table + " has no descriptor");
    }
    return IndexSchema.of(descriptor);
  }

  BuildSettings buildSettings(HStore store) {
    TableDescriptor table = store.getHRegion().getTableDescriptor();
    ColumnFamilyDescriptor family = store.getColumnFamilyDescriptor();
    return new BuildSettings(
        StoreConfiguration.of(server.getConfiguration(), table, family),
        family,
        settings.buildMemory(),
        settings.maxPackedRow());
  }

  /** Queues jobs that belong together; false if the backlog is full or the server stops. */
  public boolean submit(List<Job> made) {
    return !stopping && jobs.submit(made);
  }

  private void ended(Job job) {
    log.add(job);
    metrics.ended(job);
  }

  /** The jobs that ended last. */
  public List<JobRecord> endedJobs() {
    return log.records();
  }

  private Backlog backlog() {
    int files = 0;
    long bytes = 0;
    int deferred = 0;
    long undecodable = 0;
    for (RegionMaintainer r : regions) {
      Backlog b = r.backlog();
      files += b.files();
      bytes += b.bytes();
      deferred += b.deferred();
      undecodable += b.undecodable();
    }
    return new Backlog(files, bytes, deferred, undecodable);
  }

  /**
   * Fetches the index files of a region that is going to be moved here, or tells how far that is.
   *
   * @throws IOException if the server that has it cannot be asked
   */
  public HandoverState receive(Handover region) throws IOException {
    return arrivals.receive(region);
  }

  /**
   * The index files of a region that is open here.
   *
   * @throws NotServingRegionException if it is not
   */
  public Shipment shipment(String region) throws NotServingRegionException {
    return regions.stream()
        .filter(r -> r.region().getRegionInfo().getEncodedName().equals(region))
        .findFirst()
        .map(r -> Shipments.of(r.region(), r.indexes()))
        .orElseThrow(() -> new NotServingRegionException("region " + region + " is not open here"));
  }

  /** This server, where regions arrive. */
  private final class Host implements Arrivals.Server {
    @Override
    public boolean isShared() {
      return directory.isShared();
    }

    @Override
    public boolean isUsable() {
      return IndexService.this.isUsable();
    }

    @Override
    public boolean isOver(String region) {
      return stopping || isOpen(region);
    }

    @Override
    public IndexDirectory directory(String region) {
      return directory.region(region);
    }

    @Override
    public FileFetcher.Server other(ServerName name) {
      return others.of(name);
    }

    @Override
    public TableDescriptor table(Handover region) throws IOException {
      return server.getTableDescriptors().get(region.table());
    }

    @Override
    public void fetched() {
      metrics.fetchedFiles.increment();
    }
  }

  /** A pacer for one job. */
  public Pacer newPacer() {
    return new Pacer(
        () -> server.getRpcServer().getScheduler().getGeneralQueueLength() > 0, System::nanoTime);
  }

  FileFetcher fetcher() {
    return fetcher;
  }

  /** The region servers that may have index files of a region, the likeliest first. */
  Iterable<FileFetcher.Server> otherServers(RegionInfo region) throws IOException {
    return others.list(region);
  }

  /** Whether all servers keep index files in the same place. */
  boolean isShared() {
    return directory.isShared();
  }

  @Override
  public IndexDirectory directory(String region) {
    return directory.region(region);
  }

  @Override
  public boolean isBuilding(String region, String hfile) {
    return regions.stream()
        .filter(r -> r.region().getRegionInfo().getEncodedName().equals(region))
        .anyMatch(r -> r.isBuilding(hfile));
  }

  /** Whether index files can be kept; {@link #unusable()} says why not. */
  boolean isUsable() {
    return directory.isReady(clock);
  }

  Optional<String> unusable() {
    return directory.unusable();
  }

  /** What is wrong with the directory of index files, looked at now. */
  public Optional<Trouble> checkDirectory() {
    try {
      long room = directory.probe();
      return room >= LEAST_ROOM
          ? Optional.empty()
          : Optional.of(
              new Trouble(
                  String.format(
                      Locale.ROOT, "%d MB are free in '%s'", room >> MEGABYTE_BITS, directory),
                  "make room, or name a larger directory in " + ServerDirectory.ROOT));
    } catch (IOException | RuntimeException e) {
      LOG.debug("Index files cannot be kept", e);
      return Optional.of(
          new Trouble(
              "no index files can be kept in '" + directory + "' (" + e.getMessage() + ")",
              "give the server's user a directory of its own in " + ServerDirectory.ROOT));
    }
  }

  boolean isStopping() {
    return stopping;
  }

  /** The server's name, {@code host,port,startcode}. */
  public String serverName() {
    return server.getServerName().getServerName();
  }

  /** The counters. */
  public ServerMetrics metrics() {
    return metrics;
  }

  /** The settings. */
  public Settings settings() {
    return settings;
  }

  @Override
  public void close() {
    stopping = true;
    ticker.shutdownNow();
    arrivals.close();
    others.close();
    jobs.close();
    directory.close();
  }
}
