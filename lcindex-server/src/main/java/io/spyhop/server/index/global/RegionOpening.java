package io.spyhop.server.index.global;

import io.spyhop.core.protocol.BuiltRanges.Range;
import io.spyhop.server.index.global.entry.EntryWriter;
import io.spyhop.server.index.global.opening.ControlNotes;
import io.spyhop.server.index.global.opening.LastOpening;
import io.spyhop.server.index.global.opening.MetaOpenings;
import io.spyhop.server.index.global.opening.OpeningMark;
import io.spyhop.server.index.global.opening.SequenceNumbers;
import io.spyhop.server.index.global.opening.WatchedMarks;
import io.spyhop.server.runtime.Complaints;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The opening of one region of a base table, as its index tables are told of it: while it is open
 * here, and no longer, all that is written to it gets its entries (docs/decisions/0021).
 * Thread-safe.
 */
final class RegionOpening {
  private static final Logger LOG = LoggerFactory.getLogger(RegionOpening.class);

  /**
   * How long the end of an opening waits for an index table that cannot be written: until nobody
   * believes its mark any more.
   */
  private static final Duration PATIENCE = WatchedMarks.LEASE.plusSeconds(10);

  /** The same for the note of what the region left behind, which nobody is misled without. */
  private static final Duration PATIENCE_FOR_THE_END = Duration.ofSeconds(5);

  private static final long PAUSE_MILLIS = 100;

  /** Marks of regions that were split or merged are kept that long for what came of them. */
  private static final Duration KEPT = Duration.ofHours(1);

  private static final String NOTING = "Noting what closed regions have left behind";
  private static final String BUILT_AGAIN = "what they are split or merged into is built again";

  private final HRegion region;
  private final EntryWriter writer;
  private final RegionServerServices server;
  private final Complaints complaints;
  private final MetaOpenings meta;
  private final long begun = System.nanoTime();
  private LastOpening before;
  private final Map<TableName, OpeningMark> marks = new LinkedHashMap<>();
  private final Map<TableName, Long> marked = new HashMap<>();
  private final Set<TableName> takenBack = new HashSet<>();
  private boolean ends;
  private volatile boolean stopping;

  /**
   * @param before what the opening followed
   */
  RegionOpening(
      HRegion region,
      EntryWriter writer,
      RegionServerServices server,
      MetaOpenings meta,
      LastOpening before,
      Complaints complaints) {
    this.region = region;
    this.writer = writer;
    this.server = server;
    this.meta = meta;
    this.before = before;
    this.complaints = complaints;
  }

  /**
   * HBase is about to restore an edit that it found in a server's log. One from before the last
   * opening has been in HFiles since, and is not if the region was truncated: then its cells come
   * back, and have no entries (decision 0021).
   */
  synchronized void restoring(long number, WALEdit edit) {
    OptionalLong last = before.seqNumOf(region.getRegionInfo().getEncodedName());
    if (last.isPresent() && number < last.getAsLong() && isMissing(number, edit)) {
      LOG.info("{} restores what was written before it was truncated; it is built again", region);
      before = LastOpening.UNKNOWN;
    }
  }

  private boolean isMissing(long number, WALEdit edit) {
    return edit.getCells().stream()
        .filter(c -> !WALEdit.isMetaEditFamily(c))
        .map(c -> region.getStore(CellUtil.cloneFamily(c)))
        .anyMatch(s -> s != null && s.getMaxSequenceId().orElse(-1) < number);
  }

  /**
   * When an index table had noted what is to be gone on from, by {@link System#nanoTime}: as the
   * opening began, or with the mark that it made since. What was read before would have it marked
   * once more, and what it has taken over would seem not to be built.
   */
  synchronized long noted(TableName indexTable) {
    return marked.getOrDefault(indexTable, begun);
  }

  /** Whether HBase has told which opening it is; clients cannot write before. */
  boolean isNumbered() {
    return region.getOpenSeqNum() != HConstants.NO_SEQNUM;
  }

  /** Whether clients can write to the region. */
  boolean isOnline() {
    return server.getRegion(region.getRegionInfo().getEncodedName()) == region;
  }

  /**
   * Tells an index table that the region is open here, unless it knows.
   *
   * @param notes all that the table notes
   * @return the mark
   * @throws InterruptedIOException if the region closes, or does not keep the index any more
   */
  synchronized OpeningMark mark(GlobalIndex index, ControlNotes notes) throws IOException {
    if (ends || index.isForsaken()) {
      throw new InterruptedIOException("the region closes, or goes on without " + index);
    }
    TableName indexTable = index.table();
    Optional<OpeningMark> noted = markIn(notes);
    if (noted.isPresent()) {
      // What is read late does not undo a mark that was made meanwhile.
      return marks.merge(indexTable, noted.get(), (a, b) -> a.number() < b.number() ? b : a);
    }
    long now = EnvironmentEdgeManager.currentTime();
    long number = Math.max(notes.greatestNumber() + 1, now);
    long since = index.isFromStart() ? inherit(indexTable, notes, number) : number;
    OpeningMark mark = mark(number, since);
    List<Mutation> all = new ArrayList<>();
    all.add(ControlRows.mark(mark));
    notes.replaced(mark, now - KEPT.toMillis()).forEach(m -> all.add(ControlRows.remove(m)));
    marks.put(indexTable, mark);
    writer.write(indexTable, all);
    marked.put(indexTable, System.nanoTime());
    return mark;
  }

  /**
   * Something has been written, or is about to be, that the index lacks: from now on nothing counts
   * that was noted so far.
   *
   * @throws IOException if the table cannot be written: then it is still believed
   */
  synchronized void startAnew(GlobalIndex index) throws IOException {
    index.lacks();
    OpeningMark mark = marks.get(index.table());
    if (mark != null) {
      OpeningMark anew = mark.anew(EnvironmentEdgeManager.currentTime());
      writer.write(index.table(), List.of(ControlRows.mark(anew)));
      marks.put(index.table(), anew);
    }
  }

  /** This opening's mark in what an index table notes; empty if it has none, or had. */
  Optional<OpeningMark> markIn(ControlNotes notes) {
    return notes
        .markOf(region.getRegionInfo().getEncodedName())
        .filter(m -> m.isOpen() && m.isOf(server.getServerName(), region.getOpenSeqNum()));
  }

  private OpeningMark mark(long number, long since) {
    RegionInfo info = region.getRegionInfo();
    return new OpeningMark(
        number,
        info.getRegionName(),
        new Range(info.getStartKey(), info.getEndKey()),
        server.getServerName(),
        region.getOpenSeqNum(),
        true,
        0,
        since);
  }

  /**
   * Which of the notes go on to count. Those of several parents are noted again, as each parent
   * counts its own; until there is a mark of that number they say nothing.
   *
   * @return the least number that does
   */
  private long inherit(TableName indexTable, ControlNotes notes, long number) throws IOException {
    List<OpeningMark> origins = before.marks(notes);
    if (origins.size() == 1) {
      return origins.get(0).since();
    }
    List<Mutation> again = new ArrayList<>();
    for (OpeningMark origin : origins) {
      for (Range r : notes.builtFor(origin)) {
        again.add(ControlRows.built(notes.epoch(), r.start(), r.end(), number));
      }
    }
    if (!again.isEmpty()) {
      writer.write(indexTable, again);
    } else if (!notes.built().isEmpty()) {
      LOG.info("{} is built in '{}': not all of its openings are known", region, indexTable);
    }
    return number;
  }

  /**
   * The region is about to close, and still takes writes: its marks are taken back. Waits for index
   * tables that cannot be written now, but for those that nobody can read: when one comes back, its
   * marks are compared with hbase:meta. A server that stops does not wait ({@link #stop}), and
   * where all servers stop, or this one is lost, nothing is taken back: until ZooKeeper has missed
   * it, its regions open nowhere.
   */
  synchronized void ends() {
    if (!ends && !stops()) {
      long until = System.nanoTime() + PATIENCE.toNanos();
      marks.forEach((table, mark) -> takeBack(table, mark.closing(), until));
    }
    ends = true;
  }

  /**
   * The server is about to stop in order, alone, and will have its regions a while still: their
   * marks are taken back, but nobody waits for index tables that cannot be written. HBase opens
   * most of the regions elsewhere when ZooKeeper has missed the server, but one that the master is
   * moving just now at once.
   *
   * @param openings of all regions
   * @param millis how long it may take, about
   */
  static void stop(Collection<RegionOpening> openings, EntryWriter writer, long millis) {
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    openings.forEach(o -> o.stopping = true);
    Map<TableName, List<Mutation>> closing = new LinkedHashMap<>();
    openings.forEach(o -> o.stop(closing));
    closing.forEach(
        (table, marks) -> {
          try {
            if (System.nanoTime() - until < 0) {
              writer.write(table, marks);
              return;
            }
            LOG.warn("The server stops, and marks of its regions in '{}' stay", table);
          } catch (IOException e) {
            LOG.warn("The server stops, and marks of its regions in '{}' stay", table, e);
          }
        });
  }

  private synchronized void stop(Map<TableName, List<Mutation>> closing) {
    ends = true;
    marks.forEach(
        (table, mark) -> {
          if (!takenBack.contains(table)) {
            closing
                .computeIfAbsent(table, t -> new ArrayList<>())
                .add(ControlRows.mark(mark.closing()));
          }
        });
  }

  /**
   * The region is about to go on without an index, and still keeps it: from now on its mark says
   * nothing.
   *
   * @throws IOException if the table cannot be written: the index is to be kept until it can
   */
  synchronized void forsake(GlobalIndex index) throws IOException {
    OpeningMark mark = marks.get(index.table());
    if (mark != null) {
      writer.write(index.table(), List.of(ControlRows.mark(mark.forsaken())));
      marks.remove(index.table());
    }
    index.forsaken();
  }

  private boolean stops() {
    return stopping
        || server.isStopped()
        || server.isStopping()
        || server.isAborted()
        || !server.isClusterUp();
  }

  private void takeBack(TableName table, OpeningMark closing, long until) {
    try {
      if (write(table, closing, until)) {
        takenBack.add(table);
      }
    } catch (IOException e) {
      complaints.warn(
          LOG, "Taking back marks", "they stay until regions open again", table, region, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      LOG.warn("{} closes at once, and its mark in '{}' stays", region, table, e);
    }
  }

  /**
   * Writes a mark of a region that closes, and tries again while the table cannot be written.
   *
   * @param until a time of {@link System#nanoTime}
   * @return false if nobody needs it: the server stops, or nobody can read the table now
   * @throws IOException if it could not be written until then
   */
  private boolean write(TableName table, OpeningMark mark, long until)
      throws IOException, InterruptedException {
    while (!stops()) {
      try {
        writer.write(table, List.of(ControlRows.mark(mark)));
        return true;
      } catch (IOException e) {
        if (meta.isAway(table)) {
          return false;
        }
        if (System.nanoTime() - until > 0) {
          throw e;
        }
        LOG.debug("{} waits to close, as '{}' cannot be written", region, table, e);
      }
      Thread.sleep(PAUSE_MILLIS);
    }
    return false;
  }

  /**
   * The region has closed: what it left behind is noted for regions that it is split or merged
   * into. If it cannot be, such a region is built again.
   *
   * @param leavesReplaced whether it left files behind that compactions had replaced: what it is
   *     split or merged into has their cells again, and must not go by its marks
   */
  synchronized void ended(BooleanSupplier leavesReplaced) {
    if (marks.isEmpty() || !ends || stops()) {
      return;
    }
    if (!leavesReplaced.getAsBoolean()) {
      try {
        long last = SequenceNumbers.last(server.getConfiguration(), region.getRegionInfo());
        long until = System.nanoTime() + PATIENCE_FOR_THE_END.toNanos();
        marks.forEach((table, mark) -> noteEnd(table, mark.closed(last), until));
      } catch (IOException e) {
        TableName base = region.getTableDescriptor().getTableName();
        complaints.warn(LOG, NOTING, BUILT_AGAIN, base, region, e);
      }
    }
    marks.clear();
  }

  private void noteEnd(TableName table, OpeningMark closed, long until) {
    try {
      if (!write(table, closed, until)) {
        LOG.info("It is not noted in '{}' what {} has left behind", table, region);
      }
    } catch (IOException e) {
      complaints.warn(LOG, NOTING, BUILT_AGAIN, table, region, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      LOG.warn("It is not noted in '{}' what {} has left behind", table, region, e);
    }
  }
}
