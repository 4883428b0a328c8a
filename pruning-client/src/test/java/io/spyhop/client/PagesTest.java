package io.spyhop.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.client.internal.exec.RowStream;
import io.spyhop.client.internal.exec.ScanPool;
import io.spyhop.core.order.ValueOrder;
import io.spyhop.core.predicate.BoundColumn;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.value.ValueType;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PagesTest {
  private final ScanPool pool = new ScanPool(1, 1);

  @AfterEach
  void close() {
    pool.close();
  }

  private static Result row(String key, double price) {
    return Result.create(
        List.of(
            new KeyValue(
                Bytes.toBytes(key),
                Bytes.toBytes("f"),
                Bytes.toBytes("price"),
                Bytes.toBytes(price))));
  }

  private RowCursor cursor(Result... rows) {
    Iterator<Result> left = List.of(rows).iterator();
    RowStream stream =
        new RowStream() {
          @Override
          public Result next() {
            return left.hasNext() ? left.next() : null;
          }

          @Override
          public void close() {
            // Nothing is open.
          }
        };
    return new RowCursor(
        TableName.valueOf("t"),
        stream,
        Long.MAX_VALUE,
        () -> 0,
        new Cancellation(pool, Optional.empty()));
  }

  /** Rows of the last value are asked for first, and then those behind it. */
  @Test
  void aRowWhoseValueChangesAmidAPageIsThereOnce() throws IOException {
    BoundColumn price = new BoundColumn(ColumnName.parse("f:price"), ValueType.DOUBLE);
    Pages pages =
        new Pages("t", Query.all().orderBy("f:price"), Optional.of(new ValueOrder(price, false)));
    RowPage first =
        pages.read(1, Optional.empty(), query -> cursor(row("a", 5), row("b", 5), row("c", 9)));
    RowPage second =
        pages.read(
            3,
            first.next(),
            query ->
                query.order().isPresent()
                    ? cursor(row("b", 9), row("c", 9), row("d", 9))
                    : cursor(row("b", 5)));
    assertThat(second.rows())
        .extracting(row -> Bytes.toString(row.getRow()))
        .containsExactly("b", "c", "d");
  }
}
