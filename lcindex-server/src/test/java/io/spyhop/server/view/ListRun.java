package io.spyhop.server.view;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.regionserver.KeyValueHeap;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.apache.hadoop.hbase.regionserver.NonReversedNonLazyKeyValueScanner;

/** A run in memory, whose positions are multiples of three. */
final class ListRun implements RunCursor {
  static final int STEP = 3;

  private final List<Cell> cells;
  private int at;
  private int moves;

  ListRun(List<Cell> cells) {
    this.cells = cells;
  }

  /** How often the cursor was placed or moved. */
  int moves() {
    return moves;
  }

  @Override
  public void place(long position) {
    if (position % STEP != 0 || position / STEP > cells.size()) {
      throw new IllegalStateException("no cell at " + position);
    }
    moves++;
    at = (int) position / STEP;
  }

  @Override
  public long position() {
    return (long) at * STEP;
  }

  @Override
  public void next() {
    if (at >= cells.size()) {
      throw new IllegalStateException("moved past the end");
    }
    moves++;
    at++;
  }

  @Override
  public Cell cell() {
    return at < cells.size() ? cells.get(at) : null;
  }

  @Override
  public void shipped() {}

  static Run run(int rank, List<Cell> cells) {
    return new Run("run" + rank, 1000, cells.size(), rank, new long[0], new int[0]);
  }

  static List<ListRun> cursors(List<List<Cell>> runs) {
    return runs.stream().map(ListRun::new).toList();
  }

  static SortedView merge(List<List<Cell>> runs, int interval) throws IOException {
    List<Run> names = new ArrayList<>();
    for (int r = 0; r < runs.size(); r++) {
      names.add(run(r, runs.get(r)));
    }
    return ViewMerge.merge(
        CellComparator.getInstance(),
        ViewCells.FAMILY,
        cursors(runs),
        new BuildTerms(interval, Long.MAX_VALUE, () -> {}),
        () -> names);
  }

  /** The runs' cells as HBase's own heap gives them; a null run is left out. */
  static List<Cell> heap(List<List<Cell>> runs) throws IOException {
    List<KeyValueScanner> scanners = new ArrayList<>();
    for (int r = 0; r < runs.size(); r++) {
      if (runs.get(r) != null) {
        scanners.add(new Scanner(runs.get(r), r));
      }
    }
    List<Cell> all = new ArrayList<>();
    KeyValueHeap heap = new KeyValueHeap(scanners, CellComparator.getInstance());
    for (Cell c = heap.next(); c != null; c = heap.next()) {
      all.add(c);
    }
    return all;
  }

  private static final class Scanner extends NonReversedNonLazyKeyValueScanner {
    private final List<Cell> cells;
    private final int order;
    private int at;

    Scanner(List<Cell> cells, int order) {
      this.cells = cells;
      this.order = order;
    }

    @Override
    public Cell peek() {
      return at < cells.size() ? cells.get(at) : null;
    }

    @Override
    public Cell next() {
      Cell cell = peek();
      at++;
      return cell;
    }

    @Override
    public boolean seek(Cell key) {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean reseek(Cell key) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long getScannerOrder() {
      return order;
    }

    @Override
    public void close() {}
  }
}
