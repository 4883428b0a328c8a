package io.spyhop.server.job;

import io.spyhop.core.region.RegionStatus;
import io.spyhop.core.region.RegionStatus.IndexState;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.server.local.BuildSettings;
import io.spyhop.server.local.IndexBuilder;
import io.spyhop.server.local.IndexDirectory;
import io.spyhop.server.local.IndexFile;
import io.spyhop.server.local.RegionIndexes;
import io.spyhop.server.local.SFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
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
 * restart are all the same difference.
 */
public final class RegionMaintainer {
  private static final Logger LOG = LoggerFactory.getLogger(RegionMaintainer.class);

  private final IndexService service;
  private final HRegion region;
  private final IndexDirectory directory;
  private final RegionIndexes indexes;
  private final Map<String, List<IndexDefinition>> pending = new ConcurrentHashMap<>();
  private final Backoff backoff;
  private volatile boolean loaded;
  private volatile boolean closed;

  RegionMaintainer(
      IndexService service,
      HRegion region,
      IndexDirectory directory,
      IndexSchema schema,
      LongSupplier clock) {
    this.service = service;
    this.region = region;
    this.directory = directory;
    this.indexes = new RegionIndexes(schema);
    this.backoff = new Backoff(clock);
  }

  /** What the region has. */
  public RegionIndexes indexes() {
    return indexes;
  }

  /** The region. */
  public HRegion region() {
    return region;
  }

  /** Has the service compare soon, off the calling thread. */
  public void changed() {
    service.reconcileSoon(this);
  }

  /** Starts jobs for what is missing and drops what is not wanted. One thread at a time. */
  synchronized void reconcile() throws IOException {
    if (closed || region.isClosed() || region.isClosing()) {
      return;
    }
    service.checkUsable();
    if (!loaded) {
      load();
    }
    Set<String> live = new HashSet<>();
    Set<String> wanted = new HashSet<>();
    for (byte[] family : indexedFamilies()) {
      HStore store = region.getStore(family);
      if (store != null) {
        reconcile(store, live, wanted);
      }
    }
    indexes.retainOnly(live);
    backoff.retainOnly(wanted);
  }

  private void load() throws IOException {
    for (IndexFile f : directory.load()) {
      indexes.add(f);
    }
    directory.sweep();
    loaded = true;
  }

  /** Deletes what no committed pair accounts for, for example after a failed deletion. */
  synchronized void sweep() throws IOException {
    if (loaded && !closed) {
      directory.sweep();
    }
  }

  private Collection<byte[]> indexedFamilies() {
    Set<byte[]> families = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    indexes.schema().indexes().forEach(d -> families.add(d.column().family()));
    return families;
  }

  private void reconcile(HStore store, Set<String> live, Set<String> wanted) {
    names(store.getStorefiles(), live);
    Collection<HStoreFile> compacted = store.getCompactedFiles();
    if (compacted != null) {
      names(compacted, live);
    }
    for (HStoreFile file : store.getStorefiles()) {
      String name = file.getPath().getName();
      List<IndexDefinition> missing = missing(store, name);
      if (!missing.isEmpty()) {
        wanted.add(name);
        submit(store, file, missing);
      }
    }
  }

  private static void names(Collection<HStoreFile> files, Set<String> names) {
    files.forEach(f -> names.add(f.getPath().getName()));
  }

  private List<IndexDefinition> missing(HStore store, String hfile) {
    return indexes.schema().indexesOf(store.getColumnFamilyDescriptor().getName()).stream()
        .filter(d -> indexes.find(hfile, d).isEmpty())
        .collect(Collectors.toList());
  }

  private void submit(HStore store, HStoreFile file, List<IndexDefinition> missing) {
    String name = file.getPath().getName();
    if (!backoff.mayTry(name) || pending.putIfAbsent(name, missing) != null) {
      return;
    }
    if (!service.submit(() -> run(store, file, missing))) {
      pending.remove(name);
    }
  }

  private void run(HStore store, HStoreFile file, List<IndexDefinition> missing) {
    String name = file.getPath().getName();
    try {
      if (!isCancelled()) {
        build(store, file, missing);
        backoff.succeeded(name);
      }
    } catch (CancellationException e) {
      LOG.debug("Index job for {} of {} ends: the region closes", name, region);
    } catch (IOException | RuntimeException e) {
      if (!store.getStorefiles().contains(file)) {
        LOG.debug("Index job for {} of {} ends: the file is gone", name, region, e);
      } else if (!isCancelled()) {
        backoff.failed(name, e.toString());
        service.metrics().failedJobs.increment();
        LOG.warn("Building the indexes of {} in {} failed, will be retried", name, region, e);
      }
    } finally {
      pending.remove(name);
      changed();
    }
  }

  private void build(HStore store, HStoreFile file, List<IndexDefinition> missing)
      throws IOException {
    String name = file.getPath().getName();
    BuildSettings settings = service.buildSettings(store);
    try (StoreFileSource source = new StoreFileSource(file);
        IndexBuilder builder =
            new IndexBuilder(directory, settings, name, missing, this::isCancelled)) {
      for (IndexFile built : builder.build(source)) {
        keep(built);
      }
    }
    service.metrics().finishedJobs.increment();
  }

  private synchronized void keep(IndexFile built) throws IOException {
    if (closed) {
      built.close();
    } else {
      indexes.add(built);
    }
  }

  private boolean isCancelled() {
    return closed || region.isClosing() || region.isClosed() || service.isStopping();
  }

  /** How far the indexes are. */
  public RegionStatus status() {
    List<IndexState> states = new ArrayList<>();
    for (IndexDefinition d : indexes.schema().indexes()) {
      states.add(state(d));
    }
    List<String> unreadable = new ArrayList<>();
    indexes.schema().unreadable().forEach((n, why) -> unreadable.add(n + ": " + why));
    return new RegionStatus(
        region.getRegionInfo().getEncodedName(), service.serverName(), states, unreadable);
  }

  private IndexState state(IndexDefinition d) {
    HStore store = region.getStore(d.column().family());
    int files = 0;
    int covered = 0;
    long entries = 0;
    long undecodable = 0;
    long unkeyable = 0;
    long ifileBytes = 0;
    long sfileBytes = 0;
    for (HStoreFile f : store == null ? List.<HStoreFile>of() : store.getStorefiles()) {
      files++;
      IndexFile index = indexes.find(f.getPath().getName(), d).orElse(null);
      if (index != null) {
        SFile h = index.header();
        covered++;
        entries += h.statistics().entries();
        undecodable += h.statistics().undecodable();
        unkeyable += h.statistics().unkeyable();
        ifileBytes += h.ifileLength();
        sfileBytes += index.sfileLength();
      }
    }
    String error = service.unusable().orElseGet(backoff::lastError);
    return new IndexState(
        d.name(),
        d.incarnation(),
        files,
        covered,
        entries,
        undecodable,
        unkeyable,
        ifileBytes,
        sfileBytes,
        pending.size(),
        files == covered ? "" : error);
  }

  /** Reads the definitions again. */
  public void refresh() throws IOException {
    schema(service.readSchema(region.getTableDescriptor().getTableName()));
    changed();
  }

  void schema(IndexSchema schema) {
    indexes.schema(schema);
  }

  /** The region closes: jobs end, files stay. */
  public synchronized void close() {
    closed = true;
    service.closed(this);
    indexes.close();
  }
}
