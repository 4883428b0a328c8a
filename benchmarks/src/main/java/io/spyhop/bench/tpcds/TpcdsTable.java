package io.spyhop.bench.tpcds;

import io.spyhop.core.value.ValueType;
import io.trino.tpcds.Table;
import io.trino.tpcds.column.Column;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A table of the paper's workload and how its rows are stored: the row key is the primary key in
 * decimal, with leading zeros, so that rows are in the order of their surrogate keys; family {@code
 * d} has the columns that statistics are kept of, integers as four bytes, where they are not null,
 * and {@code d:row} with the whole row as dsdgen writes it. So a region has about the bytes that
 * the paper's partitions have; with a cell for each of up to 29 columns it would have ten times as
 * many.
 */
public enum TpcdsTable {
  /** Days; queries ask for a month of a year. */
  DATE_DIM(Table.DATE_DIM, Map.of("d_moy", ValueType.INT, "d_year", ValueType.INT), "d_date_sk"),
  /** Articles; queries ask for those of a manager. */
  ITEM(Table.ITEM, Map.of("i_manager_id", ValueType.INT), "i_item_sk"),
  /** Seconds of a day; queries ask for half an hour. */
  TIME_DIM(Table.TIME_DIM, Map.of("t_hour", ValueType.INT, "t_minute", ValueType.INT), "t_time_sk"),
  /** Kinds of households; queries ask for a number of dependents. */
  HOUSEHOLD_DEMOGRAPHICS(
      Table.HOUSEHOLD_DEMOGRAPHICS, Map.of("hd_dep_count", ValueType.INT), "hd_demo_sk"),
  /** Stores; queries ask for a name. */
  STORE(Table.STORE, Map.of("s_store_name", ValueType.STRING), "s_store_sk"),
  /** Sales; no query has a predicate on them, but one column joins them with days. */
  STORE_SALES(
      Table.STORE_SALES,
      Map.of("ss_sold_date_sk", ValueType.INT),
      "ss_ticket_number",
      "ss_item_sk");

  /** The only family, as text. */
  public static final String FAMILY_NAME = "d";

  /** The only family. */
  public static final byte[] FAMILY = Bytes.toBytes(FAMILY_NAME);

  private static final byte[] ROW = Bytes.toBytes("row");
  private static final String SEPARATOR = "|";
  private static final int KEY_DIGITS = 10;

  private final Table generated;
  private final SortedMap<String, ValueType> statisticsColumns;
  private final int[] keyPositions;
  private final List<String> columns;

  TpcdsTable(Table generated, Map<String, ValueType> statisticsColumns, String... key) {
    this.generated = generated;
    this.statisticsColumns = new TreeMap<>(statisticsColumns);
    this.columns = Arrays.stream(generated.getColumns()).map(Column::getName).toList();
    this.keyPositions = Arrays.stream(key).mapToInt(columns::indexOf).toArray();
  }

  Table generated() {
    return generated;
  }

  /** Its name in TPC-DS, in lower case. */
  public String tableName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The columns' names, in dsdgen's order. */
  public List<String> columns() {
    return columns;
  }

  /** The columns that statistics are kept of, and how their values are stored. */
  public SortedMap<String, ValueType> statisticsColumns() {
    return statisticsColumns;
  }

  /** The row key of a row. */
  public byte[] key(List<String> row) {
    StringBuilder key = new StringBuilder();
    for (int position : keyPositions) {
      String value = row.get(position);
      key.append("0".repeat(KEY_DIGITS - value.length())).append(value);
    }
    return Bytes.toBytes(key.toString());
  }

  /** A row as it is written; the server chooses the timestamp. */
  public Put put(List<String> row) {
    Put put = new Put(key(row)).addColumn(FAMILY, ROW, Bytes.toBytes(line(row)));
    statisticsColumns.forEach(
        (column, type) -> {
          String value = row.get(columns.indexOf(column));
          if (value != null) {
            put.addColumn(FAMILY, Bytes.toBytes(column), stored(type, value));
          }
        });
    return put;
  }

  private static String line(List<String> row) {
    return row.stream().map(v -> v == null ? "" : v).collect(Collectors.joining(SEPARATOR));
  }

  private static byte[] stored(ValueType type, String value) {
    return type == ValueType.INT ? Bytes.toBytes(Integer.parseInt(value)) : Bytes.toBytes(value);
  }

  /** All values of a stored row in the order of {@link #columns()}; NULL is the empty text. */
  public static String[] values(Result stored) {
    return Bytes.toString(stored.getValue(FAMILY, ROW)).split("\\|", -1);
  }

  /** The stored bytes of an integer column as the number they are. */
  public static int number(byte[] stored) {
    return Bytes.toInt(stored);
  }

  /** How many bytes of text dsdgen makes of a row: what the paper's partition sizes are about. */
  public static long textBytes(List<String> row) {
    return row.stream().mapToLong(v -> v == null ? 0 : v.length()).sum();
  }
}
