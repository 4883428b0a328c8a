package io.spyhop.server.index.global.repair;

import io.spyhop.core.protocol.EntryList;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.Repair;
import io.spyhop.server.index.global.repair.PendingList.Source;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.apache.hadoop.hbase.util.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The repair of one region: watches its flushes and compactions, and takes entries that seem to
 * point at nothing. Thread-safe.
 */
public final class RegionRepair implements RepairedRegion {
  private static final Logger LOG = LoggerFactory.getLogger(RegionRepair.class);

  private final RepairQueue queue;
  private final HRegion region;
  private final RepairedIndexes indexes;
  private final RepairLists lists;
  private final EntryRepairs entries;
  private final ReplacedFiles replaced;
  private final EntryDeletionGate removals = new EntryDeletionGate();
  private final LoggedCells logged = removals.logged();
  private final FlushLists afterFlush;
  private volatile boolean closed;

  private RegionRepair(
      RepairQueue queue,
      HRegion region,
      RepairedIndexes indexes,
      Supplier<Predicate<String>> gone) {
    this.queue = queue;
    this.region = region;
    this.indexes = indexes;
    this.lists = new RepairLists(this, queue, region, gone, this::remove);
    this.afterFlush = new FlushLists(lists, logged);
    this.entries = new EntryRepairs(this, queue, region, lists, afterFlush, removals);
    this.replaced = new ReplacedFiles(region);
  }

  /**
   * Begins to watch what a region, which begins to open, writes to disk, also while it replays its
   * log. {@link #opened()} must follow.
   *
   * @param indexes its global indexes
   * @param gone looks which regions, by encoded names, will not open again, so that this one takes
   *     over their lists
   */
  public static RegionRepair open(
      RepairQueue queue,
      HRegion region,
      RepairedIndexes indexes,
      Supplier<Predicate<String>> gone) {
    RegionRepair repair = new RegionRepair(queue, region, indexes, gone);
    queue.opened(repair);
    return repair;
  }

  private void remove(EntryList listed) throws IOException {
    entries.removeListed(listed);
  }

  /** The region is open: lists that were left behind are taken up. */
  public void opened() {
    lists.opened();
  }

  @Override
  public void promote() {
    lists.promote();
  }

  /**
   * Whether the region, which has closed, has left files behind that compactions had replaced:
   * regions that come of it have cells again that are said to be gone.
   */
  public boolean leavesReplacedFiles() {
    return replaced.areLeft();
  }

  // Flushes and compactions

  /** This thread is about to flush the region; it has taken no snapshot. */
  public void flushing() {
    long before = logged.generation();
    logged.flushing();
    afterFlush.finish(before);
  }

  /** A flush is about to read its cells. */
  public void flushing(HStore store, InternalScanner scanner) throws IOException {
    List<IndexDefinition> indexes = watched(store);
    if (indexes.isEmpty() || !isWatched(scanner)) {
      return;
    }
    String family = store.getColumnFamilyName();
    Source source = new Source(family, Set.of(), () -> store.getSnapshotSize().getDataSize() == 0);
    CellTap.splice(scanner, store.getComparator(), false, stream(store, indexes, source, false));
  }

  private boolean isWatched(InternalScanner scanner) {
    if (scanner == null) {
      return false;
    }
    boolean fits = CellTap.fits(scanner);
    if (!fits) {
      queue.metrics().lost.increment();
      LOG.warn(
          "A flush of {} cannot be watched, another coprocessor has wrapped it as {}",
          this,
          scanner.getClass());
    }
    return fits;
  }

  /** This thread's flush has made a file of a store. */
  public void written(HStore store) {
    logged.written(store.getColumnFamilyName());
  }

  /** This thread's flush has committed. */
  public void flushed() {
    logged.flushed();
    promote();
  }

  /**
   * A compaction within the memstore is about to read its cells. What it drops the log has still,
   * and a server that is lost brings it back: it is repaired when a flush has come after it.
   */
  public void compactingMemory(HStore store, InternalScanner scanner) throws IOException {
    List<IndexDefinition> all = indexes(store, Repair.values());
    if (all.isEmpty() || scanner == null) {
      return;
    }
    boolean watched = false;
    try {
      if (isWatched(scanner)) {
        tapMemory(store, scanner, all);
        watched = true;
      }
    } finally {
      if (!watched) {
        logged.lost(store.getColumnFamilyName());
      }
    }
  }

  private void tapMemory(HStore store, InternalScanner scanner, List<IndexDefinition> all)
      throws IOException {
    String family = store.getColumnFamilyName();
    VersionRules rules = VersionRules.of(store.getScanInfo());
    ObsoleteVersions dropped =
        new ObsoleteVersions(all, rules, queue.now(), (i, e) -> logged.dropped(family, e));
    List<IndexDefinition> indexes = watched(store);
    RepairStream stream =
        stream(store, indexes, afterFlush.flushAfter(family, logged.generation()), false);
    CellTap.splice(
        scanner,
        store.getComparator(),
        false,
        new MemoryStream(dropped, stream, () -> logged.lost(family)));
  }

  private List<IndexDefinition> watched(HStore store) {
    return indexes(store, Repair.STREAMING, Repair.STAGED);
  }

  /**
   * A compaction is about to read its cells.
   *
   * @throws IOException fails the compaction, which is tried again
   */
  public void compacting(HStore store, InternalScanner scanner, CompactionRequest request)
      throws IOException {
    replaced.compacting(request.getFiles());
    Source source = source(store, request);
    lists.discardFailed(source);
    if (scanner == null) {
      return;
    }
    boolean fits = CellTap.fits(scanner);
    List<IndexDefinition> streaming = indexes(store, Repair.STREAMING);
    if (fits && !streaming.isEmpty()) {
      RepairStream stream = stream(store, streaming, source, true);
      CellTap.splice(scanner, store.getComparator(), true, stream);
    }
    List<IndexDefinition> later =
        fits ? indexes(store, Repair.STAGED) : indexes(store, Repair.STREAMING, Repair.STAGED);
    if (!later.isEmpty()) {
      byte[] family = store.getColumnFamilyDescriptor().getName();
      lists.staged(StagedNote.of(region.getRegionInfo(), family, source.inputs(), later), source);
    }
  }

  private RepairStream stream(
      HStore store, List<IndexDefinition> indexes, Source source, boolean mayFail) {
    RepairListWriter list = lists.newList();
    VersionRules rules = VersionRules.of(store.getScanInfo());
    ObsoleteVersions versions = new ObsoleteVersions(indexes, rules, queue.now(), list);
    return new RepairStream(lists, this, versions, list, source, mayFail);
  }

  private static Source source(HStore store, CompactionRequest request) {
    Set<String> inputs = names(request.getFiles());
    return new Source(
        store.getColumnFamilyName(),
        inputs,
        () -> names(store.getStorefiles()).stream().noneMatch(inputs::contains));
  }

  private static Set<String> names(Collection<? extends StoreFile> files) {
    return files.stream().map(f -> f.getPath().getName()).collect(Collectors.toSet());
  }

  private List<IndexDefinition> indexes(HStore store, Repair... repairs) {
    byte[] family = store.getColumnFamilyDescriptor().getName();
    return indexes.possible().stream()
        .filter(i -> Bytes.equals(i.column().family(), family))
        .filter(i -> Arrays.asList(repairs).contains(i.global().repair()))
        .toList();
  }

  // Entries

  /**
   * Takes entries that this region's writes make obsolete; who drops their cells finds them, too.
   */
  public void hint(EntryList list) {
    entries.hint(list);
  }

  /**
   * Takes entries of cells that a batch writes to one place: all but one of them are not stored.
   */
  public void contested(EntryList list) {
    entries.contested(list);
  }

  /**
   * Takes entries of cells that are not written: without room for them they are left to reads, as
   * there may be as many as clients try again.
   */
  public void refused(EntryList list) {
    entries.refused(list);
  }

  /**
   * Takes entries that a user says point at nothing.
   *
   * @param by the user's name
   * @throws DoNotRetryIOException if they are too many for one call, or no cell can have one
   */
  public void report(EntryList list, String by) throws DoNotRetryIOException {
    entries.report(list, by);
  }

  /**
   * Takes over entries from another region.
   *
   * @throws IOException if not all were looked at or could be made durable, or a row is none of
   *     this region's
   */
  public void accept(EntryList list) throws IOException {
    entries.accept(list);
  }

  /**
   * Takes entries that this region has found to point at nothing.
   *
   * @throws IOException if they could not be made durable
   */
  void owe(EntryList list) throws IOException {
    entries.owe(list);
  }

  @Override
  public List<IndexDefinition> indexes() throws RepairHeldException {
    try {
      return indexes.kept();
    } catch (IOException e) {
      throw new RepairHeldException("it cannot be told which indexes " + this + " keeps", e);
    }
  }

  /**
   * Up to when everything that flushes and compactions found has been repaired, by the server's
   * clock (the paper's tsLast); 0 while it is not known what an earlier server left behind.
   */
  @Override
  public long repairedUpTo() {
    return lists.repairedUpTo();
  }

  /** How often entries of the region's rows were deleted. */
  public EntryDeletionGate removals() {
    return removals;
  }

  /** The present one of the times that flushes divide, for {@link #isFlushed}. */
  public long generation() {
    return logged.generation();
  }

  /** Whether a flush of a family that began after that time has ended. */
  public boolean isFlushed(byte[] family, long generation) {
    return logged.isOver(Bytes.toString(family), generation);
  }

  @Override
  public int pending() {
    return lists.pending();
  }

  /** How many repairs are not done, of lists and of what reads and writes reported. */
  public int waiting() {
    return pending() + queue.waiting(this) + givenUp();
  }

  @Override
  public int givenUp() {
    return lists.givenUp();
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  /** Lets go of everything; lists wait on disk. */
  @Override
  public void close() {
    closed = true;
    queue.closed(this).forEach(RepairItem::left);
    afterFlush.finish(logged.generation());
  }

  @Override
  public String toString() {
    return region.getRegionInfo().getRegionNameAsString();
  }
}
