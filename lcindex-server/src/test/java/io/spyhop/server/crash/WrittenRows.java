package io.spyhop.server.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.client.Query;
import io.spyhop.client.RowCursor;
import io.spyhop.server.crash.Writer.Values;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/** Checks that the indexes find all that was acknowledged, and nothing else. */
final class WrittenRows {
  private WrittenRows() {}

  static void requireThrough(CrashTable table, Map<Integer, Values> expected) throws IOException {
    require(table, expected, "price >= 0", "price", Values::price);
    require(table, expected, "name >= 'n'", "name", Values::name);
    require(table, expected, "amount >= 0", "amount", Values::amount);
  }

  private static void require(
      CrashTable table,
      Map<Integer, Values> expected,
      String where,
      String index,
      Function<Values, ?> column)
      throws IOException {
    Map<String, Values> rows = new TreeMap<>();
    expected.forEach(
        (row, values) -> {
          if (column.apply(values) != null) {
            rows.put(Bytes.toString(CrashTable.row(row)), values);
          }
        });
    Map<String, Values> found = new TreeMap<>();
    try (RowCursor cursor =
        table.spyhop().table(CrashTable.NAME).query(Query.where(where).hint(index))) {
      for (Result r : cursor) {
        found.put(Bytes.toString(r.getRow()), values(r));
      }
    }
    assertThat(found).as("rows with %s through its index", index).isEqualTo(rows).isNotEmpty();
  }

  private static Values values(Result r) {
    byte[] price = r.getValue(CrashTable.FAMILY, CrashTable.PRICE);
    byte[] amount = r.getValue(CrashTable.FAMILY, CrashTable.AMOUNT);
    return new Values(
        price == null ? null : Bytes.toDouble(price),
        Bytes.toString(r.getValue(CrashTable.FAMILY, CrashTable.NAMED)),
        amount == null ? null : Bytes.toLong(amount));
  }
}
