package io.spyhop.bench.pruning;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.bench.tpcds.TpcdsTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class JoinTest {
  private static final List<Result> DAYS = List.of(row(TpcdsTable.DATE_DIM, "d_date_sk", "7"));

  private static final List<Result> ARTICLES =
      List.of(
          row(TpcdsTable.ITEM, "i_item_sk", "1", "i_brand_id", "31", "i_brand", "cod"),
          row(TpcdsTable.ITEM, "i_item_sk", "2", "i_brand_id", "32", "i_brand", "eel"),
          row(TpcdsTable.ITEM, "i_item_sk", "3", "i_brand_id", "31", "i_brand", "cod"));

  private static final List<Result> SALES =
      List.of(
          sale("7", "1", "10.25"),
          sale("7", "3", "0.5"),
          sale("7", "2", null),
          sale("7", "4", "1.00"),
          sale("8", "1", "1.00"),
          sale(null, "1", "1.00"));

  private static Result sale(String day, String article, String price) {
    return row(
        TpcdsTable.STORE_SALES,
        "ss_ticket_number",
        "1",
        "ss_sold_date_sk",
        day,
        "ss_item_sk",
        article,
        "ss_ext_sales_price",
        price);
  }

  private static Result row(TpcdsTable table, String... columnsAndValues) {
    List<String> row = new ArrayList<>();
    table.columns().forEach(c -> row.add(null));
    for (int i = 0; i < columnsAndValues.length; i += 2) {
      row.set(table.columns().indexOf(columnsAndValues[i]), columnsAndValues[i + 1]);
    }
    return Result.create(table.put(row).get(TpcdsTable.FAMILY, Bytes.toBytes("row")));
  }

  private static final Join.Source ROWS =
      new Join.Source() {
        @Override
        public void rows(TableScan scan, Consumer<Result> rows) {
          (scan.table() == TpcdsTable.ITEM ? ARTICLES : DAYS).forEach(rows);
        }

        @Override
        public void sales(Consumer<Result> rows) {
          SALES.forEach(rows);
        }
      };

  @Test
  void salesOfFoundRowsAreAddedUpByBrand() throws IOException {
    Join join = new Join(PaperQuery.Q55, PaperQuery.Q55.instances(1).get(0));
    assertThat(join.ask(ROWS).totals())
        .isEqualTo(Map.of("31 cod", new Join.Total(2, 1_075), "32 eel", new Join.Total(1, 0)));
  }
}
