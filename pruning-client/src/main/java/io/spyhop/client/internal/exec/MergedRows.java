package io.spyhop.client.internal.exec;

import java.io.IOException;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The rows of two streams, which have none in common, in row-key order. Several results of one row
 * stay together in their order. Not thread-safe.
 */
public final class MergedRows implements RowStream {
  private final Side first;
  private final Side second;
  private boolean closed;

  /** A stream and its next row. */
  private static final class Side {
    private final RowStream rows;
    private Result head;
    private boolean ended;

    private Side(RowStream rows) {
      this.rows = rows;
    }

    private Result peek() throws IOException {
      if (head == null && !ended) {
        head = rows.next();
        ended = head == null;
      }
      return head;
    }

    private Result take() {
      Result taken = head;
      head = null;
      return taken;
    }
  }

  /** The streams, which this one closes. */
  public MergedRows(RowStream first, RowStream second) {
    this.first = new Side(first);
    this.second = new Side(second);
  }

  @Override
  public Result next() throws IOException {
    if (closed) {
      return null;
    }
    Result one = first.peek();
    Result other = second.peek();
    if (one == null || other == null) {
      return one == null ? second.take() : first.take();
    }
    return Bytes.compareTo(one.getRow(), other.getRow()) < 0 ? first.take() : second.take();
  }

  @Override
  public void close() {
    closed = true;
    first.rows.close();
    second.rows.close();
  }
}
