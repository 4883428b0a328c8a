package io.spyhop.server.index.local.upkeep;

import com.sun.management.UnixOperatingSystemMXBean;
import io.spyhop.core.io.IoRunnable;
import io.spyhop.core.protocol.Handover;
import io.spyhop.core.protocol.HandoverState;
import io.spyhop.core.protocol.ServerHealth.Trouble;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.server.index.local.BuildSettings;
import io.spyhop.server.index.local.IndexDirectory;
import io.spyhop.server.index.local.KnownMatches;
import io.spyhop.server.index.local.OpenFiles;
import io.spyhop.server.index.local.directory.HBaseRoot;
import io.spyhop.server.index.local.directory.RegionSweep;
import io.spyhop.server.index.local.directory.ServerDirectory;
import io.spyhop.server.index.local.remote.FileFetcher;
import io.spyhop.server.index.local.remote.FileServer;
import io.spyhop.server.index.local.remote.Shipment;
import io.spyhop.server.memory.MemoryBudget;
import io.spyhop.server.metrics.Backlog;
import io.spyhop.server.metrics.ServerMetrics;
import io.spyhop.server.runtime.ServerRuntime;
import io.spyhop.server.view.store.RecentBlocks;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything of local indexes that a region server has once: the directory of index files, and the
 * ways to those of other servers. Owned by the region server coprocessor. Thread-safe.
 */
public final class IndexService implements AutoCloseable, FileServer.Holdings, ServerResources {
  private static final Logger LOG = LoggerFactory.getLogger(IndexService.class);

  /** Index files in memory may take this part of the heap. */
  private static final int OPEN_FILES_SHARE = 32;

  /** They may have this part of the process's file descriptors. */
  private static final int OPEN_FILES_DESCRIPTORS = 4;

  private static final int MEGABYTE_BITS = 20;
  private static final long LEAST_ROOM = 1024L << MEGABYTE_BITS;

  private final RegionServerServices server;
  private final ServerRuntime runtime;
  private final ServerMetrics metrics;
  private final ServerDirectory directory;
  private final FileFetcher fetcher;
  private final OtherServers others;
  private final Arrivals arrivals;
  private final MemoryBudget pairs;
  private final MemoryBudget streams;
  private final KnownMatches matches;
  private final RecentBlocks recent;
  private final Object sweeping = new Object();
  private final Set<RegionMaintainer> regions = ConcurrentHashMap.newKeySet();

  /**
   * @param runtime does the jobs
   * @param recent blocks of HFiles that scans of the server have just read
   */
  public IndexService(
      RegionServerServices server,
      ServerMetrics metrics,
      ServerRuntime runtime,
      RecentBlocks recent)
      throws IOException {
    this.server = server;
    this.runtime = runtime;
    this.recent = recent;
    this.metrics = metrics;
    Configuration conf = server.getConfiguration();
    this.directory =
        ServerDirectory.of(conf, server.getServerName(), new HBaseRoot(conf), openFiles());
    this.fetcher =
        new FileFetcher(
            runtime.settings().fetchChunk(), metrics.fetchedBytes::increment, OtherServers::pause);
    this.others = new OtherServers(server);
    this.pairs = new MemoryBudget(runtime.settings().pairs());
    this.streams = new MemoryBudget(runtime.settings().streams());
    this.matches = new KnownMatches(runtime.settings().matches());
    this.arrivals =
        new Arrivals(
            new Host(),
            fetcher,
            Executors.newSingleThreadExecutor(runtime.threads("arrival")),
            runtime.clock());
    metrics.observe(
        this::backlog, runtime::waiting, () -> directory.unusable().isPresent(), directory::room);
    metrics.observeMatches(matches::found, matches::missed);
    runtime.every(runtime.settings().sweepMillis(), this::sweep);
  }

  private static OpenFiles openFiles() {
    return new OpenFiles(
        Runtime.getRuntime().maxMemory() / OPEN_FILES_SHARE,
        mostDescriptors() / OPEN_FILES_DESCRIPTORS);
  }

  /** As many as the system lets this process have; beyond count where it does not say. */
  private static long mostDescriptors() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
            && unix.getMaxFileDescriptorCount() > 0
        ? unix.getMaxFileDescriptorCount()
        : Long.MAX_VALUE;
  }

  /** A region is open, with these definitions. */
  RegionMaintainer open(HRegion region, IndexSchema schema) {
    String name = region.getRegionInfo().getEncodedName();
    RegionMaintainer maintainer =
        new RegionMaintainer(this, region, directory.region(name), schema);
    regions.add(maintainer);
    arrivals.arrived(name);
    runtime.keep(maintainer);
    return maintainer;
  }

  void closed(RegionMaintainer region) {
    regions.remove(region);
    runtime.forget(region);
  }

  private void sweep() {
    for (RegionMaintainer r : regions) {
      try {
        r.sweep();
      } catch (IOException e) {
        runtime.complaints().warn(LOG, "Sweeping index files", r.table(), r.region(), e);
      }
    }
    if (!isUsable()) {
      return;
    }
    try {
      boolean holdsMeta = !server.getRegions(TableName.META_TABLE_NAME).isEmpty();
      RegionSweep.Terms terms =
          new RegionSweep.Terms(runtime.settings().absentMillis(), runtime.settings().goneMillis());
      Predicate<String> stays = region -> isOpen(region) || arrivals.isExpected(region);
      unswept(
          () ->
              directory.sweep(stays, others::known, runtime.clock().getAsLong(), terms, holdsMeta));
    } catch (IOException e) {
      runtime.complaints().warn(LOG, "Sweeping the index directory", "this server", directory, e);
    }
  }

  /** Does something while no sweep deletes files of regions that have just opened. */
  void unswept(IoRunnable work) throws IOException {
    synchronized (sweeping) {
      work.run();
    }
  }

  private boolean isOpen(String region) {
    return regions.stream()
        .anyMatch(r -> r.region().getRegionInfo().getEncodedName().equals(region));
  }

  /** For the rows that HFiles have in common, of all regions together. */
  MemoryBudget pairs() {
    return pairs;
  }

  @Override
  public MemoryBudget streams() {
    return streams;
  }

  /** The blocks of HFiles that scans have just read. */
  RecentBlocks recent() {
    return recent;
  }

  /** For the rows that conditions find, of all regions together. */
  KnownMatches matches() {
    return matches;
  }

  @Override
  public BuildSettings buildSettings(HStore store) {
    TableDescriptor table = store.getHRegion().getTableDescriptor();
    ColumnFamilyDescriptor family = store.getColumnFamilyDescriptor();
    return new BuildSettings(
        StoreConfiguration.of(server.getConfiguration(), table, family),
        family,
        runtime.settings().buildMemory(),
        runtime.settings().maxPackedRow());
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
  public Shipment shipment(String region) throws IOException {
    RegionMaintainer open =
        regions.stream()
            .filter(r -> r.region().getRegionInfo().getEncodedName().equals(region))
            .findFirst()
            .orElseThrow(
                () -> new NotServingRegionException("region " + region + " is not open here"));
    return Shipments.of(open.region(), open.indexes());
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
      return runtime.isStopping() || isOpen(region);
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

  @Override
  public FileFetcher fetcher() {
    return fetcher;
  }

  @Override
  public Iterable<FileFetcher.Server> otherServers(RegionInfo region) throws IOException {
    return others.list(region);
  }

  @Override
  public boolean isShared() {
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
  @Override
  public boolean isUsable() {
    return directory.isReady(runtime.clock());
  }

  /**
   * To be called before index files are written.
   *
   * @throws IOException if they cannot be kept
   */
  void requireDirectory() throws IOException {
    directory.require(runtime.clock());
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

  @Override
  public ServerRuntime runtime() {
    return runtime;
  }

  @Override
  public ServerMetrics metrics() {
    return metrics;
  }

  @Override
  public void close() {
    arrivals.close();
    others.close();
    directory.close();
  }
}
