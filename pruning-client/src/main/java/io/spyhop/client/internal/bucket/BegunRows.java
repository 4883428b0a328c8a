package io.spyhop.client.internal.bucket;

import io.spyhop.client.internal.exec.RowRange;
import io.spyhop.client.internal.exec.RowStream;
import io.spyhop.core.bucket.BucketOptions;
import io.spyhop.core.io.IoFunction;
import io.spyhop.core.protocol.FirstRows;
import java.io.IOException;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Result;

/** The rows of one region, of which the first are there; the others are read on demand. */
final class BegunRows implements RowStream {
  private final Iterator<List<Cell>> first;
  private final UnaryOperator<Result> shape;
  private final IoFunction<RowRange, RowStream> others;
  private final boolean descending;
  private RowRange left;
  private boolean whole;
  private RowStream rest;

  /**
   * @param shape what the caller gets of a stored row; null drops the row
   * @param users the keys of all of them
   * @param others reads the rows with other keys
   */
  BegunRows(
      FirstRows first,
      UnaryOperator<Result> shape,
      RowRange users,
      boolean descending,
      IoFunction<RowRange, RowStream> others) {
    this.first = first.rows().iterator();
    this.shape = shape;
    this.others = others;
    this.descending = descending;
    this.left = users;
    this.whole = first.whole();
  }

  @Override
  public Result next() throws IOException {
    while (first.hasNext()) {
      Result row = Result.create(first.next());
      byte[] stored = row.getRow();
      byte[] key = Arrays.copyOfRange(stored, BucketOptions.WIDTH, stored.length);
      left = StoredRows.behind(left, key, descending);
      Result shaped = shape.apply(row);
      if (shaped != null) {
        return shaped;
      }
    }
    if (whole || left.isEmpty()) {
      return null;
    }
    if (rest == null) {
      rest = others.apply(left);
    }
    return rest.next();
  }

  @Override
  public void close() {
    whole = true;
    if (rest != null) {
      rest.close();
    }
  }
}
