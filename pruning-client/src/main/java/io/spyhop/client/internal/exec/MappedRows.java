package io.spyhop.client.internal.exec;

import java.io.IOException;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.client.Result;

/** The rows of a stream, each changed. Not thread-safe. */
public final class MappedRows implements RowStream {
  private final RowStream rows;
  private final UnaryOperator<Result> change;

  /**
   * Changes the rows of a stream, which this one closes.
   *
   * @param change of one row, never to null
   */
  public MappedRows(RowStream rows, UnaryOperator<Result> change) {
    this.rows = rows;
    this.change = change;
  }

  @Override
  public Result next() throws IOException {
    Result row = rows.next();
    return row == null ? null : change.apply(row);
  }

  @Override
  public void close() {
    rows.close();
  }
}
