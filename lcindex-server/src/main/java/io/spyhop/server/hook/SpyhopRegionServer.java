package io.spyhop.server.hook;

import com.google.protobuf.Service;
import io.spyhop.core.conf.HBaseLines;
import io.spyhop.core.protocol.Handover;
import io.spyhop.core.protocol.Question;
import io.spyhop.core.protocol.ServerHealth;
import io.spyhop.core.protocol.SlowQuery;
import io.spyhop.server.global.SpyhopRpcSchedulerFactory;
import io.spyhop.server.index.RegionContext;
import io.spyhop.server.index.global.GlobalService;
import io.spyhop.server.index.local.remote.FileServer;
import io.spyhop.server.index.local.upkeep.IndexService;
import io.spyhop.server.index.memstore.LogMemory;
import io.spyhop.server.index.stats.ServerDigests;
import io.spyhop.server.index.stats.StatisticsMemory;
import io.spyhop.server.index.view.ViewService;
import io.spyhop.server.memory.MemoryBudget;
import io.spyhop.server.metrics.ServerMetrics;
import io.spyhop.server.query.plan.CostModel;
import io.spyhop.server.query.plan.QueryPlanner;
import io.spyhop.server.query.report.SlowQueries;
import io.spyhop.server.query.report.SlowQueryLog;
import io.spyhop.server.query.scan.QueryEnvironment;
import io.spyhop.server.runtime.DefinitionsNode;
import io.spyhop.server.runtime.ServerRuntime;
import io.spyhop.server.runtime.Settings;
import io.spyhop.server.runtime.TableSchemas;
import io.spyhop.server.view.store.RecentBlocks;
import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Coprocessor;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;
import org.apache.hadoop.hbase.coprocessor.CoreCoprocessor;
import org.apache.hadoop.hbase.coprocessor.HasRegionServerServices;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionServerCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionServerCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionServerObserver;
import org.apache.hadoop.hbase.io.util.MemorySizeUtil;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.WALEntry;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hadoop.hbase.util.VersionInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns what Spyhop has once per region server. Configured in {@code
 * hbase.coprocessor.regionserver.classes}; it tells clients that the server has Spyhop.
 */
@CoreCoprocessor
public class SpyhopRegionServer implements RegionServerCoprocessor, RegionServerObserver {
  private static final Logger LOG = LoggerFactory.getLogger(SpyhopRegionServer.class);

  /** What to do with HBase of a version that Spyhop does not fit. */
  static final String TAKE_OUT = "take its jar out of lib/ and its settings out of hbase-site.xml";

  /** How many slow queries are kept. */
  private static final int SLOW_QUERIES = 64;

  /** How soon it is tried again to watch for changed definitions. */
  private static final long BLIND_MILLIS = 5_000;

  private final List<RegionContext.Kind> kinds;
  private RegionServerServices server;
  private ServerMetrics metrics;
  private ServerRuntime runtime;
  private TableSchemas schemas;
  private IndexService service;
  private FileServer files;
  private GlobalService globals;
  private QueryEnvironment queries;
  private ViewService views;
  private LogMemory logs;
  private StatisticsMemory statistics;
  private final ServerDigests digests = new ServerDigests();

  /** Written last: all else is there when it is true. */
  private volatile boolean on;

  /** With all kinds of indexes; HBase calls it. */
  public SpyhopRegionServer() {
    this(RegionKinds.ALL);
  }

  /** With other kinds than usual, in the order of {@link RegionKinds#ALL}. */
  protected SpyhopRegionServer(List<RegionContext.Kind> kinds) {
    this.kinds = List.copyOf(kinds);
  }

  @Override
  @SuppressWarnings("rawtypes")
  public void start(CoprocessorEnvironment env) {
    try {
      start(((HasRegionServerServices) env).getRegionServerServices(), env);
    } catch (Throwable e) {
      LOG.error("Spyhop is off on this server, queries scan", e);
    }
  }

  @SuppressWarnings("rawtypes")
  private void start(RegionServerServices services, CoprocessorEnvironment env) throws IOException {
    HBaseLines.check(VersionInfo.getVersion(), TAKE_OUT);
    server = services;
    Configuration conf = server.getConfiguration();
    observeUserRegions(conf);
    MetricRegistry registry =
        ((RegionServerCoprocessorEnvironment) env).getMetricRegistryForRegionServer();
    metrics = new ServerMetrics(registry);
    Settings settings = Settings.of(conf);
    LongSupplier clock = EnvironmentEdgeManager::currentTime;
    boolean started = false;
    try {
      runtime =
          new ServerRuntime(
              server, settings, clock, metrics::ended, metrics.failedComparisons::increment);
      RecentBlocks recent = new RecentBlocks(MemorySizeUtil.getOnHeapCacheSize(conf));
      service = new IndexService(server, metrics, runtime, recent);
      MemoryBudget held = new MemoryBudget(settings.queryMemory());
      metrics.observeQueries(held::used);
      queries =
          new QueryEnvironment(
              new QueryPlanner(CostModel.of(conf)),
              held,
              settings.sortBudget(),
              metrics,
              new SlowQueries(
                  settings.slowQueryMillis(),
                  settings.slowQueryValues(),
                  new SlowQueryLog(SLOW_QUERIES)));
      MemoryBudget logged = new MemoryBudget(settings.memstoreIndex());
      logs = new LogMemory(logged, metrics.droppedLogs::increment);
      metrics.observeLogs(logged::used);
      MemoryBudget kept = new MemoryBudget(settings.statisticsMemory());
      statistics = new StatisticsMemory(kept, metrics.coarseStatistics::increment);
      metrics.observeStatistics(kept::used);
      globals = new GlobalService(server, registry, runtime::newPacer, runtime.complaints());
      SpyhopRpcSchedulerFactory.warnUnlessSet(conf);
      views =
          new ViewService(
              settings.viewMemory(),
              recent,
              settings.viewInterval(),
              metrics,
              runtime::submit,
              runtime::newPacer,
              clock,
              runtime.complaints());
      schemas = new TableSchemas(server.getTableDescriptors(), runtime.complaints());
      files = new FileServer(service, metrics.servedBytes::increment);
      runtime.every(settings.reconcileMillis(), views::reconcile);
      runtime.every(settings.refreshMillis(), schemas::refresh);
      DefinitionsNode node =
          DefinitionsNode.watch(server.getZooKeeper(), runtime::aside, this::changed);
      runtime.every(BLIND_MILLIS, node::lookIfBlind);
      runtime.start();
      started = true;
    } finally {
      if (!started) {
        close();
      }
    }
    on = true;
  }

  private void changed(Optional<TableName> table) {
    schemas.refresh(table);
    globals.lookSoon(table);
  }

  /**
   * Has HBase load {@link SpyhopRegion} into every region of a user table that opens from now on.
   * In the tables' descriptors it would make every later change of a definition reopen all regions
   * (docs/decisions/0008).
   *
   * <p>It comes last of all: without a priority HBase gives it that of the first coprocessor in
   * {@code hbase.coprocessor.region.classes}, before the second one, which may be the one that
   * checks access.
   */
  private static void observeUserRegions(Configuration conf) {
    String key = CoprocessorHost.USER_REGION_COPROCESSOR_CONF_KEY;
    String name = SpyhopRegion.class.getName();
    Collection<String> classes = new LinkedHashSet<>(conf.getTrimmedStringCollection(key));
    classes.removeIf(c -> c.equals(name) || c.startsWith(name + "|"));
    classes.add(name + "|" + Coprocessor.PRIORITY_LOWEST);
    conf.setStrings(key, classes.toArray(new String[0]));
  }

  @Override
  @SuppressWarnings("rawtypes")
  public void stop(CoprocessorEnvironment env) {
    close();
  }

  private void close() {
    if (runtime != null) {
      runtime.close();
    }
    if (service != null) {
      service.close();
    }
    if (globals != null) {
      globals.close();
    }
  }

  List<RegionContext.Kind> kinds() {
    return kinds;
  }

  /** What a region's parts may ask for; none before the server has started. */
  List<Object> services() {
    return List.of(
        runtime, metrics, schemas, service, globals, queries, views, logs, statistics, digests);
  }

  GlobalService globals() {
    return globals;
  }

  @Override
  public Optional<RegionServerObserver> getRegionServerObserver() {
    return Optional.of(this);
  }

  /** Edits that a client sends as a peer does are written as the servers' own user. */
  @Override
  public void preReplicationSinkBatchMutate(
      ObserverContext<RegionServerCoprocessorEnvironment> c, WALEntry edit, Mutation mutation)
      throws IOException {
    byte[] table = edit.getKey().getTableName().toByteArray();
    ReservedTables.require(c.getCaller(), table, "replicate to");
  }

  @Override
  public Iterable<Service> getServices() {
    return ServerService.of(
        () -> on ? runtime : null,
        () -> files,
        () -> globals,
        this::health,
        this::slowQueries,
        this::handover);
  }

  /** Answers what the master, or another server, asks of a region that is going to be moved. */
  private byte[] handover(Question question, Handover region) throws IOException {
    return switch (question) {
      case RECEIVE -> service.receive(region).encode();
      case SHIPMENT -> service.shipment(region.region()).encode();
      default -> hold(region);
    };
  }

  private byte[] hold(Handover region) throws IOException {
    if (!(server.getRegion(region.region()) instanceof HRegion open)) {
      throw new NotServingRegionException("region " + region.region() + " is not open here");
    }
    SpyhopRegion.hold(open, region.holdMillis());
    return new byte[0];
  }

  private byte[] slowQueries() {
    return SlowQuery.encode(
        queries.slow().kept().told(audience -> audience.hasCaller(server.getConfiguration())));
  }

  private ServerHealth health() throws IOException {
    return on ? SelfCheck.of(server, service) : SelfCheck.ofIdle();
  }

  /** Whether indexes work; if they could not be started, the server goes on without. */
  boolean isOn() {
    return on;
  }

  /** What this server counts. */
  public ServerMetrics metrics() {
    return metrics;
  }
}
