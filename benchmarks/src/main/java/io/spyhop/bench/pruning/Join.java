package io.spyhop.bench.pruning;

import io.spyhop.bench.tpcds.TpcdsTable;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.client.Result;

/**
 * The whole of one of the paper's queries, as TPC-DS has it but for the order of the result: rows
 * of {@code store_sales} whose days, articles and so on are among those that the filtered scans
 * find, counted and their prices added up for each category or brand. The scans' rows are hashed in
 * the client. Immutable, thread-safe.
 */
final class Join {
  private static final TpcdsTable SALES = TpcdsTable.STORE_SALES;
  private static final int PRICE = SALES.columns().indexOf("ss_ext_sales_price");
  private static final int CENT_DIGITS = 2;

  /** The columns of sales that have the first column of another table. */
  private static final Map<TpcdsTable, String> FOREIGN_KEYS =
      Map.of(
          TpcdsTable.DATE_DIM, "ss_sold_date_sk",
          TpcdsTable.ITEM, "ss_item_sk",
          TpcdsTable.TIME_DIM, "ss_sold_time_sk",
          TpcdsTable.HOUSEHOLD_DEMOGRAPHICS, "ss_hdemo_sk",
          TpcdsTable.STORE, "ss_store_sk");

  private final List<TableScan> scans;
  private final List<String> groups;

  /** A way to read the tables. */
  interface Source {
    /** The rows that a scan finds. */
    void rows(TableScan scan, Consumer<Result> rows) throws IOException;

    /** All sales. */
    void sales(Consumer<Result> rows) throws IOException;
  }

  /**
   * A line of the result.
   *
   * @param count rows of sales
   * @param cents the sum of their prices
   */
  record Total(long count, long cents) {
    private Total plus(Total o) {
      return new Total(count + o.count, cents + o.cents);
    }
  }

  /**
   * An answer.
   *
   * @param totals by category or brand
   * @param dimensionNanos how long it took until all other tables were read
   * @param nanos how long all of it took
   */
  record Answer(SortedMap<String, Total> totals, long dimensionNanos, long nanos) {}

  /**
   * @param scans an instance of the query
   */
  Join(PaperQuery query, List<TableScan> scans) {
    this.scans = List.copyOf(scans);
    this.groups =
        switch (query) {
          case Q42 -> List.of("i_category_id", "i_category");
          case Q52, Q55 -> List.of("i_brand_id", "i_brand");
          case Q96 -> List.of();
        };
  }

  /** Reads the tables and gives the result. */
  Answer ask(Source source) throws IOException {
    long start = System.nanoTime();
    Map<Integer, Map<String, String>> groupsByKey = new LinkedHashMap<>();
    for (TableScan scan : scans) {
      groupsByKey.put(
          SALES.columns().indexOf(FOREIGN_KEYS.get(scan.table())), groupsByKey(scan, source));
    }
    long dimensions = System.nanoTime();
    SortedMap<String, Total> totals = new TreeMap<>();
    source.sales(sale -> add(TpcdsTable.values(sale), groupsByKey, totals));
    long end = System.nanoTime();
    return new Answer(totals, dimensions - start, end - start);
  }

  private Map<String, String> groupsByKey(TableScan scan, Source source) throws IOException {
    int[] positions =
        groups.stream().mapToInt(scan.table().columns()::indexOf).filter(p -> p >= 0).toArray();
    Map<String, String> found = new HashMap<>();
    source.rows(
        scan,
        row -> {
          String[] values = TpcdsTable.values(row);
          String group =
              Arrays.stream(positions).mapToObj(p -> values[p]).collect(Collectors.joining(" "));
          found.put(values[0], group);
        });
    return found;
  }

  private static void add(
      String[] sale,
      Map<Integer, Map<String, String>> groupsByKey,
      SortedMap<String, Total> totals) {
    StringBuilder group = new StringBuilder();
    for (Map.Entry<Integer, Map<String, String>> side : groupsByKey.entrySet()) {
      String part = side.getValue().get(sale[side.getKey()]);
      if (part == null) {
        return;
      }
      group.append(part);
    }
    String price = sale[PRICE];
    long cents =
        price.isEmpty() ? 0 : new BigDecimal(price).movePointRight(CENT_DIGITS).longValueExact();
    totals.merge(group.toString(), new Total(1, cents), Total::plus);
  }
}
