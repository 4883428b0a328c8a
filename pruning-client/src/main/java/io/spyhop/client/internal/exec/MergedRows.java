package io.spyhop.client.internal.exec;

import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The rows of several streams, no two of which have a row in common, in one order. Several results
 * of one row stay together in their order. Not thread-safe.
 */
public final class MergedRows implements RowStream {
  /** Row-key order, of results that have cells. */
  public static final Comparator<Result> BY_ROW = MergedRows::compareRows;

  private final List<RowStream> streams;
  private final PriorityQueue<Side> sides;
  private Side taken;
  private boolean begun;
  private boolean closed;

  /** A stream and its next row. */
  private static final class Side {
    private final RowStream rows;
    private Result head;

    private Side(RowStream rows) {
      this.rows = rows;
    }

    private boolean advance() throws IOException {
      head = rows.next();
      return head != null;
    }
  }

  /**
   * Merges streams, which this one closes.
   *
   * @param order in which each of them is
   */
  public MergedRows(List<RowStream> streams, Comparator<Result> order) {
    this.streams = List.copyOf(streams);
    this.sides =
        new PriorityQueue<>(Math.max(1, streams.size()), (a, b) -> order.compare(a.head, b.head));
  }

  private static int compareRows(Result one, Result other) {
    Cell a = one.rawCells()[0];
    Cell b = other.rawCells()[0];
    return Bytes.compareTo(
        a.getRowArray(),
        a.getRowOffset(),
        a.getRowLength(),
        b.getRowArray(),
        b.getRowOffset(),
        b.getRowLength());
  }

  @Override
  public Result next() throws IOException {
    if (closed) {
      return null;
    }
    begin();
    if (taken != null && taken.advance()) {
      sides.add(taken);
    }
    taken = sides.poll();
    return taken == null ? null : taken.head;
  }

  private void begin() throws IOException {
    if (begun) {
      return;
    }
    begun = true;
    for (RowStream rows : streams) {
      Side side = new Side(rows);
      if (side.advance()) {
        sides.add(side);
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    streams.forEach(RowStream::close);
  }
}
