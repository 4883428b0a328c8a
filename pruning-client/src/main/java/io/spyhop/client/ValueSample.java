package io.spyhop.client;

import com.google.common.base.Ascii;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.value.ValueType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The first values of a table's columns, as far as the caller may read them: they tell whether a
 * type is one that the values have. Reads few rows, and of these no more than a bound of bytes.
 * Thread-safe.
 */
final class ValueSample {
  private static final int ROWS = 100;
  private static final long BYTES = 1 << 20;
  private static final int SHOWN = 60;
  private static final Logger LOG = LoggerFactory.getLogger(ValueSample.class);

  private final Connection connection;
  private final TableName table;

  ValueSample(Connection connection, TableName table) {
    this.connection = connection;
    this.table = table;
  }

  /**
   * That none of a column's first values is of a type; empty if some are, and where it has no
   * values in the table's first rows, or they cannot be read.
   */
  Optional<String> misfit(ColumnName column, ValueType type) {
    List<byte[]> values;
    try {
      values = values(column);
    } catch (IOException e) {
      LOG.debug("Table {}: what is in {} is not known", table, column, e);
      return Optional.empty();
    }
    return values.isEmpty() || values.stream().anyMatch(v -> isOf(type, v))
        ? Optional.empty()
        : Optional.of(text(column, type, values));
  }

  private static boolean isOf(ValueType type, byte[] value) {
    return type.codec().isDecodable(value, 0, value.length);
  }

  /** Of the whole family's rows: to look for those of a rare column takes the whole table. */
  private List<byte[]> values(ColumnName column) throws IOException {
    Scan scan =
        new Scan()
            .addFamily(column.family())
            .setLimit(ROWS)
            .setCaching(ROWS)
            .setMaxResultSize(BYTES)
            .setAllowPartialResults(true);
    List<byte[]> values = new ArrayList<>();
    try (Table open = connection.getTable(table);
        ResultScanner rows = open.getScanner(scan)) {
      long read = 0;
      for (Result row = rows.next(); row != null && read < BYTES; row = rows.next()) {
        read += Result.getTotalSizeOfCells(row);
        for (Cell cell : row.rawCells()) {
          if (column.matches(cell)) {
            values.add(CellUtil.cloneValue(cell));
          }
        }
      }
    }
    return values;
  }

  private String text(ColumnName column, ValueType type, List<byte[]> values) {
    String fitting =
        Arrays.stream(ValueType.values())
            .filter(t -> values.stream().allMatch(v -> isOf(t, v)))
            .map(ValueType::name)
            .collect(Collectors.joining(", "));
    return "table '"
        + table
        + "': none of the first "
        + values.size()
        + " values of column "
        + column
        + " is a value of type "
        + type
        + ", for example '"
        + Ascii.truncate(Bytes.toStringBinary(values.get(0)), SHOWN, "...")
        + "': no comparison is true of them, and no index of that type has them. Types that all of"
        + " them have: "
        + fitting;
  }
}
