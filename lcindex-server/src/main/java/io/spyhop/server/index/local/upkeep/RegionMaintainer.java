package io.spyhop.server.index.local.upkeep;

import io.spyhop.core.protocol.RegionStatus;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.server.access.ForeignObservers;
import io.spyhop.server.index.StoreFiles;
import io.spyhop.server.index.local.IndexDirectory;
import io.spyhop.server.index.local.IndexFile;
import io.spyhop.server.index.local.RegionIndexes;
import io.spyhop.server.index.local.RegionPairs;
import io.spyhop.server.metrics.Backlog;
import io.spyhop.server.runtime.Backoff;
import io.spyhop.server.runtime.Job;
import io.spyhop.server.runtime.JobKind;
import io.spyhop.server.runtime.Upkeep;
import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.util.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the index files of one region in step with its HFiles. Thread-safe.
 *
 * <p>It compares what is there with what should be ({@link #reconcile()}) instead of following
 * events: every HFile of an indexed family should have files for every index, and nothing else
 * should. Flush, compaction, bulk load, a new or dropped index, a failed job, a damaged file, a
 * restart are all the same difference. For what is missing it queues the jobs of the LCIndex paper
 * ({@link JobKind}).
 */
public final class RegionMaintainer implements RegionJobs.Ending, Upkeep {
  private static final Logger LOG = LoggerFactory.getLogger(RegionMaintainer.class);

  private final IndexService service;
  private final HRegion region;
  private final IndexDirectory directory;
  private final RegionIndexes indexes;
  private final RegionJobs jobs;
  private final Backoff backoff;

  /** By HFile the last of the jobs that will make its index files. */
  private final Map<String, Job> pending = new ConcurrentHashMap<>();

  /** By HFile the inputs whose index files a COMPACT job may read. */
  private final Map<String, Set<String>> merging = new ConcurrentHashMap<>();

  private final RegionSearches searches;
  private final CompactionWatch compactions;
  private final FileStreams streams;

  /** What the last comparison saw, if it has left nothing to be done; guarded by this. */
  private Seen settled;

  private volatile Backlog backlog = new Backlog(0, 0, 0, 0);
  private final AtomicBoolean loading = new AtomicBoolean();
  private volatile boolean loaded;
  private volatile boolean closed;

  RegionMaintainer(
      IndexService service, HRegion region, IndexDirectory directory, IndexSchema schema) {
    this.service = service;
    this.region = region;
    this.directory = directory;
    RegionPairs pairs = new RegionPairs(service.pairs(), service.runtime().clock());
    this.indexes =
        new RegionIndexes(schema, pairs, service.matches(), service.recent(), this::changed);
    this.compactions = new CompactionWatch(() -> ForeignObservers.watch(region));
    this.streams = new FileStreams(service, directory, indexes);
    this.jobs =
        new RegionJobs(service, directory, indexes, compactions, streams, this::isCancelled, this);
    this.backoff = new Backoff(service.runtime().clock());
    this.searches =
        new RegionSearches(
            service,
            region.getRegionInfo(),
            directory,
            new SearchHistory(service.isShared(), indexes.wanted()),
            backoff,
            this::isCancelled,
            this::committed);
  }

  /** What the region has. */
  public RegionIndexes indexes() {
    return indexes;
  }

  /** To be told of the region's compactions. */
  public CompactionWatch compactions() {
    return compactions;
  }

  /** To be told of what flushes and compactions write. */
  FileStreams streams() {
    return streams;
  }

  /** The region. */
  public HRegion region() {
    return region;
  }

  /** Has it compared soon, off the calling thread. */
  void changed() {
    service.runtime().soon(this);
  }

  /** Starts jobs for what is missing and drops what is not wanted. */
  @Override
  public boolean reconcile() throws IOException {
    if (isCancelled()) {
      return true;
    }
    if (loaded) {
      return compare();
    }
    if (loading.compareAndSet(false, true)) {
      service.runtime().aside(this::load);
    }
    return false;
  }

  private void countFailure() {
    if (!indexes.schema().indexes().isEmpty()) {
      service.metrics().failedComparisons.increment();
    }
  }

  /** Returns whether nothing is to be done. */
  private synchronized boolean compare() throws IOException {
    Seen now = see();
    if (isCancelled() || settled != null && settled.isSame(now)) {
      return true;
    }
    settled = null;
    Comparison comparison = new Comparison();
    for (byte[] family : indexedFamilies()) {
      HStore store = region.getStore(family);
      if (store != null) {
        comparison.look(store);
      }
    }
    if (isCancelled()) {
      return true; // The lists may have been emptied.
    }
    settled = comparison.finish() ? now : null;
    return settled != null;
  }

  private Seen see() {
    long changes = indexes.changes();
    return new Seen(StoreFiles.of(region.getStores()), changes);
  }

  /**
   * The things that are compared.
   *
   * @param changes of index files
   */
  private record Seen(StoreFiles hfiles, long changes) {
    boolean isSame(Seen other) {
      return changes == other.changes && hfiles.areStill(other.hfiles);
    }
  }

  /**
   * Looks whether files can be kept, and which there are; off the thread that compares, as the disk
   * may let it wait.
   */
  private void load() {
    try {
      if (service.isUsable()) {
        service.unswept(this::loadNow);
        changed();
      } else {
        countFailure();
      }
    } catch (IOException e) {
      countFailure();
      service.runtime().complaints().warn(LOG, "Looking at the index files", table(), region, e);
    } finally {
      loading.set(false);
    }
  }

  private void loadNow() throws IOException {
    if (isCancelled()) {
      return;
    }
    Set<String> inherited = new HashSet<>();
    for (HStore store : region.getStores()) {
      names(store.getStorefiles(), inherited);
    }
    searches.inherit(inherited);
    List<IndexFile> files = directory.load(indexes.wanted());
    List<Path> leftovers = directory.differences(files).leftovers();
    if (loaded(files)) {
      directory.delete(leftovers);
    }
  }

  /** False if the region closes, and might by now be another server's. */
  private synchronized boolean loaded(List<IndexFile> files) throws IOException {
    if (isCancelled()) {
      return false;
    }
    for (IndexFile f : files) {
      indexes.add(f);
    }
    loaded = true;
    return true;
  }

  /**
   * Deletes what no committed pair accounts for, for example after a failed deletion, and has built
   * again what is lost. Not on a shared file system, where the region might by now be another
   * server's: there it is done when the region opens.
   */
  void sweep() throws IOException {
    if (loaded && !service.isShared()) {
      IndexDirectory.Differences found = directory.differences(indexes.all());
      if (!isCancelled()) {
        directory.delete(found.leftovers());
        discard(found.lost());
      }
    }
  }

  private void discard(List<IndexFile> lost) throws IOException {
    for (IndexFile f : lost) {
      indexes.discard(f);
    }
    if (!lost.isEmpty()) {
      IOException why = new IOException(lost.size() + " index files are not on the disk any more");
      service
          .runtime()
          .complaints()
          .warn(LOG, "Keeping index files", "they are built again", table(), region, why);
    }
  }

  @Override
  public TableName table() {
    return region.getTableDescriptor().getTableName();
  }

  private Collection<byte[]> indexedFamilies() {
    Set<byte[]> families = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    indexes.schema().indexes().forEach(d -> families.add(d.column().family()));
    return families;
  }

  private static void names(Collection<HStoreFile> files, Set<String> names) {
    files.forEach(f -> names.add(f.getPath().getName()));
  }

  /** One comparison of what is there with what should be. */
  private final class Comparison {
    private final Set<String> live = new HashSet<>();
    private final Set<String> wanted = new HashSet<>();
    private long bytes;
    private int deferred;

    void look(HStore store) {
      names(store.getStorefiles(), live);
      names(RegionJobs.compacted(store), live);
      Map<HStoreFile, List<IndexDefinition>> search = new LinkedHashMap<>();
      for (HStoreFile file : store.getStorefiles()) {
        String name = file.getPath().getName();
        List<IndexDefinition> missing = missing(store, name);
        if (missing.isEmpty()) {
          continue;
        }
        wanted.add(name);
        bytes += file.getFileInfo().getSize();
        if (pending.containsKey(name) || !backoff.mayTry(name)) {
          continue;
        }
        if (searches.isWorthwhile(name, missing)) {
          search.put(file, missing);
        } else if (!queue(store, file, missing)) {
          deferred++;
        }
      }
      if (!search.isEmpty() && !queueSearch(store, search)) {
        deferred += search.size();
      }
    }

    /** Whether nothing is to be done until something changes. */
    boolean finish() {
      merging.values().forEach(live::addAll);
      List<IndexFile> unwanted = indexes.takeUnwanted(live);
      if (!unwanted.isEmpty()) {
        archive(unwanted);
      }
      backoff.retainOnly(wanted);
      searches.retainOnly(live);
      boolean allTaken = streams.retainOnly(live, wanted);
      long undecodable = indexes.all().stream().mapToLong(f -> f.counts().undecodable()).sum();
      backlog = new Backlog(wanted.size(), bytes, deferred, undecodable);
      return allTaken && wanted.isEmpty() && unwanted.isEmpty() && merging.isEmpty();
    }
  }

  private List<IndexDefinition> missing(HStore store, String hfile) {
    return indexes.wanted(store.getColumnFamilyDescriptor().getName()).stream()
        .filter(d -> indexes.find(hfile, d).isEmpty())
        .collect(Collectors.toList());
  }

  private boolean queue(HStore store, HStoreFile file, List<IndexDefinition> missing) {
    String name = file.getPath().getName();
    Set<String> inputs = RegionJobs.mergeable(store, file);
    List<Job> made;
    if (!inputs.isEmpty()) {
      List<Job> after = inputs.stream().map(pending::get).filter(Objects::nonNull).toList();
      made = jobs.compact(store, file, missing, inputs, after);
      merging.put(name, inputs);
    } else {
      made = jobs.flush(store, file, missing);
    }
    return submit(List.of(name), made);
  }

  private boolean queueSearch(HStore store, Map<HStoreFile, List<IndexDefinition>> missing) {
    List<String> names = missing.keySet().stream().map(f -> f.getPath().getName()).toList();
    Runnable after =
        () -> {
          names.forEach(pending::remove);
          changed();
        };
    return submit(names, List.of(searches.job(store, missing, after)));
  }

  /** Queues jobs and notes the last of them for every HFile. */
  private boolean submit(List<String> names, List<Job> made) {
    names.forEach(n -> pending.put(n, made.get(made.size() - 1)));
    boolean queued = service.runtime().submit(made);
    if (!queued) {
      names.forEach(pending::remove);
      names.forEach(merging::remove);
    }
    return queued;
  }

  private void archive(List<IndexFile> unwanted) {
    Job job =
        new Job(
            JobKind.ARCHIVE,
            region.getRegionInfo().getEncodedName(),
            List.of(),
            () -> drop(unwanted));
    if (!service.runtime().submit(List.of(job))) {
      service.runtime().aside(() -> drop(unwanted));
    }
  }

  private static void drop(List<IndexFile> unwanted) {
    for (IndexFile f : unwanted) {
      try {
        f.drop();
      } catch (IOException e) {
        LOG.warn("Cannot delete the index files of {}, the sweep will", f, e);
      }
    }
  }

  @Override
  public synchronized void committed(List<IndexFile> files) {
    for (IndexFile f : files) {
      try {
        if (closed) {
          f.close();
        } else {
          indexes.add(f);
        }
      } catch (IOException e) {
        LOG.warn("Closing or deleting files that {} replaces failed", f, e);
      }
    }
  }

  @Override
  public void over(HStore store, HStoreFile file, Throwable failure) {
    String name = file.getPath().getName();
    if (failure == null) {
      backoff.succeeded(name);
      findPairs(store, file);
    } else if (isCancelled() || failure instanceof CancellationException) {
      LOG.debug("Index jobs for {} of {} end: the region closes", name, region);
    } else if (!store.getStorefiles().contains(file)) {
      LOG.debug("Index jobs for {} of {} end: the file is gone", name, region, failure);
    } else {
      backoff.failed(name, failure.toString());
      service.runtime().complaints().warn(LOG, "Building index files", table(), region, failure);
    }
    pending.remove(name);
    merging.remove(name);
    changed();
  }

  /** Queries find them where this is not queued, or fails. */
  private void findPairs(HStore store, HStoreFile file) {
    if (indexes.pairs().areAsked() && indexes.rows(file.getPath().getName()).isPresent()) {
      boolean queued = service.runtime().submit(List.of(jobs.pairs(store, file)));
      LOG.debug("Looking for pairs of {} of {}: {}", file, region, queued);
    }
  }

  private boolean isCancelled() {
    return closed || region.isClosing() || region.isClosed() || service.runtime().isStopping();
  }

  /** Whether jobs for an HFile are queued or run. */
  boolean isBuilding(String hfile) {
    return pending.containsKey(hfile);
  }

  /** What was not covered at the last comparison. */
  Backlog backlog() {
    return backlog;
  }

  /** How far the indexes are. */
  public RegionStatus status() {
    String error = service.unusable().orElseGet(this::lastError);
    return StatusReport.of(region, indexes, service.runtime().serverName(), pending.size(), error);
  }

  private String lastError() {
    int deferred = backlog.deferred();
    return deferred == 0
        ? backoff.lastError()
        : deferred + " HFiles wait to be queued: the server's backlog of index jobs is full";
  }

  /** Takes over definitions, which are acted on soon if they are others. */
  void schema(IndexSchema schema) {
    List<IndexDefinition> before = indexes.schema().indexes();
    indexes.schema(schema);
    if (!indexes.schema().indexes().equals(before)) {
      changed();
    }
  }

  /** The region closes: jobs end, files stay. */
  public synchronized void close() {
    closed = true;
    service.closed(this);
    streams.close();
    indexes.close();
  }

  @Override
  public String toString() {
    return "the indexes of " + region;
  }
}
