package io.spyhop.server.view;

import io.spyhop.server.memory.UnshippedBytes;
import java.io.IOException;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.KeyValueUtil;

/** Makes a view by merging all of its runs. Stateless but for the merge under way. */
public final class ViewMerge implements ViewBuilder.Place {
  /** After so many keys the runs may let go of what they have kept. */
  private static final int BATCH = 4096;

  private record Head(int run, RunCursor cursor, Cell cell) {}

  private final CellComparator comparator;
  private final List<? extends RunCursor> cursors;
  private final ViewBuilder builder;
  private final BuildTerms terms;
  private final PriorityQueue<Head> heads;
  private Cell before;
  private Cell key;

  private ViewMerge(
      CellComparator comparator,
      List<? extends RunCursor> cursors,
      ViewBuilder builder,
      BuildTerms terms) {
    this.comparator = comparator;
    this.cursors = cursors;
    this.builder = builder;
    this.terms = terms;
    heads = new PriorityQueue<>(Math.max(1, cursors.size()), this::compare);
  }

  /**
   * Merges.
   *
   * @param comparator the table's
   * @param family the family of all cells
   * @param cursors one for each run, the newest last, each at its first cell
   * @param runs tells the runs by rank when all have been read
   * @throws ViewTooLargeException if it would take more
   * @throws IOException if a run cannot be read
   */
  public static SortedView merge(
      CellComparator comparator,
      byte[] family,
      List<? extends RunCursor> cursors,
      BuildTerms terms,
      Supplier<List<Run>> runs)
      throws IOException {
    checkRuns(cursors.size());
    ViewBuilder builder = new ViewBuilder(comparator, family, cursors.size(), terms);
    new ViewMerge(comparator, cursors, builder, terms).run();
    return builder.view(runs.get());
  }

  static void checkRuns(int runs) throws IOException {
    if (runs > Selectors.MAX_RUNS) {
      throw new ViewTooLargeException(
          "a view has at most " + Selectors.MAX_RUNS + " runs, and not " + runs, Long.MAX_VALUE, 0);
    }
  }

  /** As HBase's heap: of equal cells that of the newer run comes first. */
  private int compare(Head a, Head b) {
    int c = comparator.compare(a.cell, b.cell);
    return c != 0 ? c : Integer.compare(b.run, a.run);
  }

  private void run() throws IOException {
    for (int r = 0; r < cursors.size(); r++) {
      push(r);
    }
    UnshippedBytes unshipped = new UnshippedBytes();
    for (Head head = heads.poll(); head != null; head = heads.poll()) {
      key = head.cell;
      builder.add(head.run, Selectors.relation(comparator, before, key), this);
      before = key;
      if (unshipped.add(key) || builder.keys() % BATCH == 0) {
        before = KeyValueUtil.toNewKeyCell(before);
        cursors.forEach(RunCursor::shipped);
        terms.checkpoint().run();
      }
      head.cursor.next();
      push(head.run);
    }
  }

  private void push(int run) throws IOException {
    Cell cell = cursors.get(run).cell();
    if (cell != null) {
      heads.add(new Head(run, cursors.get(run), cell));
    }
  }

  @Override
  public Cell before() {
    return before;
  }

  @Override
  public Cell key() {
    return key;
  }

  @Override
  public long position(int run) {
    return cursors.get(run).position();
  }
}
