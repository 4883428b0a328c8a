package io.spyhop.server.view;

import io.spyhop.server.memory.UnshippedBytes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;

/**
 * Makes a view of an old one and one new run (REMIX, section 3.3). Each of the new run's keys is
 * searched in the old view from the place of the one before; the old view's keys between two places
 * are taken over without a comparison. Segments into which nothing falls are taken over whole,
 * without a look at the runs; in others new segments are cut, for which the old runs' cells are
 * stepped over, and of which none but the last of a stretch has fewer than half the keys.
 */
public final class ViewExtension {
  private static final int UNKNOWN = -1;

  private final CellComparator comparator;
  private final SortedView old;
  private final List<? extends RunCursor> cursors;
  private final RunCursor added;
  private final int addedRank;
  private final int[] ranks;
  private final BuildTerms terms;
  private final ViewBuilder builder;
  private final ViewCursor place;

  /** The next of the old view's keys. */
  private int at;

  /** Where the old runs go on at an old key, as far as that has been asked for. */
  private final long[] positions;

  private int positionsKey = UNKNOWN;

  /** The new run's last key that was added if no old key has been since, or null. */
  private Cell lastAdded;

  private ViewExtension(
      CellComparator comparator,
      SortedView old,
      List<? extends RunCursor> cursors,
      RunCursor added,
      int rank,
      BuildTerms terms,
      List<? extends RunCursor> searching) {
    this.comparator = comparator;
    this.old = old;
    this.cursors = cursors;
    this.added = added;
    this.addedRank = rank;
    ranks = new int[old.runs().size()];
    for (int r = 0; r < ranks.length; r++) {
      ranks[r] = r < rank ? r : r + 1;
    }
    positions = new long[ranks.length];
    this.terms = terms;
    builder =
        new ViewBuilder(
            comparator,
            old.family(),
            ranks.length + 1,
            new BuildTerms(old.interval(), terms.maxSize(), terms.checkpoint()));
    place = ViewCursor.all(old, comparator, searching);
  }

  /**
   * Extends.
   *
   * @param cursors two for each of the old runs by rank: one for searching, one for stepping
   * @param added the new run at its first cell
   * @param rank the new run's rank among all
   * @param terms of which the interval is the old view's
   * @param run tells of the new run when it has been read
   * @throws ViewTooLargeException if it would take more
   * @throws IOException if a run cannot be read
   */
  public static SortedView extend(
      CellComparator comparator,
      SortedView old,
      Cursors cursors,
      RunCursor added,
      int rank,
      BuildTerms terms,
      Supplier<Run> run)
      throws IOException {
    ViewMerge.checkRuns(old.runs().size() + 1);
    ViewExtension e =
        new ViewExtension(comparator, old, cursors.stepping, added, rank, terms, cursors.searching);
    e.run(cursors.searching);
    List<Run> runs = new ArrayList<>(old.runs());
    runs.add(rank, run.get());
    return e.builder.view(runs);
  }

  /** Cursors of the old runs by rank. */
  public record Cursors(List<? extends RunCursor> searching, List<? extends RunCursor> stepping) {}

  private void run(List<? extends RunCursor> searching) throws IOException {
    int count = 0;
    UnshippedBytes unshipped = new UnshippedBytes();
    if (added.cell() != null) {
      place.seek(added.cell());
    }
    for (Cell cell = added.cell(); cell != null; cell = added.cell()) {
      keepUntil(find(cell));
      add(cell);
      if (unshipped.add(cell) || ++count % 256 == 0) {
        lastAdded = KeyValueUtil.toNewKeyCell(lastAdded);
        searching.forEach(RunCursor::shipped);
        cursors.forEach(RunCursor::shipped);
        added.shipped();
        terms.checkpoint().run();
      }
      added.next();
    }
    keepUntil(old.keys());
  }

  /** The first of the old keys that comes behind a new one. */
  private int find(Cell cell) throws IOException {
    if (!place.isOver()
        && PrivateCellUtil.compareKeyIgnoresMvcc(comparator, cell, place.cell()) > 0) {
      place.reseek(cell);
    }
    while (!place.isOver() && isBefore(place, cell)) {
      place.next();
    }
    return place.key();
  }

  /** Whether an old key that is not less than a new one, sequence ids apart, comes before it. */
  private boolean isBefore(ViewCursor oldKey, Cell cell) throws IOException {
    int c = comparator.compare(oldKey.cell(), cell);
    return c != 0 ? c < 0 : ranks[oldKey.run()] > addedRank;
  }

  private void add(Cell cell) throws IOException {
    Cell before = before();
    builder.add(
        addedRank, Selectors.relation(comparator, before, cell), new Here(before, cell, at));
    lastAdded = cell;
  }

  /** The key added last; null if none was. */
  private Cell before() throws IOException {
    return lastAdded != null || at == 0 ? lastAdded : oldCell(at - 1);
  }

  /** Takes over old keys. */
  private void keepUntil(int end) throws IOException {
    while (at < end) {
      int segment = old.segment(at);
      int stop = Math.min(end, old.end(segment));
      boolean whole = at == old.start(segment) && stop == old.end(segment);
      if (!whole || !adopt(segment)) {
        step(stop);
      }
      at = stop;
      lastAdded = null;
    }
  }

  private boolean adopt(int segment) throws IOException {
    if (builder.filled() < old.interval() / 2 && builder.keys() > 0) {
      return false;
    }
    boolean asBefore = lastAdded == null;
    Cell key = asBefore ? null : oldCell(at);
    int relation = asBefore ? old.relation(at) : Selectors.relation(comparator, lastAdded, key);
    if (relation == Selectors.SAME_KEY) {
      return false;
    }
    builder.adopt(old, segment, ranks, relation, asBefore, new Here(lastAdded, key, at));
    return true;
  }

  private void step(int stop) throws IOException {
    for (; at < stop; at++) {
      int relation =
          lastAdded == null
              ? old.relation(at)
              : Selectors.relation(comparator, lastAdded, oldCell(at));
      builder.add(ranks[old.run(at)], relation, new Here(lastAdded, null, at));
      lastAdded = null;
    }
  }

  private Cell oldCell(int key) throws IOException {
    int segment = old.segment(key);
    return placed(old.run(key), segment, key).cell();
  }

  /** Where an old run goes on at an old key, at which many new ones may be added. */
  private long position(int run, int key) throws IOException {
    if (key != positionsKey) {
      Arrays.fill(positions, UNKNOWN);
      positionsKey = key;
    }
    if (positions[run] == UNKNOWN) {
      int segment = old.segment(key);
      positions[run] =
          key == old.start(segment)
              ? old.pointer(segment, run)
              : placed(run, segment, key).position();
    }
    return positions[run];
  }

  /** An old run's cursor at the run's first key at or after a given one. */
  private RunCursor placed(int run, int segment, int key) throws IOException {
    RunCursor cursor = cursors.get(run);
    cursor.place(old.pointer(segment, run));
    for (int i = old.count(run, old.start(segment), key); i > 0; i--) {
      cursor.next();
    }
    return cursor;
  }

  /** The place before an old key. */
  private final class Here implements ViewBuilder.Place {
    private final Cell before;
    private final Cell key;
    private final int oldKey;

    Here(Cell before, Cell key, int oldKey) {
      this.before = before;
      this.key = key;
      this.oldKey = oldKey;
    }

    @Override
    public Cell before() throws IOException {
      return before != null || oldKey == 0 ? before : oldCell(oldKey - 1);
    }

    @Override
    public Cell key() throws IOException {
      return key != null ? key : oldCell(oldKey);
    }

    @Override
    public long position(int run) throws IOException {
      if (run == addedRank) {
        return added.position();
      }
      if (old.keys() == 0) {
        return 0;
      }
      return ViewExtension.this.position(run < addedRank ? run : run - 1, oldKey);
    }
  }
}
