package io.spyhop.server.index.local.upkeep;

import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.Layout;
import io.spyhop.server.access.ForeignObservers;
import io.spyhop.server.index.OutputTap;
import io.spyhop.server.index.local.IndexDirectory;
import io.spyhop.server.index.local.RegionIndexes;
import io.spyhop.server.index.local.StreamedFiles;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.Cell;
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

  private final IndexService service;
  private final IndexDirectory directory;
  private final RegionIndexes indexes;

  /** By what stands for the flush or compaction. */
  private final Map<Object, Tap> running = new HashMap<>();

  /** By HFile. */
  private final Map<String, Tap> made = new HashMap<>();

  /** HFiles that the store did not have when it was looked at. */
  private final Set<String> absent = new HashSet<>();

  private boolean closed;

  FileStreams(IndexService service, IndexDirectory directory, RegionIndexes indexes) {
    this.service = service;
    this.directory = directory;
    this.indexes = indexes;
  }

  /** Builds files of what is written. */
  private static final class Tap extends OutputTap {
    private final StreamedFiles files;
    private boolean whole = true;

    Tap(InternalScanner scanner, StreamedFiles files) {
      super(scanner);
      this.files = files;
    }

    @Override
    protected void look(Cell cell) throws IOException {
      files.add(cell);
    }

    @Override
    protected void failed(Exception why) {
      LOG.warn("A new HFile must be read for its index files", why);
      whole = false;
    }

    void discard() {
      try {
        files.close();
      } catch (IOException e) {
        LOG.warn("Cannot delete the temporary files of an HFile, the sweep will", e);
      }
    }
  }

  /** A flush is about to read a store's snapshot; returns what is read instead. */
  InternalScanner flushing(HStore store, InternalScanner scanner) {
    return tap(store.getColumnFamilyName(), store, scanner, Optional.of(true));
  }

  /** The flush has written a file. */
  void flushed(HStore store, StoreFile file) {
    made(store.getColumnFamilyName(), file);
  }

  /** A compaction is about to read; returns what is read instead. */
  InternalScanner compacting(HStore store, InternalScanner scanner, CompactionRequest request) {
    return tap(request, store, scanner, sequences(request));
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
      Object key, HStore store, InternalScanner scanner, Optional<Boolean> withSequences) {
    List<IndexDefinition> columnar =
        indexes.wanted(store.getColumnFamilyDescriptor().getName()).stream()
            .filter(d -> d.local().layout() == Layout.COLUMNAR)
            .toList();
    if (scanner == null
        || columnar.isEmpty()
        || store.getColumnFamilyDescriptor().isMobEnabled()
        || ForeignObservers.watch(store.getHRegion())
        || !service.isUsable()) {
      return scanner;
    }
    try {
      Optional<StreamedFiles> begun =
          StreamedFiles.begin(
              directory, service.buildSettings(store), columnar, withSequences, service.streams());
      return begun
          .<InternalScanner>map(files -> begin(key, new Tap(scanner, files)))
          .orElse(scanner);
    } catch (IOException e) {
      LOG.warn("The next HFile of {} must be read for its index files", store, e);
      return scanner;
    }
  }

  private synchronized Tap begin(Object key, Tap tap) {
    discardFailed();
    Tap failed = running.put(key, tap);
    if (failed != null) {
      failed.discard();
    }
    return tap;
  }

  /** Those whose flush or compaction has failed; what has just ended may be among them. */
  private void discardFailed() {
    running.values().stream().filter(OutputTap::isClosed).forEach(Tap::discard);
    running.values().removeIf(OutputTap::isClosed);
  }

  private synchronized void made(Object key, StoreFile file) {
    Tap tap = running.remove(key);
    if (tap == null) {
      return;
    }
    if (file == null || !tap.whole || closed) {
      tap.discard();
    } else {
      made.put(file.getPath().getName(), tap);
    }
  }

  /** The files that were built while an HFile was written, to be ended and closed. */
  synchronized Optional<StreamedFiles> take(String hfile) {
    return Optional.ofNullable(made.remove(hfile)).map(tap -> tap.files);
  }

  /**
   * Throws away files of HFiles that are gone: a store has each soon after it was written.
   *
   * @param hfiles those that are there
   */
  synchronized void retainOnly(Set<String> hfiles) {
    absent.retainAll(made.keySet());
    absent.removeAll(hfiles);
    absent.forEach(hfile -> made.remove(hfile).discard());
    absent.clear();
    made.keySet().stream().filter(hfile -> !hfiles.contains(hfile)).forEach(absent::add);
  }

  /** Throws all away. */
  synchronized void close() {
    closed = true;
    made.values().forEach(Tap::discard);
    made.clear();
    discardFailed();
  }
}
