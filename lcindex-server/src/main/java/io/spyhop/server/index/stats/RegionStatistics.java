package io.spyhop.server.index.stats;

import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.protocol.DigestAnswer;
import io.spyhop.core.protocol.RegionStatus;
import io.spyhop.core.protocol.SummaryAnswer;
import io.spyhop.core.protocol.SummaryRequest;
import io.spyhop.core.prune.Pruner;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.schema.StatisticsOptions;
import io.spyhop.core.stats.RegionSummary;
import io.spyhop.core.stats.SummaryChange;
import io.spyhop.server.index.memstore.LogMemory;
import io.spyhop.server.index.memstore.MemstoreIndex;
import java.io.IOException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The statistics of one region (paper, sections 4 and 5.2): what they say at the moment, as an
 * answer to a client that has some. Thread-safe.
 *
 * <p>What holds whenever an answer is made: of each column that it knows, every put cell that the
 * region's HFiles and memstores hold is in it, and every one whose write ended before the request
 * arrived. Writes are recorded before they are applied; a flush's file is published before what was
 * recorded is dropped (correctness rule 21).
 */
public final class RegionStatistics {
  /** More bytes than the whole has, of most tables. */
  private static final int LOG_BOUND = 16 << 10;

  /** So many changes are not longer than everything. */
  private static final int FEW_CHANGES = 4;

  private final HRegion region;
  private final StatisticsDirectory directory;
  private final BooleanSupplier watchedByOthers;
  private final LogMemory memory;
  private final ChangeLog log;
  private final ThreadLocal<Flush> flushes = new ThreadLocal<>();
  private volatile Map<byte[], StoreStatistics> stores = Map.of();
  private volatile List<IndexDefinition> definitions;
  private volatile Readings readings;

  /** Guarded by the log. */
  private final CurrentSummary current;

  /**
   * A flush of the region: one thread sees to all of it.
   *
   * @param numbers of the generations that it opened
   * @param written the stores for which it has made an HFile
   */
  private record Flush(Map<StoreStatistics, Long> numbers, List<StoreStatistics> written) {}

  /**
   * Statistics of a region that is about to open.
   *
   * @param watchedByOthers whether other coprocessors may change what a scan of the region finds
   * @param memory for logs of writes
   * @param kept for statistics
   */
  public RegionStatistics(
      HRegion region,
      IndexSchema schema,
      BooleanSupplier watchedByOthers,
      LogMemory memory,
      StatisticsMemory kept)
      throws IOException {
    this.region = region;
    this.log = new ChangeLog(LOG_BOUND, kept);
    this.current = new CurrentSummary(region, log);
    this.memory = memory;
    this.directory = StatisticsDirectory.of(region);
    this.watchedByOthers = watchedByOthers;
    this.definitions = schema.indexes();
    if (!definitions.isEmpty()) {
      stores = begin(schema);
    }
  }

  private Map<byte[], StoreStatistics> begin(IndexSchema schema) {
    Map<byte[], StoreStatistics> made = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    for (ColumnFamilyDescriptor family : region.getTableDescriptor().getColumnFamilies()) {
      byte[] name = family.getName();
      List<StatisticsColumn> columns = StatisticsColumn.of(schema, family);
      MemstoreStatistics memstore = new MemstoreStatistics(name, columns, memory, log);
      made.put(
          name, new StoreStatistics(family.getNameAsString(), directory, memstore, log.memory()));
    }
    return made;
  }

  /**
   * Takes over definitions.
   *
   * @return whether they are others than before
   */
  synchronized boolean schema(IndexSchema schema) {
    boolean others = !schema.indexes().equals(definitions);
    definitions = schema.indexes();
    if (stores.isEmpty() && !schema.indexes().isEmpty()) {
      Map<byte[], StoreStatistics> begun = begin(schema);
      begun.values().forEach(s -> s.memstore().lost(0));
      stores = begun;
    } else if (schema.indexes().isEmpty()) {
      close();
      stores = Map.of();
    } else {
      for (ColumnFamilyDescriptor family : region.getTableDescriptor().getColumnFamilies()) {
        StoreStatistics s = stores.get(family.getName());
        if (s != null) {
          s.columns(StatisticsColumn.of(schema, family));
        }
      }
    }
    return others;
  }

  /** Lets go of what takes memory: the region has closed, or has no definitions any more. */
  void close() {
    stores.values().forEach(StoreStatistics::close);
  }

  /** Whether there is a column to have statistics of. */
  public boolean isOn() {
    return !stores.isEmpty();
  }

  // Writes

  /** A write is about to add cells of a family to one row. */
  public void write(byte[] family, List<Cell> cells, boolean ttl) {
    StoreStatistics s = stores.get(family);
    if (s != null && !cells.isEmpty()) {
      s.memstore().write(cells, ttl);
    }
  }

  /** A write could not be recorded. */
  public void lost() {
    stores.values().forEach(s -> lost(s, 0));
  }

  /** Has the memstore read soon. */
  private void lost(StoreStatistics s, long cells) {
    s.memstore().lost(cells);
    Readings r = readings;
    if (r != null) {
      r.changed();
    }
  }

  /** A flush of the region begins, in this thread. */
  public void flushing() {
    Map<StoreStatistics, Long> numbers = new IdentityHashMap<>();
    stores.values().forEach(s -> numbers.put(s, s.memstore().flushing()));
    flushes.set(new Flush(numbers, new ArrayList<>()));
  }

  /** A flush has taken its snapshot, of which this thread is about to write a store's. */
  public InternalScanner snapshotTaken(HStore store, InternalScanner scanner) {
    Flush flush = flushes.get();
    if (flush != null) {
      flush.numbers.forEach((s, number) -> s.memstore().snapshotTaken(number));
    }
    return watched(store).map(s -> s.flushing(scanner)).orElse(scanner);
  }

  /** The store whose writing may be watched: what others do to it is seen only by who reads it. */
  private Optional<StoreStatistics> watched(HStore store) {
    return watchedByOthers.getAsBoolean() ? Optional.empty() : store(store);
  }

  /** A flush has made a file, which the store does not have yet. */
  public void written(HStore store, StoreFile file) {
    Optional<StoreStatistics> s = store(store);
    s.ifPresent(known -> known.flushed(file));
    Flush flush = flushes.get();
    if (flush != null) {
      s.ifPresent(flush.written::add);
    }
  }

  /** The region's flush has ended: the stores for which it made an HFile have it. */
  public void flushed() {
    Flush flush = flushes.get();
    flushes.remove();
    if (flush == null) {
      return;
    }
    for (StoreStatistics s : flush.written) {
      Long number = flush.numbers.get(s);
      if (number != null) {
        s.memstore().flushed(number);
      }
    }
  }

  /** What a compaction of a store reads, watched. */
  public InternalScanner compacting(HStore store, Object request, InternalScanner scanner) {
    return watched(store).map(s -> s.compacting(request, scanner)).orElse(scanner);
  }

  /** A compaction has made a file, which the store does not have yet. */
  public void compacted(HStore store, Object request, StoreFile file) {
    store(store).ifPresent(s -> s.compacted(request, file));
  }

  /** The statistics of a store; empty if there are none. */
  Optional<StoreStatistics> store(HStore store) {
    return Optional.ofNullable(stores.get(store.getColumnFamilyDescriptor().getName()));
  }

  // Answers

  /** What is new since what the client has, or everything, whichever is shorter. */
  public SummaryAnswer answer(SummaryRequest request) {
    synchronized (log) {
      CurrentSummary now = renewed();
      Optional<List<SummaryChange>> changes =
          request.epoch() == log.epoch() ? log.since(request.version()) : Optional.empty();
      if (changes.isEmpty()) {
        return SummaryAnswer.whole(now.whole());
      }
      SummaryAnswer answer =
          SummaryAnswer.changes(request.epoch(), request.version(), changes.get());
      return changes.get().size() <= FEW_CHANGES
          ? answer
          : answer.orIfShorter(SummaryAnswer.whole(now.whole()));
    }
  }

  /** As of now. The log's lock is held. */
  private CurrentSummary renewed() {
    Map<byte[], StoreStatistics> all = stores;
    current.renew(all, unknown(all));
    return current;
  }

  /** Why memstores are not known; empty if they are. */
  private String unknown(Map<byte[], StoreStatistics> all) {
    if (all.isEmpty()) {
      return "there are no columns with statistics";
    }
    if (watchedByOthers.getAsBoolean()) {
      return "other coprocessors watch the region";
    }
    for (Map.Entry<byte[], StoreStatistics> e : all.entrySet()) {
      StoreStatistics s = e.getValue();
      noticeLoss(s, region.getStore(e.getKey()));
      if (!s.memstore().isKnown()) {
        return "the memstore of family '" + s.family() + "' is not read yet";
      }
    }
    return "";
  }

  /** The region's encoded name. */
  String name() {
    return region.getRegionInfo().getEncodedName();
  }

  /** What tells whether a client's summary is what {@link #answer} would say. */
  long digest() {
    synchronized (log) {
      renewed();
      return DigestAnswer.state(log.epoch(), log.version());
    }
  }

  /** Whether the region serves no one any more. */
  boolean isGone() {
    return region.isClosed();
  }

  /** Everything, for those on the server. */
  public RegionSummary summary() {
    return answer(SummaryRequest.first()).whole().orElseThrow();
  }

  /**
   * The rows that a query of the region must read. To be asked when the query's scanner is open,
   * whose cells are then all known.
   *
   * @param rows what it would read
   * @return empty if it must read them all
   */
  public Optional<List<RowSpan>> spans(BoundPredicate predicate, RowSpan rows) {
    return spans((all, told) -> Pruner.mightMatch(predicate, all, told), rows);
  }

  /** The condition is looked at without the lock: writes and flushes do not wait for it. */
  Optional<List<RowSpan>> spans(Segments.Condition condition, RowSpan rows) {
    Optional<Segments> segments;
    synchronized (log) {
      segments = renewed().segments();
    }
    return segments.flatMap(s -> s.matching(condition, rows));
  }

  /**
   * The rows of a store's memstore by value. Asked when a read point is taken and before the
   * store's scanners are: every write that is seen there has ended, and is in it; a flush meanwhile
   * leaves more in it than the memstore has.
   *
   * @return empty if not all that the memstore holds is known to be logged
   */
  public Optional<MemstoreIndex> memstoreIndex(HStore store) {
    Optional<StoreStatistics> s = store(store);
    if (s.isEmpty() || watchedByOthers.getAsBoolean()) {
      return Optional.empty();
    }
    synchronized (log) {
      noticeLoss(s.get(), store);
      return s.get().memstore().index();
    }
  }

  /** Cells that passed by the hooks, as those that are restored after a crash. */
  private void noticeLoss(StoreStatistics s, HStore store) {
    long cells = store == null ? 0 : store.getMemStoreSize().getCellsCount();
    if (cells > s.memstore().cells()) {
      lost(s, cells);
    }
  }

  // What is missing

  /** Whether {@link #reconcile} has anything to do; not to be asked while that runs. */
  boolean isBehind() {
    for (StoreStatistics s : stores.values()) {
      HStore store = region.getStore(Bytes.toBytes(s.family()));
      if (store != null && s.isBehind(store)) {
        return true;
      }
    }
    return false;
  }

  /** Takes over what is kept beside HFiles, and lets go of what is no more. */
  public void reconcile() throws IOException {
    for (StoreStatistics s : stores.values()) {
      HStore store = region.getStore(Bytes.toBytes(s.family()));
      if (store != null) {
        s.reconcile(store);
      }
    }
  }

  /** HFiles that must be read for their statistics. */
  public List<HStoreFile> missingFiles(HStore store) {
    return store(store).map(s -> s.missing(store)).orElse(List.of());
  }

  /** Whether the store's memstore must be read. */
  public boolean isMemstoreMissing(HStore store) {
    Optional<StoreStatistics> s = store(store);
    return s.isPresent() && s.get().memstore().isMissing();
  }

  /** A reader of one source of the store, which at the end publishes what it saw. */
  public StatisticsReader reader(HStore store) {
    return new StatisticsReader(region, store, store(store));
  }

  /** Reads the sources whose statistics are missing. */
  interface Readings {
    /** Looks soon what is missing; returns at once. */
    void changed();

    /** How many are queued or read. */
    int pending();

    /** Why the last one failed; empty if it did not. */
    String lastError();
  }

  /** Who reads what is missing, while the region is open. */
  void readBy(Readings of) {
    readings = of;
  }

  /**
   * How far the statistics of columns are that have these alone; none before the region is open.
   */
  public List<RegionStatus.IndexState> states() {
    Readings r = readings;
    if (r == null) {
      return List.of();
    }
    return definitions.stream()
        .filter(d -> d.options() instanceof StatisticsOptions)
        .map(d -> state(d, r.pending(), r.lastError()))
        .toList();
  }

  /** A memstore that is not known counts as a file. */
  private RegionStatus.IndexState state(IndexDefinition definition, int pending, String lastError) {
    HStore store = region.getStore(definition.column().family());
    int files = store == null ? 0 : store.getStorefilesCount();
    int missing = store == null ? 0 : missingFiles(store).size();
    int memstore = store != null && isMemstoreMissing(store) ? 1 : 0;
    return RegionStatus.IndexState.ofStatistics(
        definition, files + memstore, Math.max(0, files - missing), pending, lastError);
  }
}
