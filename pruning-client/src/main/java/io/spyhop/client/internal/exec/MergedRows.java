package io.spyhop.client.internal.exec;

import io.spyhop.core.order.LoserTree;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
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
  private final LoserTree<Result> tree;
  private boolean begun;
  private boolean closed;

  /**
   * Merges streams, which this one closes.
   *
   * @param descending whether each of them, and this one, has the greatest row first
   */
  public MergedRows(List<RowStream> streams, boolean descending) {
    this.streams = List.copyOf(streams);
    this.tree = new LoserTree<>(streams.size(), descending);
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
    if (!begun) {
      begin();
    } else if (tree.first() >= 0) {
      advance();
    }
    return tree.first() < 0 ? null : tree.head();
  }

  private void begin() throws IOException {
    for (int i = 0; i < streams.size(); i++) {
      Result first = streams.get(i).next();
      if (first != null) {
        Cell key = first.rawCells()[0];
        tree.set(i, first, key.getRowArray(), key.getRowOffset(), key.getRowLength());
      }
    }
    tree.begin();
    begun = true;
  }

  private void advance() throws IOException {
    Result next = streams.get(tree.first()).next();
    if (next == null) {
      tree.end();
    } else {
      Cell key = next.rawCells()[0];
      tree.replace(next, key.getRowArray(), key.getRowOffset(), key.getRowLength());
    }
  }

  @Override
  public void close() {
    closed = true;
    streams.forEach(RowStream::close);
  }
}
