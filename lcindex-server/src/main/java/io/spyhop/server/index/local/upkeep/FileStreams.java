package io.spyhop.server.index.local.upkeep;

import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.Layout;
import io.spyhop.server.access.ForeignObservers;
import io.spyhop.server.index.OutputTap;
import io.spyhop.server.index.local.IndexDirectory;
import io.spyhop.server.index.local.RegionIndexes;
import io.spyhop.server.index.local.StreamedFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.regionserver.DefaultStoreEngine;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The columnar files of one region that are built while flushes and compactions write, until a job
 * takes them. They are a gift: where there are none, for whatever reason, the job reads the HFile.
 * Thread-safe.
 */
final class FileStreams {
  private static final Logger LOG = LoggerFactory.getLogger(FileStreams.class);

  /**
   * A compaction of all HFiles may write cells without their sequence ids if one of the files is
   * older than five days, or as HBase is told, but not less.
   */
  private static final long SEQUENCES_STAY = TimeUnit.DAYS.toMillis(4);

  /** Between a compaction's last cell and its end, milliseconds. */
  private static final long LONGEST_COMMIT = TimeUnit.HOURS.toMillis(1);

  /** Between that and its HFile in the store, milliseconds. */
  private static final long LONGEST_ABSENCE = TimeUnit.MINUTES.toMillis(1);

  private final ServerResources server;
  private final IndexDirectory directory;
  private final RegionIndexes indexes;

  /** By what stands for the flush or compaction. */
  private final Map<Object, Tap> running = new HashMap<>();

  /** By HFile. */
  private final Map<String, Tap> made = new HashMap<>();

  /** HFiles that the store did not have when it was looked at, and since when. */
  private final Map<String, Long> absent = new HashMap<>();

  private boolean closed;

  FileStreams(ServerResources server, IndexDirectory directory, RegionIndexes indexes) {
    this.server = server;
    this.directory = directory;
    this.indexes = indexes;
  }

  /** Builds files of what is written. */
  private final class Tap extends OutputTap {
    private final StreamedFiles files;
    private boolean whole = true;
    private volatile long endedAt = Long.MAX_VALUE;

    Tap(InternalScanner scanner, StreamedFiles files) {
      super(scanner);
      this.files = files;
    }

    @Override
    protected void look(Cell cell) throws IOException {
      files.add(cell);
    }

    @Override
    protected void failed(Throwable why) {
      LOG.warn("A new HFile must be read for its index files", why);
      whole = false;
    }

    @Override
    protected void ended() {
      endedAt = now();
      if (isForNobody(this)) {
        discard();
      }
    }

    boolean isComplete() {
      return whole && isExhausted();
    }

    /** Whether it has ended so long ago that its flush or compaction must have failed. */
    boolean hasFailed() {
      return now() - LONGEST_COMMIT > endedAt;
    }

    void discard() {
      server.metrics().streams.decrement();
      try {
        files.close();
      } catch (IOException e) {
        LOG.warn("Cannot delete the temporary files of an HFile, the sweep will", e);
      }
    }
  }

  private long now() {
    return server.runtime().clock().getAsLong();
  }

  /** A flush is about to read a store's snapshot; returns what is read instead. */
  InternalScanner flushing(HStore store, InternalScanner scanner) {
    return tap(store.getColumnFamilyName(), store, scanner, () -> Optional.of(true));
  }

  /** The flush has written a file. */
  void flushed(HStore store, StoreFile file) {
    made(store.getColumnFamilyName(), file);
  }

  /** A compaction is about to read; returns what is read instead. */
  InternalScanner compacting(HStore store, InternalScanner scanner, CompactionRequest request) {
    return tap(request, store, scanner, () -> sequences(request));
  }

  /**
   * A compaction has ended.
   *
   * @param file what it has written; null if there was nothing to write
   */
  void compacted(CompactionRequest request, StoreFile file) {
    made(request, file);
  }

  /** Whether a compaction writes sequence ids; empty if it may leave out some. */
  private static Optional<Boolean> sequences(CompactionRequest request) {
    boolean any = false;
    long oldest = Long.MAX_VALUE;
    for (StoreFile f : request.getFiles()) {
      any |= ((HStoreFile) f).getMaxMemStoreTS() > 0;
      oldest = Math.min(oldest, modified(request, (HStoreFile) f));
    }
    return oldest < EnvironmentEdgeManager.currentTime() - SEQUENCES_STAY
        ? Optional.empty()
        : Optional.of(any);
  }

  private static long modified(CompactionRequest request, HStoreFile file) {
    try {
      return request.isAllFiles() ? file.getModificationTimestamp() : Long.MAX_VALUE;
    } catch (IOException e) {
      LOG.debug("When {} was written is not known", file, e);
      return 0;
    }
  }

  private InternalScanner tap(
      Object key,
      HStore store,
      InternalScanner scanner,
      Supplier<Optional<Boolean>> withSequences) {
    takeFailed(key).forEach(Tap::discard);
    List<IndexDefinition> columnar =
        indexes.wanted(store.getColumnFamilyDescriptor().getName()).stream()
            .filter(d -> d.local().layout() == Layout.COLUMNAR)
            .toList();
    if (scanner == null || columnar.isEmpty() || !isWatchable(store) || !server.isUsable()) {
      return scanner;
    }
    try {
      Optional<StreamedFiles> begun =
          StreamedFiles.begin(
              directory,
              server.buildSettings(store),
              columnar,
              withSequences.get(),
              server.streams());
      return begun.isPresent() ? begin(key, new Tap(scanner, begun.get())) : scanner;
    } catch (IOException e) {
      LOG.warn("The next HFile of {} must be read for its index files", store, e);
      return scanner;
    }
  }

  /** Whether a flush or compaction writes what it shows, into one HFile. */
  private static boolean isWatchable(HStore store) {
    return store.getStoreEngine() instanceof DefaultStoreEngine
        && !store.getColumnFamilyDescriptor().isMobEnabled()
        && !ForeignObservers.watch(store.getHRegion());
  }

  private synchronized Tap begin(Object key, Tap tap) {
    running.put(key, tap);
    server.metrics().streams.increment();
    return tap;
  }

  /** Those of an attempt before, and of compactions that have failed. */
  private synchronized List<Tap> takeFailed(Object key) {
    List<Tap> failed = new ArrayList<>();
    running
        .entrySet()
        .removeIf(
            e -> {
              boolean over = e.getKey().equals(key) || e.getValue().hasFailed();
              return over && failed.add(e.getValue());
            });
    return failed;
  }

  /** Whether the region has closed, or the flush or compaction failed, and all is in vain. */
  private synchronized boolean isForNobody(Tap tap) {
    return (closed || !tap.isComplete()) && running.values().remove(tap);
  }

  private void made(Object key, StoreFile file) {
    Tap tap = end(key, file);
    if (tap != null) {
      tap.discard();
    }
  }

  /** Keeps what was built, or returns what is to be thrown away; null if that is nothing. */
  private synchronized Tap end(Object key, StoreFile file) {
    Tap tap = running.remove(key);
    if (tap == null || file == null || closed) {
      return tap;
    }
    made.put(file.getPath().getName(), tap);
    return null;
  }

  /** The files that were built while an HFile was written, to be ended and closed. */
  synchronized Optional<StreamedFiles> take(String hfile) {
    Optional<Tap> taken = Optional.ofNullable(made.remove(hfile));
    taken.ifPresent(tap -> server.metrics().streams.decrement());
    return taken.map(tap -> tap.files);
  }

  /**
   * Throws away files of HFiles that need none any more, or are gone: a store has each soon after
   * it was written.
   *
   * @param hfiles those that are there
   * @param wanting those of them that lack files
   * @return whether nothing is kept of others, which may be gone or are yet to come
   */
  boolean retainOnly(Set<String> hfiles, Set<String> wanting) {
    List<Tap> unwanted = takeUnwanted(hfiles, wanting);
    if (!unwanted.isEmpty()) {
      server.runtime().aside(() -> unwanted.forEach(Tap::discard));
    }
    return isSettled();
  }

  private synchronized List<Tap> takeUnwanted(Set<String> hfiles, Set<String> wanting) {
    absent.keySet().retainAll(made.keySet());
    absent.keySet().removeAll(hfiles);
    Set<String> unwanted = new HashSet<>(made.keySet());
    unwanted.removeIf(h -> hfiles.contains(h) ? wanting.contains(h) : !isGone(h));
    absent.keySet().removeAll(unwanted);
    return unwanted.stream().map(made::remove).toList();
  }

  private boolean isGone(String hfile) {
    return now() - absent.computeIfAbsent(hfile, h -> now()) > LONGEST_ABSENCE;
  }

  private synchronized boolean isSettled() {
    return absent.isEmpty();
  }

  /** The region closes: what is written from now on is not watched. */
  void close() {
    List<Tap> all;
    synchronized (this) {
      closed = true;
      all = new ArrayList<>(made.values());
      made.clear();
    }
    all.forEach(Tap::discard);
  }

  /** The region has closed, and nothing is written any more. */
  void discard() {
    List<Tap> all;
    synchronized (this) {
      all = new ArrayList<>(running.values());
      running.clear();
    }
    all.forEach(Tap::discard);
  }
}
