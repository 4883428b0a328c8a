package io.spyhop.server.index.global;

import io.spyhop.core.protocol.BuiltLease;
import io.spyhop.core.protocol.BuiltRanges;
import io.spyhop.core.protocol.EntryBatch;
import io.spyhop.core.protocol.EntryRemoval;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.server.access.BaseDescriptors;
import io.spyhop.server.access.IndexAccess;
import io.spyhop.server.index.LoadedRows;
import io.spyhop.server.index.global.entry.EntryDeleter;
import io.spyhop.server.index.global.opening.ControlNotes;
import io.spyhop.server.index.global.opening.LastOpening;
import io.spyhop.server.index.global.opening.LiveServers;
import io.spyhop.server.index.global.opening.MetaOpenings;
import io.spyhop.server.index.global.opening.RecoveredFiles;
import io.spyhop.server.index.global.opening.RegisteredServers;
import io.spyhop.server.index.global.opening.SequenceNumbers;
import io.spyhop.server.index.global.repair.EntryValidation;
import io.spyhop.server.index.global.repair.RegionRepair;
import io.spyhop.server.index.global.repair.RepairMetrics;
import io.spyhop.server.index.global.repair.RepairQueue;
import io.spyhop.server.index.global.repair.RepairSettings;
import io.spyhop.server.runtime.Complaints;
import io.spyhop.server.runtime.Pacer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.regionserver.FlushLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.FlushRequester;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hadoop.hbase.regionserver.SpyhopAccess;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hadoop.hbase.util.FSTableDescriptors;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hbase.thirdparty.com.google.common.util.concurrent.ThreadFactoryBuilder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything of global indexes that a region server has once: the way to the index tables, and a
 * thread that builds. Owned by the region server coprocessor. Thread-safe.
 */
public final class GlobalService implements AutoCloseable, LoadedRows {
  private static final Logger LOG = LoggerFactory.getLogger(GlobalService.class);

  /** One for looking at entries, and one for how files are encrypted. */
  private static final int BUILD_THREADS = RegionPasses.BUILD_THREADS + 2;

  /** One for repairs. */
  private static final int LOOK_THREADS = RegionPasses.LOOK_THREADS + 1;

  /** How soon a region that is about to open is marked: when HBase has given it a number. */
  private static final long NUMBERED_MILLIS = 5;

  /** How soon it is looked at what it has not built: when it has been reported, usually. */
  private static final long ONLINE_MILLIS = 100;

  private final Configuration conf;
  private final LocalIndexRegions local;
  private final IndexWriter writer;
  private final IndexReader reader;
  private final RemovalGuard guard;
  private final FencedDeletes deletes;
  private final GlobalSettings settings;

  /** Does what may take hours. */
  private final ScheduledExecutorService builds;

  /** Does what is quick, and must not wait for what is not. */
  private final ScheduledExecutorService looks;

  private final ExecutorService repairs;
  private final RepairQueue queue;
  private final EntrySweep sweep;
  private final EncryptedAnew encryption;
  private final RegionServerServices server;
  private final MetaOpenings meta;
  private final BuiltRows built;
  private final Map<HRegion, IndexAccess> rights = new ConcurrentHashMap<>();
  private final BaseDescriptors bases = new BaseDescriptors(this::descriptor, System::nanoTime);
  private final Complaints complaints;
  private final RegionPasses passes;
  private final LoadSlots loads;
  private final BuildPace pace;

  /** Those of base tables that are open here. */
  private final Set<RegionGlobals> regions = ConcurrentHashMap.newKeySet();

  /**
   * Starts the building threads.
   *
   * @param pacers let requests go first
   * @param complaints of the whole server
   */
  public GlobalService(
      RegionServerServices server,
      MetricRegistry metrics,
      Supplier<Pacer> pacers,
      Complaints complaints)
      throws IOException {
    this.server = server;
    this.complaints = complaints;
    this.conf = server.getConfiguration();
    this.local = new LocalIndexRegions(r -> isOnline(server, r), r -> requireMemory(server, r));
    this.settings = GlobalSettings.of(conf);
    this.loads = new LoadSlots(settings.loads());
    this.pace = new BuildPace(settings.buildBytes(), pacers);
    GlobalMetrics counts = new GlobalMetrics(metrics);
    counts.observe(
        () -> regions.stream().flatMap(RegionGlobals::unbuilt),
        () -> server.getRpcServer().getScheduler());
    this.writer = new IndexWriter(conf, User.getCurrent(), settings.writeMillis(), local, counts);
    this.reader = new IndexReader(conf, User.getCurrent());
    this.guard = new RemovalGuard(() -> server.getServerName().toString(), System::nanoTime);
    this.deletes = new FencedDeletes(conf, User.getCurrent(), settings.writeMillis(), local, guard);
    this.builds =
        Executors.newScheduledThreadPool(BUILD_THREADS, threads(server, "spyhop-global-%d"));
    this.looks = Executors.newScheduledThreadPool(LOOK_THREADS, threads(server, "spyhop-look-%d"));
    this.passes =
        new RegionPasses(
            builds,
            looks,
            table -> RegionBuild.notes(reader, table, ControlRows.scan()),
            complaints);
    this.meta = new MetaOpenings(reader::connection, conf, complaints);
    this.built =
        new BuiltRows(
            new LiveServers(new RegisteredServers(server.getZooKeeper()), System::nanoTime),
            meta,
            looks,
            conf,
            User.getCurrent());
    RepairSettings repair = RepairSettings.of(conf);
    this.repairs =
        Executors.newFixedThreadPool(repair.threads(), threads(server, "spyhop-repair-%d"));
    this.queue =
        new RepairQueue(
            new RepairQueue.Ways(deletes, reader, reader, new BaseRegions(reader::connection)),
            repairs,
            EnvironmentEdgeManager::currentTime,
            repair,
            new RepairMetrics(metrics),
            complaints);
    this.sweep =
        new EntrySweep(
            reader, new BaseRegions(reader::connection), this::descriptor, this::isBuilt);
    this.encryption = new EncryptedAnew(server::getCompactionRequestor);
    passes.start(settings);
    schedule(builds, this::sweepAll, settings.buildMillis());
    schedule(builds, this::encryptAll, settings.lookMillis());
    schedule(looks, this::repairAll, settings.buildMillis());
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

  @SuppressWarnings("FutureReturnValueIgnored") // What fails is told where it happens.
  private static void schedule(ScheduledExecutorService by, Runnable work, long every) {
    by.scheduleWithFixedDelay(work, every, every, TimeUnit.MILLISECONDS);
  }

  /**
   * A region of a base table is about to open; flushes come before it is open. HBase has not looked
   * yet which sequence number it opens with.
   *
   * @param schema its definitions
   */
  public RegionGlobals open(HRegion region, IndexSchema schema) {
    LastOpening before = schema.globals().isEmpty() ? LastOpening.UNKNOWN : before(region);
    RegionGlobals globals =
        new RegionGlobals(
            this, region, new RegionOpening(region, writer, server, meta, before, complaints));
    globals.schema(schema);
    TableName base = region.getTableDescriptor().getTableName();
    globals.repair(
        RegionRepair.open(queue, region, globals, new BaseRegions(reader::connection).gone(base)));
    return globals;
  }

  private LastOpening before(HRegion region) {
    TableDescriptor table = region.getTableDescriptor();
    LastOpening before = meta.before(region.getRegionInfo());
    SequenceNumbers.goOn(
        conf, region.getRegionInfo(), before, table.hasGlobalReplicationScope(), complaints);
    return RecoveredFiles.areThere(
            conf, region.getRegionInfo(), table.getColumnFamilyNames(), complaints)
        ? LastOpening.UNKNOWN
        : before;
  }

  /** Of an index table's notes the epoch, and the mark of a region. */
  ControlNotes notesOf(HRegion region, TableName indexTable) throws IOException {
    String encoded = region.getRegionInfo().getEncodedName();
    return RegionBuild.notes(reader, indexTable, ControlRows.scanOf(encoded));
  }

  /** A region of an index table is open. */
  public void indexOpened(HRegion region) {
    built.opened(region);
    rights.put(region, new IndexAccess(region, bases));
    local.add(region);
  }

  /** A region of an index table closes. */
  public void indexClosing(HRegion region) {
    local.remove(region);
    built.closing(region);
    sweep.closing(region);
    rights.remove(region);
  }

  /**
   * Who may know of the entries of a region of an index table.
   *
   * @throws NotServingRegionException if it closes
   */
  public IndexAccess access(HRegion indexRegion) throws NotServingRegionException {
    return present(rights, indexRegion);
  }

  private static <T> T present(Map<HRegion, T> ofRegions, HRegion region)
      throws NotServingRegionException {
    T kept = ofRegions.get(region);
    if (kept == null) {
      throw new NotServingRegionException(region + " closes");
    }
    return kept;
  }

  /**
   * The rows of the base table that have all their entries now. The answer must not be kept: it
   * ends when a region opens that nobody watches.
   *
   * @param indexRegion any region of the index table
   * @throws IOException if the table holds another incarnation, or it cannot be told now
   */
  public BuiltRanges built(HRegion indexRegion, long incarnation) throws IOException {
    new EntryPages(indexRegion).require(incarnation);
    return built.of(indexRegion, incarnation);
  }

  /**
   * The same for another server, which may go on believing it for a moment.
   *
   * @param first the first region of the index table
   * @throws IOException as the other method
   */
  public BuiltLease lease(HRegion first, long incarnation) throws IOException {
    new EntryPages(first).require(incarnation);
    return built.lease(first);
  }

  private boolean isBuilt(HRegion first) throws IOException {
    return built.here(first).isComplete();
  }

  /** A batch was applied to an index table's region, or some of it, and is not acknowledged yet. */
  void written(HRegion indexRegion, MiniBatchOperationInProgress<Mutation> batch) {
    built.written(indexRegion, batch);
    sweep.written(indexRegion, batch);
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

  /**
   * Deletes entries that nothing is behind, as the server of their base rows has found.
   *
   * @param removal an {@link EntryRemoval}
   * @return an {@link EntryBatch}'s encoded answer
   * @throws IOException if it is too late for that, or another server was meant, or an entry is
   *     none that a cell can have
   */
  public byte[] remove(TableName indexTable, byte[] removal) throws IOException {
    EntryRemoval asked = EntryRemoval.decode(removal);
    EntryValidation.require(asked.entries());
    return EntryBatch.encodeAnswer(local.remove(indexTable, asked.fence(), asked.entries()));
  }

  /** What this server demands of deletes of entries. */
  public RemovalGuard guard() {
    return guard;
  }

  /** The region is about to be online, and marked as soon as it is. */
  void opened(RegionGlobals region) {
    regions.add(region);
    passes.add(region);
    passes.openSoon(NUMBERED_MILLIS, ONLINE_MILLIS);
  }

  void closed(RegionGlobals region) {
    regions.remove(region);
    passes.remove(region);
  }

  /** Looks soon at what a region has not built. */
  void buildSoon() {
    passes.buildSoon();
  }

  Complaints complaints() {
    return complaints;
  }

  /** What bulk loads share. */
  LoadSlots loads() {
    return loads;
  }

  @Override
  public void forEach(HRegion region, List<Pair<byte[], String>> files, Visitor visitor)
      throws IOException {
    BulkToken.require(
        region.getTableDescriptor().getTableName(), files, region.getReadOnlyConfiguration());
    loads.run(() -> BulkRows.read(region, files, visitor));
  }

  /** Looks soon whether what a region takes for built still is. */
  void lookSoon(RegionGlobals region) {
    passes.lookSoon(region);
  }

  /**
   * The master says that indexes of a table may have to be built again.
   *
   * @param changed the base table; empty if it may be any
   */
  public void lookSoon(Optional<TableName> changed) {
    passes.lookSoon(changed);
  }

  /** A periodic task that throws would never run again. */
  private void repairAll() {
    try {
      queue.tick();
    } catch (Throwable e) {
      complaints.warn(LOG, "Looking for repairs", "this server", queue, e);
    }
  }

  private void sweepAll() {
    for (HRegion first : local.firsts()) {
      try {
        sweep.run(first);
      } catch (Throwable e) {
        TableName table = first.getTableDescriptor().getTableName();
        complaints.warn(LOG, "Looking at the entries", table, first, e);
      }
    }
  }

  private void encryptAll() {
    for (HRegion region : local.all()) {
      try {
        encryption.run(region);
      } catch (Throwable e) {
        TableName table = region.getTableDescriptor().getTableName();
        complaints.warn(LOG, "Looking how files are encrypted", table, region, e);
      }
    }
  }

  /** How many repairs are not done, and how many indexes are to be looked through. */
  public int unfinished() {
    return queue.unfinished() + sweep.owed();
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

  FlushRequester flushes() {
    return server.getFlushRequester();
  }

  IndexWriter writer() {
    return writer;
  }

  BuildPace pace() {
    return pace;
  }

  IndexReader reader() {
    return reader;
  }

  EntryDeleter deletes() {
    return deletes;
  }

  /** Deletes that are under way end before this does, if it can be: others may own their rows. */
  @Override
  public void close() {
    builds.shutdownNow();
    looks.shutdownNow();
    if (!server.isAborted() && server.isClusterUp()) {
      List<RegionOpening> openings = regions.stream().map(RegionGlobals::opening).toList();
      RegionOpening.stop(openings, writer, 3 * settings.writeMillis());
    }
    queue.close();
    repairs.shutdownNow();
    try {
      if (!repairs.awaitTermination(3 * settings.writeMillis(), TimeUnit.MILLISECONDS)) {
        LOG.warn("Repairs still run while the server stops");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    deletes.close();
    built.close();
    writer.close();
    reader.close();
  }
}
