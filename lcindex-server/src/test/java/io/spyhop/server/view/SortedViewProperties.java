package io.spyhop.server.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.util.Bytes;

/** A view gives what HBase's heap gives, whatever the runs are. */
class SortedViewProperties {
  private static final CellComparator COMPARATOR = CellComparator.getInstance();
  private static final int[] INTERVALS = {1, 2, 16, 32, 64};

  @Property(tries = 300)
  void walksAsTheHeap(@ForAll long seed, @ForAll @IntRange(max = 9) int runs) throws IOException {
    ViewCells cells = new ViewCells(seed);
    List<List<Cell>> all = cells.runs(runs, 200);
    SortedView view = ListRun.merge(all, interval(cells));
    check(view, all);
    List<List<Cell>> some = leaveOut(cells, all);
    assertThat(walk(view, some)).as("with runs left out").isEqualTo(ListRun.heap(some));
  }

  @Property(tries = 300)
  void findsWhatAWalkFinds(@ForAll long seed, @ForAll @IntRange(max = 9) int runs)
      throws IOException {
    ViewCells cells = new ViewCells(seed);
    List<List<Cell>> all = cells.runs(runs, 150);
    SortedView view = ListRun.merge(all, interval(cells));
    List<List<Cell>> some = cells.below(2) == 0 ? all : leaveOut(cells, all);
    List<Cell> expected = ListRun.heap(some);
    ViewCursor cursor = cursor(view, some);
    int at = 0;
    for (int i = 0; i < 60; i++) {
      at = act(cells, cursor, expected, at);
      assertThat(cursor.cell())
          .as("key %d after step %d", at, i)
          .isSameAs(at < expected.size() ? expected.get(at) : null);
      assertThat(cursor.isOver()).isEqualTo(at == expected.size());
    }
  }

  /** Moves the cursor; returns where it should be. */
  private static int act(ViewCells cells, ViewCursor cursor, List<Cell> all, int at)
      throws IOException {
    boolean over = at == all.size();
    switch (over ? 0 : cells.below(7)) {
      case 0:
        Cell key = cells.key();
        cursor.seek(key);
        return find(all, 0, key);
      case 1:
        Cell farther = cells.key(all.get(at + cells.below(all.size() - at)));
        cursor.reseek(farther);
        return find(all, at, farther);
      case 2:
        Cell nearer = cells.key(all.get(Math.min(all.size() - 1, at + cells.below(3))));
        cursor.reseek(nearer);
        return find(all, at, nearer);
      case 3:
        cursor.nextRow();
        return find(all, at, PrivateCellUtil.createLastOnRow(all.get(at)));
      case 4:
        Cell before = all.get(at);
        cursor.nextColumn();
        int next = at;
        while (next < all.size() && CellUtil.matchingRowColumn(before, all.get(next))) {
          next++;
        }
        return next;
      default:
        cursor.next();
        return at + 1;
    }
  }

  private static int find(List<Cell> all, int from, Cell key) {
    int i = from;
    while (i < all.size()
        && PrivateCellUtil.compareKeyIgnoresMvcc(COMPARATOR, all.get(i), key) < 0) {
      i++;
    }
    return i;
  }

  @Property(tries = 300)
  void isExtendedToWhatAMergeMakes(@ForAll long seed, @ForAll @IntRange(min = 1, max = 8) int runs)
      throws IOException {
    ViewCells cells = new ViewCells(seed);
    List<List<Cell>> all = cells.runs(runs, 300);
    int interval = interval(cells);
    int rank = cells.below(runs);
    List<List<Cell>> before = new ArrayList<>(all);
    List<Cell> added = before.remove(rank);
    SortedView extended = extend(ListRun.merge(before, interval), before, added, rank);
    check(extended, all);
  }

  @Property(tries = 60)
  void isExtendedManyTimes(@ForAll long seed) throws IOException {
    ViewCells cells = new ViewCells(seed);
    List<List<Cell>> all = new ArrayList<>();
    SortedView view = ListRun.merge(all, interval(cells));
    for (int i = 0; i < 8; i++) {
      List<Cell> run = cells.run(cells.below(80));
      view = extend(view, all, run, all.size());
      all.add(run);
      check(view, all);
    }
  }

  @Property(tries = 60)
  void isTheSameOnceWrittenAndRead(@ForAll long seed, @ForAll @IntRange(max = 63) int runs)
      throws IOException {
    ViewCells cells = new ViewCells(seed);
    List<List<Cell>> all = cells.runs(runs, 60);
    byte[] bytes = ViewFormat.encode(ListRun.merge(all, interval(cells)));
    SortedView read = ViewFormat.decode(bytes).orElseThrow();
    check(read, all);
    assertThat(ViewFormat.encode(read)).isEqualTo(bytes);
  }

  /** With what their rows have in common at the beginning, they took 8.4 bytes a key. */
  @Example
  void anchorsOfLongKeysTakeLittle() throws IOException {
    List<List<Cell>> runs = List.of(new ArrayList<>(), new ArrayList<>());
    for (int i = 0; i < 20_000; i++) {
      byte[] row = Bytes.toBytes("k".repeat(190) + String.format("%010d", i));
      runs.get(i % 2).add(new KeyValue(row, ViewCells.FAMILY, row, 1L, row));
    }
    SortedView view = ListRun.merge(runs, 32);
    assertThat((double) view.size() / view.keys()).isLessThan(2.2);
    check(view, runs);
    assertThat(ViewFormat.decode(ViewFormat.encode(view)).orElseThrow().size())
        .isEqualTo(view.size());
  }

  private static SortedView extend(
      SortedView view, List<List<Cell>> runs, List<Cell> added, int rank) throws IOException {
    return ViewExtension.extend(
        COMPARATOR,
        view,
        new ViewExtension.Cursors(ListRun.cursors(runs), ListRun.cursors(runs)),
        new ListRun(added),
        rank,
        new BuildTerms(view.interval(), Long.MAX_VALUE, () -> {}),
        () -> ListRun.run(rank, added));
  }

  /** What must hold of every view, and that it walks as the heap does. */
  static void check(SortedView view, List<List<Cell>> runs) throws IOException {
    List<Cell> expected = ListRun.heap(runs);
    assertThat(walk(view, runs)).isEqualTo(expected);
    assertThat(view.keys()).isEqualTo(expected.size());
    int[] next = new int[runs.size()];
    Cell before = null;
    for (int k = 0; k < view.keys(); k++) {
      Cell cell = expected.get(k);
      int relation = Selectors.relation(COMPARATOR, before, cell);
      assertThat(view.relation(k)).as("relation of %s", cell).isEqualTo(relation);
      int segment = view.segment(k);
      if (view.start(segment) == k) {
        assertThat(relation).as("a segment begins").isNotEqualTo(Selectors.SAME_KEY);
        assertThat(view.isBefore(COMPARATOR, cell, segment)).isFalse();
        assertThat(before == null || view.isBefore(COMPARATOR, before, segment)).isTrue();
        for (int r = 0; r < next.length; r++) {
          assertThat(view.pointer(segment, r)).isEqualTo((long) next[r] * ListRun.STEP);
        }
      } else if (k - view.start(segment) >= view.interval()) {
        assertThat(relation).as("a segment is long").isEqualTo(Selectors.SAME_KEY);
      }
      next[view.run(k)]++;
      before = cell;
    }
  }

  private static List<Cell> walk(SortedView view, List<List<Cell>> runs) throws IOException {
    List<Cell> cells = new ArrayList<>();
    ViewCursor cursor = cursor(view, runs);
    for (; !cursor.isOver(); cursor.next()) {
      cells.add(cursor.cell());
    }
    return cells;
  }

  private static ViewCursor cursor(SortedView view, List<List<Cell>> runs) {
    long wanted = 0;
    for (int r = 0; r < runs.size(); r++) {
      wanted |= runs.get(r) == null ? 0 : 1L << r;
    }
    return new ViewCursor(view, COMPARATOR, wanted, r -> new ListRun(runs.get(r)));
  }

  private static List<List<Cell>> leaveOut(ViewCells cells, List<List<Cell>> runs) {
    List<List<Cell>> some = new ArrayList<>(runs);
    some.replaceAll(r -> cells.below(3) == 0 ? null : r);
    return some;
  }

  private static int interval(ViewCells cells) {
    return INTERVALS[cells.below(INTERVALS.length)];
  }
}
