package io.spyhop.client.internal.order;

import io.spyhop.client.internal.exec.RowStream;
import io.spyhop.core.order.ValueOrder;
import io.spyhop.core.order.ValuePosition;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.client.Result;

/**
 * Rows that come in row-key order, sorted: all are read when the first is asked for, and as many of
 * them are held as are wanted. Not thread-safe.
 */
final class SortedRows implements Feed {
  private final RowStream rows;
  private final ValueOrder order;
  private final Optional<ValuePosition> after;
  private final long limit;
  private final Predicate<Result> shown;
  private final SortMemory memory;
  private Deque<PlacedRow> sorted;
  private PlacedRow head;

  /**
   * @param rows of the part, with the column that orders them; closed with this
   * @param after the last row that is not wanted any more
   * @param limit how many rows are wanted at most
   * @param shown whether the caller gets anything of a row
   */
  SortedRows(
      RowStream rows,
      ValueOrder order,
      Optional<ValuePosition> after,
      long limit,
      Predicate<Result> shown,
      SortMemory memory) {
    this.rows = rows;
    this.order = order;
    this.after = after;
    this.limit = limit;
    this.shown = shown;
    this.memory = memory;
  }

  @Override
  public boolean next() throws IOException {
    if (sorted == null) {
      sorted = sort();
      rows.close();
    }
    if (head != null) {
      memory.take(-head.heapSize());
    }
    head = sorted.poll();
    return head != null;
  }

  private Deque<PlacedRow> sort() throws IOException {
    PriorityQueue<PlacedRow> last = new PriorityQueue<>((a, b) -> order.compare(b.at(), a.at()));
    for (Result row = rows.next(); row != null; row = rows.next()) {
      Optional<ValuePosition> at = order.position(Arrays.asList(row.rawCells()));
      if (at.isPresent() && isWanted(at.get(), last) && shown.test(row)) {
        add(new PlacedRow(at.get(), row), last);
      }
    }
    List<PlacedRow> all = new ArrayList<>(last);
    all.sort((a, b) -> order.compare(a.at(), b.at()));
    return new ArrayDeque<>(all);
  }

  private boolean isWanted(ValuePosition at, PriorityQueue<PlacedRow> kept) {
    return after.filter(a -> order.compare(at, a) <= 0).isEmpty()
        && (kept.size() < limit || order.compare(at, kept.element().at()) < 0);
  }

  private void add(PlacedRow row, PriorityQueue<PlacedRow> kept) throws IOException {
    if (kept.size() == limit) {
      memory.take(-kept.remove().heapSize());
    }
    memory.require(row.heapSize());
    kept.add(row);
  }

  @Override
  public PlacedRow head() {
    return head;
  }

  @Override
  public void close() {
    rows.close();
    sorted = new ArrayDeque<>();
  }
}
