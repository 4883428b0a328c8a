package io.spyhop.server.global;

import io.spyhop.core.global.BuiltRanges.Range;
import io.spyhop.server.global.opening.ControlNotes;
import io.spyhop.server.global.opening.LastOpening;
import io.spyhop.server.global.opening.MetaOpenings;
import io.spyhop.server.global.opening.OpeningMark;
import io.spyhop.server.global.opening.WatchedMarks;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
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

  private static final long PAUSE_MILLIS = 100;

  /** Marks of regions that were split or merged are kept that long for what came of them. */
  private static final Duration KEPT = Duration.ofHours(1);

  private final HRegion region;
  private final EntryWriter writer;
  private final RegionServerServices server;
  private final MetaOpenings meta;
  private final LastOpening before;
  private final Map<TableName, OpeningMark> marks = new LinkedHashMap<>();
  private boolean ends;

  /**
   * @param before what the opening followed
   */
  RegionOpening(
      HRegion region,
      EntryWriter writer,
      RegionServerServices server,
      MetaOpenings meta,
      LastOpening before) {
    this.region = region;
    this.writer = writer;
    this.server = server;
    this.meta = meta;
    this.before = before;
  }

  /** Whether clients can write to the region; before, it has no number of its own. */
  boolean isOnline() {
    return server.getRegion(region.getRegionInfo().getEncodedName()) == region;
  }

  /**
   * Tells an index table that the region is open here, unless it knows.
   *
   * @param notes all that the table notes
   * @return the mark
   * @throws InterruptedIOException if the region closes
   */
  synchronized OpeningMark mark(TableName indexTable, ControlNotes notes) throws IOException {
    if (ends) {
      throw new InterruptedIOException("the region closes");
    }
    Optional<OpeningMark> noted = markIn(notes);
    if (noted.isPresent()) {
      marks.put(indexTable, noted.get());
      return noted.get();
    }
    long now = EnvironmentEdgeManager.currentTime();
    long number = Math.max(notes.greatestNumber() + 1, now);
    OpeningMark mark = mark(number, inherit(indexTable, notes, number));
    List<Mutation> all = new ArrayList<>();
    all.add(ControlRows.mark(mark));
    notes.replaced(mark, now - KEPT.toMillis()).forEach(m -> all.add(ControlRows.remove(m)));
    marks.put(indexTable, mark);
    writer.write(indexTable, all);
    return mark;
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
   * marks are compared with hbase:meta. A server that stops need not: until ZooKeeper has missed
   * it, its regions open nowhere.
   */
  synchronized void ends() {
    if (!ends && !stops()) {
      long until = System.nanoTime() + PATIENCE.toNanos();
      marks.forEach((table, mark) -> takeBack(table, mark.closing(), until));
    }
    ends = true;
  }

  private boolean stops() {
    return server.isStopped() || server.isStopping() || server.isAborted() || !server.isClusterUp();
  }

  private void takeBack(TableName table, OpeningMark closing, long until) {
    try {
      while (!stops()) {
        try {
          writer.write(table, List.of(ControlRows.mark(closing)));
          return;
        } catch (IOException e) {
          if (meta.isAway(table)) {
            return;
          }
          if (System.nanoTime() - until > 0) {
            LOG.warn(
                "{} closes, and its mark in '{}' stays until it opens again", region, table, e);
            return;
          }
          LOG.debug("{} waits to close, as '{}' cannot be written", region, table, e);
        }
        Thread.sleep(PAUSE_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      LOG.warn("{} closes at once, and its mark in '{}' stays", region, table, e);
    }
  }

  /**
   * The region has closed: what it left behind is noted for a region that it is merged into. If
   * that fails, such a region is built again.
   */
  synchronized void ended() {
    if (marks.isEmpty() || !ends || stops()) {
      return;
    }
    try {
      long last = meta.lastSeqNum(region.getRegionInfo());
      marks.forEach((table, mark) -> noteEnd(table, mark.closed(last)));
    } catch (IOException e) {
      LOG.debug("It is not noted what {} has left behind", region, e);
    }
    marks.clear();
  }

  /** Tables of indexes that have been dropped are among them. */
  private void noteEnd(TableName table, OpeningMark closed) {
    try {
      writer.write(table, List.of(ControlRows.mark(closed)));
    } catch (IOException e) {
      LOG.debug("It is not noted in '{}' what {} has left behind", table, region, e);
    }
  }
}
