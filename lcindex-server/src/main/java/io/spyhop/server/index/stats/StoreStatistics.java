package io.spyhop.server.index.stats;

import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.stats.ColumnSummary;
import io.spyhop.core.stats.SourceSummary;
import io.spyhop.server.index.StoreFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The statistics of one store: of each of its HFiles, and of its memstore. Thread-safe.
 *
 * <p>What is said of the HFiles is always of those that the store has at the moment: an HFile of
 * which nothing is known makes the store unknown, however it got there.
 */
final class StoreStatistics {
  private static final Logger LOG = LoggerFactory.getLogger(StoreStatistics.class);

  private final String family;
  private final StatisticsDirectory directory;
  private final MemstoreStatistics memstore;
  private final StatisticsMemory memory;
  private final Map<String, Known> files = new ConcurrentHashMap<>();
  private volatile SummaryTap flush;

  /** By what stands for the compaction as long as it runs. */
  private final Map<Object, SummaryTap> compactions =
      Collections.synchronizedMap(new WeakHashMap<>());

  private volatile boolean swept;
  private volatile boolean closed;

  /** HFiles whose side file was looked for in vain. */
  private final Set<String> tried = new HashSet<>();

  /** Counts what was published. What is taken away is of HFiles that the store has no more. */
  private final AtomicLong published = new AtomicLong();

  private volatile Together together;
  private volatile Nothing nothing = Nothing.of(List.of());

  /** What there was when nothing was behind; guarded by this. */
  private volatile Compared upToDate;

  /** HFiles, as they were when so much was published. */
  private record Compared(
      long published, StoreFiles hfiles, List<StatisticsColumn> columns, List<HStoreFile> missing) {
    boolean isSame(Compared now) {
      return published == now.published && columns == now.columns && hfiles.areStill(now.hfiles);
    }

    Compared with(List<HStoreFile> found) {
      return new Compared(published, hfiles, columns, List.copyOf(found));
    }
  }

  /** No cells of some columns. */
  private record Nothing(List<StatisticsColumn> columns, SourceSummary summary) {
    static Nothing of(List<StatisticsColumn> columns) {
      SortedMap<ColumnName, ColumnSummary> empty = new TreeMap<>();
      columns.forEach(c -> empty.put(c.name(), ColumnSummary.builder(c.type(), c.bloom()).build()));
      return new Nothing(columns, new SourceSummary(false, false, empty));
    }
  }

  /** The HFiles together, as they were when so much was published. */
  private record Together(long published, List<HStoreFile> live, Optional<SourceSummary> summary) {}

  /**
   * Published statistics.
   *
   * @param answered the columns of which they tell, as far as there was room
   * @param seen once the store has had the HFile
   */
  private record Known(StatisticsMemory.Kept kept, List<StatisticsColumn> answered, boolean seen) {
    SourceSummary summary() {
      return kept.summary();
    }
  }

  StoreStatistics(
      String family,
      StatisticsDirectory directory,
      MemstoreStatistics memstore,
      StatisticsMemory memory) {
    this.memory = memory;
    this.family = family;
    this.directory = directory;
    this.memstore = memstore;
  }

  MemstoreStatistics memstore() {
    return memstore;
  }

  String family() {
    return family;
  }

  // Flushes and compactions

  /** A flush is about to read the snapshot. */
  InternalScanner flushing(InternalScanner scanner) {
    flush = tap(scanner);
    return flush == null ? scanner : flush;
  }

  private SummaryTap tap(InternalScanner scanner) {
    List<StatisticsColumn> columns = memstore.columns();
    return columns.isEmpty() || scanner == null ? null : new SummaryTap(scanner, columns);
  }

  /** The flush has made a file, which the store does not have yet. */
  void flushed(StoreFile file) {
    SummaryTap tap = flush;
    flush = null;
    written(tap, (HStoreFile) file);
  }

  /** A compaction is about to read. */
  InternalScanner compacting(Object request, InternalScanner scanner) {
    SummaryTap tap = tap(scanner);
    if (tap == null) {
      return scanner;
    }
    compactions.put(request, tap);
    return tap;
  }

  /** A compaction has made a file. */
  void compacted(Object request, StoreFile file) {
    SummaryTap tap = compactions.remove(request);
    if (file != null) {
      written(tap, (HStoreFile) file);
    }
  }

  /** Publishes what a tap saw, if it is all that was written. */
  private void written(SummaryTap tap, HStoreFile file) {
    if (tap == null || file.getReader() == null) {
      return;
    }
    long cells = cells(file);
    tap.summary(cells).ifPresent(s -> publish(file.getPath().getName(), cells, s));
  }

  /** The cells of an HFile, or of the whole one behind a reference, whose own count is a guess. */
  static long cells(HStoreFile file) {
    return file.getReader().getHFileReader().getEntries();
  }

  private void publish(String hfile, long cells, SourceSummary summary) {
    keep(hfile, summary, false);
    published.incrementAndGet();
    try {
      directory.write(family, new FileStatistics(hfile, cells, summary));
    } catch (IOException e) {
      LOG.warn("Cannot keep the statistics of {}: after a restart it is read", hfile, e);
    }
  }

  /** As whole as there is room for; the side file has it whole. */
  private void keep(String hfile, SourceSummary summary, boolean seen) {
    List<StatisticsColumn> answered = StatisticsColumn.answered(memstore.columns(), summary);
    Known known = new Known(memory.keep(summary), answered, seen);
    release(files.put(hfile, known));
    if (closed && files.remove(hfile, known)) {
      release(known);
    }
  }

  private void release(Known known) {
    if (known != null) {
      memory.give(known.kept.bytes());
    }
  }

  /** Lets go of all: the region has closed, or has no columns any more. May come twice. */
  void close() {
    closed = true;
    memstore.close();
    Set.copyOf(files.keySet()).forEach(hfile -> release(files.remove(hfile)));
  }

  // What is there and what is not

  /**
   * Whether {@link #reconcile} has anything to do. Not to be asked while that runs: it may wait for
   * the file system, and this would wait for it.
   */
  synchronized boolean isBehind(HStore store) {
    Compared last = upToDate;
    Compared now = now(store);
    if (last != null && last.isSame(now)) {
      return false;
    }
    List<HStoreFile> missing = find(store);
    boolean behind = differs(store, missing);
    upToDate = behind ? null : now.with(missing);
    return behind;
  }

  private Compared now(HStore store) {
    long before = published.get();
    return new Compared(before, StoreFiles.of(List.of(store)), memstore.columns(), List.of());
  }

  private boolean differs(HStore store, List<HStoreFile> missing) {
    Set<String> there = names(store);
    return !swept
        || !there.containsAll(tried)
        || missing.stream().anyMatch(f -> !tried.contains(f.getPath().getName()))
        || files.entrySet().stream().anyMatch(e -> there.contains(e.getKey()) != e.getValue().seen);
  }

  /** The HFiles that scans may still read. */
  private static Set<String> names(HStore store) {
    Set<String> names = new HashSet<>();
    store.getStorefiles().forEach(f -> names.add(f.getPath().getName()));
    Collection<HStoreFile> compacted = store.getCompactedFiles();
    if (compacted != null) {
      compacted.forEach(f -> names.add(f.getPath().getName()));
    }
    return names;
  }

  /** Takes side files for HFiles that have no statistics, and lets go of what is no more. */
  synchronized void reconcile(HStore store) throws IOException {
    for (HStoreFile f : missing(store)) {
      if (!tried.contains(f.getPath().getName())) {
        load(f);
      }
    }
    forget(store);
  }

  private void load(HStoreFile file) {
    Optional<FileStatistics> found = directory.find(family, file.getPath());
    boolean usable =
        found.isPresent()
            && file.getReader() != null
            && found.get().cells() == cells(file)
            && StatisticsColumn.answered(memstore.columns(), found.get().summary())
                .equals(memstore.columns());
    String name = file.getPath().getName();
    if (usable) {
      keep(name, found.get().summary(), true);
      published.incrementAndGet();
    } else {
      tried.add(name);
    }
  }

  private void forget(HStore store) throws IOException {
    Set<String> names = names(store);
    if (store.getHRegion().isClosing() || store.getHRegion().isClosed()) {
      return; // The lists may have been emptied.
    }
    tried.retainAll(names);
    for (Map.Entry<String, Known> e : Map.copyOf(files).entrySet()) {
      Known known = e.getValue();
      if (names.contains(e.getKey())) {
        files.replace(e.getKey(), known, new Known(known.kept, known.answered, true));
      } else if (known.seen && files.remove(e.getKey(), known)) {
        release(known);
        directory.delete(family, e.getKey());
      }
    }
    if (!swept) {
      names.addAll(files.keySet());
      directory.retainOnly(family, names);
      swept = true;
    }
  }

  /** The HFiles of which some column is not known. */
  List<HStoreFile> missing(HStore store) {
    Compared last = upToDate;
    return last != null && last.isSame(now(store)) ? last.missing : find(store);
  }

  private List<HStoreFile> find(HStore store) {
    List<HStoreFile> missing = new ArrayList<>();
    for (HStoreFile f : store.getStorefiles()) {
      Known known = files.get(f.getPath().getName());
      if (known == null || !isComplete(known)) {
        missing.add(f);
      }
    }
    return missing;
  }

  private boolean isComplete(Known known) {
    return known.answered.containsAll(memstore.columns());
  }

  /**
   * Takes the statistics of an HFile that was read as a whole.
   *
   * @param cells how many cells the HFile, or the one that it is a half of, has
   */
  void read(HStoreFile file, long cells, SourceSummary summary) {
    publish(file.getPath().getName(), cells, summary);
  }

  /** How much was published; ascending. */
  long published() {
    return published.get();
  }

  /** The HFiles together; empty if one of them is not known. */
  Optional<SourceSummary> summary(List<HStoreFile> live) {
    long now = published.get();
    Together t = together;
    if (t == null || t.published != now || !t.live.equals(live)) {
      t = new Together(now, live, union(live));
      together = t;
    }
    return t.summary;
  }

  private Optional<SourceSummary> union(List<HStoreFile> live) {
    SourceSummary all = nothing();
    for (HStoreFile f : live) {
      Known known = files.get(f.getPath().getName());
      if (known == null) {
        return Optional.empty();
      }
      all = all.union(known.summary());
    }
    return Optional.of(all);
  }

  /** The store as if it had no HFiles. */
  SourceSummary withoutFiles() {
    return nothing().union(memstore.summary());
  }

  /** What is known of one HFile. */
  Optional<SourceSummary> summary(String hfile) {
    return Optional.ofNullable(files.get(hfile)).map(Known::summary);
  }

  /** The columns may be others. */
  void columns(List<StatisticsColumn> columns) {
    memstore.columns(columns);
    published.incrementAndGet();
  }

  /** A summary of no cells; with bloom filters that is not little. */
  private SourceSummary nothing() {
    List<StatisticsColumn> columns = memstore.columns();
    Nothing known = nothing;
    if (known.columns != columns) {
      known = Nothing.of(columns);
      nothing = known;
    }
    return known.summary;
  }
}
