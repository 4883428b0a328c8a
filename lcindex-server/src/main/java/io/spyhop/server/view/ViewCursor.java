package io.spyhop.server.view;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.PrivateCellUtil;

/**
 * Walks a view's keys forward. Not thread-safe.
 *
 * <p>The cursors of the runs are moved as late as can be. What holds: if a run is placed, its
 * cursor, moved on by what it owes, is at the run's first key at or after the current one; if not,
 * that key is found from the segment's pointer. So passing over a key costs nothing but its
 * selector.
 *
 * <p>The search within a segment (REMIX, section 3.2) takes the run of the middle selector and
 * tries all keys that this run has in the segment, jumping to them by counting selectors, before it
 * touches another run; then no key of that run is left between the bounds, so that each run is
 * touched at most once.
 */
public final class ViewCursor {
  private static final long NEVER = -1;
  private static final int FIRST_ROOM = 32;

  /** Makes the cursors of runs, each when it is first needed. */
  @FunctionalInterface
  public interface Runs {
    /** A cursor, anywhere in the run of a rank. */
    RunCursor open(int run) throws IOException;
  }

  private final SortedView view;
  private final CellComparator comparator;
  private final RunCursor[] runs;
  private final Runs source;
  private final long wanted;
  private final long[] placed;
  private final int[] owed;
  private final boolean all;
  private long seek;
  private int at;
  private int segment;
  private int[] found = new int[FIRST_ROOM];
  private long[] positions = new long[FIRST_ROOM];
  private long tried;
  private final int[] counts;
  private int countedSegment = -1;
  private int counted;

  /**
   * A cursor before the first key.
   *
   * @param wanted the bits of the ranks of runs that are read; the others are left out
   */
  public ViewCursor(SortedView view, CellComparator comparator, long wanted, Runs source) {
    this.view = view;
    this.comparator = comparator;
    this.source = source;
    int count = view.runs().size();
    this.wanted = wanted;
    this.all = Long.bitCount(wanted) == count;
    this.runs = new RunCursor[count];
    this.placed = new long[count];
    this.owed = new int[count];
    this.counts = new int[count];
    Arrays.fill(placed, NEVER);
    settle();
  }

  /** Reads all runs. */
  static ViewCursor all(
      SortedView view, CellComparator comparator, List<? extends RunCursor> runs) {
    return new ViewCursor(view, comparator, (1L << runs.size()) - 1, runs::get);
  }

  private boolean isWanted(int key) {
    return (wanted >>> view.run(key) & 1) != 0;
  }

  /** Whether there is no key any more. */
  public boolean isOver() {
    return at >= view.keys();
  }

  /** The number of the current key among all; that of all keys at the end. */
  int key() {
    return at;
  }

  /** The rank of the current key's run. */
  public int run() {
    return view.run(at);
  }

  /** The current cell; null at the end. */
  public Cell cell() throws IOException {
    if (isOver()) {
      return null;
    }
    int run = view.run(at);
    boolean isFirst = placed[run] != seek;
    RunCursor cursor = ready(run);
    if (isFirst) {
      cursor.expectMore();
    }
    return cursor.cell();
  }

  /** Whether the next key is of another row, or none. */
  public boolean isNextAnotherRow() {
    return isNextBeyond(Selectors.NEW_ROW);
  }

  /** Whether the next key is of another column, or none. */
  public boolean isNextAnotherColumn() {
    return isNextBeyond(Selectors.SAME_ROW);
  }

  private boolean isNextBeyond(int relation) {
    int next = at + 1;
    while (!all && next < view.keys() && !isWanted(next) && view.relation(next) > relation) {
      next++;
    }
    return next >= view.keys() || view.relation(next) <= relation;
  }

  /** Goes to the next key. */
  public void next() {
    pass();
    settle();
  }

  /** Goes to the first key of another row than the current one. */
  public void nextRow() {
    skip(Selectors.NEW_ROW);
  }

  /** Goes to the first key of another row or column than the current one. */
  public void nextColumn() {
    skip(Selectors.SAME_ROW);
  }

  private void skip(int relation) {
    pass();
    while (!isOver() && view.relation(at) > relation) {
      pass();
    }
    settle();
  }

  /** Goes to the first key that is not before a given one, whose sequence id is ignored. */
  public void seek(Cell key) throws IOException {
    go(0, key);
  }

  /** As {@link #seek}, but never back. */
  public void reseek(Cell key) throws IOException {
    if (isOver()) {
      return;
    }
    find();
    int next = segment + 1;
    if (next == view.segments() || view.isBefore(comparator, key, next)) {
      search(at, view.end(segment), key);
    } else {
      go(next, key);
    }
  }

  private void go(int from, Cell key) throws IOException {
    if (view.keys() == 0) {
      return;
    }
    segment = view.segment(comparator, key, from);
    at = view.start(segment);
    seek++;
    search(at, view.end(segment), key);
  }

  /** Leaves the current key for the one after it. */
  private void pass() {
    int run = view.run(at++);
    if (placed[run] == seek) {
      owed[run]++;
    }
  }

  /** Passes over keys of runs that are left out. */
  private void settle() {
    if (!all) {
      while (!isOver() && !isWanted(at)) {
        at++;
      }
    }
  }

  /** Brings the segment up to the current key. */
  private void find() {
    if (view.end(segment) <= at && segment + 1 < view.segments()) {
      segment++;
      if (view.end(segment) <= at) {
        segment = view.segment(at);
      }
    }
  }

  /** Puts a run's cursor at its first key at or after the current one. */
  private RunCursor ready(int run) throws IOException {
    RunCursor cursor = runs[run];
    if (cursor == null) {
      cursor = source.open(run);
      runs[run] = cursor;
    }
    if (placed[run] != seek || owed[run] > view.interval()) {
      find();
      cursor.place(view.pointer(segment, run));
      owed[run] = passed(run);
      placed[run] = seek;
    }
    for (; owed[run] > 0; owed[run]--) {
      cursor.next();
    }
    return cursor;
  }

  /**
   * How many of a run's keys lie between the segment's first key and the current one. A segment's
   * keys are counted once, for all runs together.
   */
  private int passed(int run) {
    if (countedSegment != segment || counted > at) {
      countedSegment = segment;
      counted = view.start(segment);
      Arrays.fill(counts, 0);
    }
    for (; counted < at; counted++) {
      counts[view.run(counted)]++;
    }
    return counts[run];
  }

  /** Goes to the first key from one to another, exclusive, that is not before a given one. */
  private void search(int from, int to, Cell key) throws IOException {
    tried = 0;
    int low = from;
    int high = to;
    int middle = middle(low, high);
    while (middle >= 0) {
      int run = view.run(middle);
      int keys = collect(run, low, high);
      int first = tryKeys(run, keys, key);
      tried |= 1L << run;
      low = first == 0 ? low : found[first - 1] + 1;
      high = first == keys ? high : found[first];
      middle = middle(low, high);
    }
    // Of the runs left out some keys may lie between; settle() passes over them, too.
    for (; at < high; at++) {
      int run = view.run(at);
      if (placed[run] == seek && (tried >>> run & 1) == 0) {
        owed[run]++;
      }
    }
    settle();
  }

  /** The key nearest to the middle that is not left out; -1 if there is none. */
  private int middle(int low, int high) {
    int middle = low + high >>> 1;
    if (all) {
      return low < high ? middle : -1;
    }
    for (int i = middle; i < high; i++) {
      if (isWanted(i)) {
        return i;
      }
    }
    for (int i = middle - 1; i >= low; i--) {
      if (isWanted(i)) {
        return i;
      }
    }
    return -1;
  }

  private int collect(int run, int low, int high) {
    int keys = 0;
    for (int i = low; i < high; i++) {
      if (view.run(i) == run) {
        if (keys == found.length) {
          found = Arrays.copyOf(found, 2 * keys);
          positions = Arrays.copyOf(positions, 2 * keys);
        }
        found[keys++] = i;
      }
    }
    return keys;
  }

  /**
   * Finds the first of a run's collected keys that is not before a given one, and leaves the run's
   * cursor there.
   *
   * @return how many of them are before it
   */
  private int tryKeys(int run, int keys, Cell key) throws IOException {
    // The first collected key is not always the first at or after the current one: those before it
    // have been ruled out by other runs.
    RunCursor cursor = ready(run);
    for (int i = view.count(run, at, found[0]); i > 0; i--) {
      cursor.next();
    }
    positions[0] = cursor.position();
    int known = 0;
    int low = 0;
    int high = keys;
    while (low < high) {
      int middle = low + high >>> 1;
      known = goTo(cursor, middle, known);
      if (PrivateCellUtil.compareKeyIgnoresMvcc(comparator, key, cursor.cell()) <= 0) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    goTo(cursor, Math.min(low, keys - 1), known);
    owed[run] = low == keys ? 1 : 0;
    return low;
  }

  /** Moves a cursor to one of the collected keys; returns up to which they have been seen. */
  private int goTo(RunCursor cursor, int wanted, int known) throws IOException {
    int seen = Math.min(wanted, known);
    if (cursor.position() != positions[seen]) {
      cursor.place(positions[seen]);
    }
    for (; seen < wanted; ) {
      cursor.next();
      positions[++seen] = cursor.position();
    }
    return Math.max(known, wanted);
  }
}
