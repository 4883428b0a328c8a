package io.spyhop.client.internal.query;

import io.spyhop.client.internal.exec.RowRanges;
import io.spyhop.client.internal.exec.RowStream;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.hbase.client.Result;

/**
 * The rows of the first path that serves a query. Where reading them fails and the path gives way,
 * the next one goes on behind the last row. Nothing is asked before the first row is. Not
 * thread-safe.
 */
final class PathRows implements RowStream {
  private final Iterator<QueryPath> paths;
  private RowRanges left;
  private QueryPath path;
  private RowStream rows;
  private Result last;
  private boolean closed;

  /**
   * @param paths of which the last one serves every query
   */
  PathRows(List<QueryPath> paths, RowRanges rows) {
    this.paths = paths.iterator();
    this.left = rows;
  }

  @Override
  public Result next() throws IOException {
    if (closed) {
      return null;
    }
    if (rows == null) {
      open();
    }
    try {
      return handOut(rows.next());
    } catch (IOException e) {
      if (!path.givesWay(e)) {
        throw e;
      }
      rows.close();
      left = last == null ? left : left.after(last.getRow());
      open();
      return next();
    }
  }

  private void open() throws IOException {
    rows = null;
    while (rows == null) {
      path = paths.next();
      rows = path.open(left).orElse(null);
    }
  }

  private Result handOut(Result row) {
    last = row == null ? last : row;
    return row;
  }

  @Override
  public void close() {
    closed = true;
    if (rows != null) {
      rows.close();
    }
  }
}
