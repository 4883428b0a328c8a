package io.spyhop.core.aggregate;

import io.spyhop.core.wire.CorruptFrameException;
import org.apache.hadoop.hbase.Cell;

/**
 * Feeds the cells of rows, and partial results, to groups. A row's cells may come in several parts.
 * Not thread-safe.
 */
public final class RowFeed {
  private final AggregateRequest request;
  private final ColumnValues values;
  private Groups groups;

  /** Feeds new groups. */
  public RowFeed(AggregateRequest request) {
    this.request = request;
    this.values = new ColumnValues(request);
    this.groups = new Groups(request);
  }

  /** Takes cells of a row, in HBase's order; they must stay as they are until its end is told. */
  public void offer(Iterable<? extends Cell> cells) {
    for (Cell cell : cells) {
      int column = columnOf(cell);
      if (column >= 0) {
        values.offer(column, cell.getValueArray(), cell.getValueOffset(), cell.getValueLength());
      }
    }
  }

  private int columnOf(Cell cell) {
    for (int i = 0; i < request.columns().size(); i++) {
      if (request.columns().get(i).name().matches(cell)) {
        return i;
      }
    }
    return -1;
  }

  /** More cells of the row may follow when those that were offered are not there any more. */
  public void keep() {
    values.keep();
  }

  /** The row has no more cells. */
  public void endRow() {
    groups.add(values);
    values.reset();
  }

  /** Takes a partial result, as {@link Groups#decode} says. */
  public void merge(byte[] partial) throws CorruptFrameException {
    groups.decode(partial);
  }

  /** What was fed so far. */
  public Groups groups() {
    return groups;
  }

  /** Goes on with new groups. */
  public void clear() {
    groups = new Groups(request);
  }
}
