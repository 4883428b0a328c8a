package io.spyhop.server.index.global.repair;

import io.spyhop.core.io.IoConsumer;
import io.spyhop.core.protocol.EntryList;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.server.index.global.repair.PendingList.Source;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.RecoverLeaseFSUtils;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The repair lists of one region, from the first entry to the acknowledged delete: written, pending
 * until their flush or compaction commits, queued until the grace period is over, and taken up from
 * disk where they were left behind. Thread-safe.
 */
final class RepairLists implements ListSink {
  private static final Logger LOG = LoggerFactory.getLogger(RepairLists.class);

  private final RepairedRegion owner;
  private final RepairQueue queue;
  private final HRegion region;
  private final Supplier<Predicate<String>> gone;
  private final IoConsumer<EntryList> removal;
  private final RepairDirectory directory;
  private final RepairProgress progress = new RepairProgress();
  private final IndexRescans looks = new IndexRescans();
  private final List<PendingList> pending = new ArrayList<>();
  private final Set<Path> known = ConcurrentHashMap.newKeySet();
  private volatile boolean opened;
  private volatile boolean looked;
  private volatile boolean unlisted;
  private final AtomicInteger givenUp = new AtomicInteger();

  /**
   * @param gone looks which regions are no more, by encoded names
   */
  RepairLists(
      RepairedRegion owner,
      RepairQueue queue,
      HRegion region,
      Supplier<Predicate<String>> gone,
      IoConsumer<EntryList> removal) {
    this.owner = owner;
    this.queue = queue;
    this.region = region;
    this.gone = gone;
    this.removal = removal;
    this.directory = RepairDirectory.of(region);
  }

  /** The region is open: lists that were left behind are taken up. */
  void opened() {
    opened = true;
    adoptSoon();
    promote();
  }

  @Override
  public RepairListWriter newList() {
    RepairListWriter list =
        new RepairListWriter(
            directory, region.getRegionInfo().getEncodedName(), queue.settings().buffer());
    known.add(list.path());
    return list;
  }

  @Override
  public void abandon(RepairListWriter list) {
    list.abandon();
    known.remove(list.path());
  }

  /**
   * Abandons a list that cannot be finished.
   *
   * @param of names the entries that would be in it
   */
  void lost(RepairListWriter list, String of, Throwable cause) {
    abandon(list);
    queue.metrics().lost.increment();
    LOG.error("{}: not known; obsolete entries stay until reads find them", of, cause);
  }

  /** A compaction begins whose inputs are to be read again when it has committed. */
  void staged(StagedNote note, Source source) throws IOException {
    Path path = directory.newNote(region.getRegionInfo().getEncodedName());
    known.add(path);
    boolean stored = false;
    try {
      note.store(directory, path);
      stored = true;
    } finally {
      if (!stored) {
        known.remove(path);
      }
    }
    add(path, queue.now(), queue.now(), source);
  }

  /** A stream has ended. */
  void found(RepairListWriter list, Source source) throws IOException {
    found(list, source, queue.now(), queue.now());
  }

  /**
   * A list of what a compaction has dropped that has committed.
   *
   * @param foundAt since when it is owed
   */
  void found(RepairListWriter list, long foundAt) throws IOException {
    found(list, new Source("", Set.of(), () -> true), foundAt, foundAt);
  }

  @Override
  public void looked(RepairListWriter list, long foundAt) throws IOException {
    found(list, new Source("", Set.of(), () -> true), foundAt, queue.now());
  }

  /**
   * A list is finished.
   *
   * @param foundAt since when it is owed
   * @param since since when its entries are known
   */
  private void found(RepairListWriter list, Source source, long foundAt, long since)
      throws IOException {
    Optional<Path> path = list.finish();
    queue.metrics().found.increment(list.total());
    if (path.isEmpty()) {
      known.remove(list.path());
      return;
    }
    add(path.get(), foundAt, since, source);
  }

  private void add(Path path, long foundAt, long since, Source source) {
    progress.found(foundAt);
    synchronized (pending) {
      pending.add(new PendingList(path, foundAt, since, source));
    }
  }

  /** Lists of compactions that read what is compacted now: those have failed. */
  void discardFailed(Source source) {
    List<PendingList> failed;
    synchronized (pending) {
      failed = pending.stream().filter(p -> p.source().overlaps(source)).toList();
      pending.removeAll(failed);
    }
    for (PendingList p : failed) {
      progress.done(p.foundAt());
      try {
        directory.fs().delete(p.path(), false);
        known.remove(p.path());
      } catch (IOException e) {
        LOG.warn("Cannot delete {}; it does no harm, and goes when {} opens", p.path(), owner, e);
      }
    }
  }

  /** Queues lists whose flush or compaction has committed. */
  void promote() {
    if (!opened) {
      return;
    }
    List<Owed> committed = new ArrayList<>();
    synchronized (pending) {
      for (Iterator<PendingList> i = pending.iterator(); i.hasNext() && !owner.isClosed(); ) {
        PendingList p = i.next();
        if (p.isCommitted()) {
          i.remove();
          committed.add(new Owed(p.path(), p.foundAt(), p.since()));
        }
      }
    }
    if (!committed.isEmpty()) {
      enqueue(committed, false);
    }
    if (unlisted && queue.hasRoom()) {
      adoptSoon();
    }
  }

  /** A list or note on disk, since when its repair is owed, and its grace period counts. */
  private record Owed(Path path, long foundAt, long since) {}

  /** All have their tickets before the first can begin. */
  private void enqueue(List<Owed> some, boolean adopted) {
    Map<Owed, RepairItem> items = new LinkedHashMap<>();
    some.stream()
        .sorted(Comparator.comparingLong(Owed::foundAt))
        .forEach(o -> items.put(o, item(o, adopted)));
    items.forEach(
        (owed, item) -> {
          if (!queue.add(item)) {
            unlisted = true;
            item.dropped();
            progress.done(owed.foundAt);
            known.remove(owed.path);
          }
        });
  }

  /** Lists wait for the grace period; notes make lists. */
  private RepairItem item(Owed owed, boolean adopted) {
    return RepairDirectory.isNote(owed.path)
        ? new NoteItem(owed.path, owed.foundAt, Math.min(owed.foundAt, queue.now()))
        : new ListItem(
            owed.path, owed.foundAt, owed.since + queue.settings().graceMillis(), adopted);
  }

  /** Looks for lists on disk. */
  private void adoptSoon() {
    looked = false;
    unlisted = false;
    if (!queue.add(new AdoptItem(queue.now()))) {
      unlisted = true;
    }
  }

  /** The directory is listed before the table's regions are: who wrote a list was one before. */
  private void adopt() throws IOException {
    List<Owed> adopted = new ArrayList<>();
    try {
      Predicate<String> isGone = null;
      for (FileStatus f : directory.lists()) {
        Path path = f.getPath();
        String owner = RepairDirectory.regionOf(path);
        if (owner.equals(region.getRegionInfo().getEncodedName())) {
          adopt(path, f.getModificationTime(), adopted);
          continue;
        }
        isGone = isGone == null ? gone.get() : isGone;
        if (isGone.test(owner)) {
          directory
              .adopt(path, region.getRegionInfo().getEncodedName())
              .ifPresent(p -> adopt(p, f.getModificationTime(), adopted));
        }
      }
    } finally {
      enqueue(adopted, true);
    }
  }

  private void adopt(Path path, long foundAt, List<Owed> adopted) {
    if (known.add(path)) {
      progress.found(foundAt);
      adopted.add(new Owed(path, foundAt, queue.now()));
    }
  }

  /** Up to when everything has been repaired; 0 if it is not known what was left on disk. */
  long repairedUpTo() {
    return isListed() ? progress.upTo(queue.now()) : progress.upTo(0);
  }

  /** Whether all lists on disk are pending or queued. */
  private boolean isListed() {
    return looked && !unlisted;
  }

  /** How many wait for their flush or compaction. */
  int pending() {
    synchronized (pending) {
      return pending.size();
    }
  }

  /** How many lists and notes failed too often; they stay on disk, and outstanding. */
  int givenUp() {
    return givenUp.get();
  }

  /** A list on disk. What fails of it does not hold up the rest. */
  private final class ListItem extends RepairItem {
    private final Path path;
    private final long foundAt;
    private final boolean adopted;
    private final BitSet done = new BitSet();

    /** What has had its turn: the others come first. */
    private BitSet tried = new BitSet();

    ListItem(Path path, long foundAt, long dueAt, boolean adopted) {
      super(owner, dueAt);
      this.path = path;
      this.foundAt = foundAt;
      this.adopted = adopted;
    }

    @Override
    void run() throws IOException {
      try {
        if (removeAll()) {
          directory.fs().delete(path, false);
          known.remove(path);
          progress.done(foundAt);
        }
      } catch (FileNotFoundException e) {
        if (directory.fs().exists(path)) {
          throw e;
        }
        LOG.warn("{} is gone: the server that had the region before was not dead yet", path, e);
        known.remove(path);
        progress.done(foundAt);
      }
    }

    @Override
    void givenUp() {
      givenUp.incrementAndGet();
    }

    /** False if the region closes meanwhile. */
    private boolean removeAll() throws IOException {
      if (adopted && !isFinished()) {
        RecoverLeaseFSUtils.recoverFileLease(
            directory.fs(), path, region.getReadOnlyConfiguration());
      }
      boolean open = removeUntried();
      while (open && !tried.equals(done)) {
        tried = (BitSet) done.clone();
        open = removeUntried();
      }
      return open;
    }

    /** Whether it was closed by who wrote it: then nobody writes to it any more. */
    private boolean isFinished() throws IOException {
      FileSystem fs = directory.fs();
      FileSystem raw = fs instanceof FilterFileSystem f ? f.getRawFileSystem() : fs;
      return raw instanceof DistributedFileSystem hdfs && hdfs.isFileClosed(path);
    }

    private boolean removeUntried() throws IOException {
      try (RepairListReader list = new RepairListReader(directory, path)) {
        int number = 0;
        for (EntryList e = list.next(); e != null; e = list.next()) {
          if (owner.isClosed()) {
            return false;
          }
          if (!tried.get(number)) {
            tried.set(number);
            removal.accept(e);
            done.set(number);
            progressed();
          }
          number++;
        }
      }
      return true;
    }

    @Override
    public String toString() {
      return "repair list " + path;
    }
  }

  /** A note on disk of a compaction that has committed; the oldest is first. */
  private final class NoteItem extends RepairItem {
    private final Path path;
    private final long foundAt;
    private final IndexRescans.Ticket ticket;

    NoteItem(Path path, long foundAt, long dueAt) {
      super(owner, dueAt);
      this.path = path;
      this.foundAt = foundAt;
      this.ticket = looks.ticket(foundAt);
    }

    @Override
    void run() throws IOException {
      try {
        StagedNote note = StagedNote.load(directory, path);
        if (!find(new StagedWork(owner, queue, RepairLists.this, region, note, looks, ticket))) {
          return;
        }
      } catch (CorruptFrameException e) {
        LOG.warn("{} is cut: its compaction has not begun", path, e);
      } catch (FileNotFoundException e) {
        if (directory.fs().exists(path)) {
          throw e;
        }
        LOG.warn("{} is gone: who had the region before has made a list of it", path, e);
        adoptSoon();
      }
      directory.fs().delete(path, false);
      known.remove(path);
      looks.done(ticket);
      progress.done(foundAt);
      promote();
    }

    @Override
    void givenUp() {
      givenUp.incrementAndGet();
    }

    @Override
    void dropped() {
      looks.done(ticket);
    }

    /** False if the region closes meanwhile. */
    private boolean find(StagedWork work) throws IOException {
      RepairListWriter list = newList();
      boolean all = false;
      try {
        if (work.find(owner.indexes(), list)) {
          found(list, foundAt);
          all = true;
        }
        return all;
      } finally {
        if (!all) {
          abandon(list);
        }
      }
    }

    @Override
    public String toString() {
      return "reading again what " + path + " names";
    }
  }

  /** A look at the directory. */
  private final class AdoptItem extends RepairItem {
    AdoptItem(long dueAt) {
      super(owner, dueAt);
    }

    @Override
    void run() throws IOException {
      adopt();
      looked = true;
    }

    /** It depends on the file system alone, and without it nobody knows what is owed. */
    @Override
    int tries() {
      return Integer.MAX_VALUE;
    }

    @Override
    void givenUp() {
      unlisted = true;
    }

    @Override
    public String toString() {
      return "looking for repair lists of " + owner;
    }
  }
}
