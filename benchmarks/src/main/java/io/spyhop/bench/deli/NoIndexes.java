package io.spyhop.bench.deli;

import io.spyhop.core.schema.Maintenance;
import io.spyhop.core.schema.Repair;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Makes no index at all, and reads by scans: the three tables are alike then, and what differs
 * between their figures is noise.
 */
public final class NoIndexes implements Product {
  private final Connection connection;

  /** The connection stays the caller's. */
  public NoIndexes(Connection connection) {
    this.connection = connection;
  }

  @Override
  public void createIndex(
      TableName table, String column, Maintenance maintenance, Repair repair, long[] splits) {}

  @Override
  public List<TableName> indexTables(TableName table) {
    return List.of();
  }

  @Override
  public int read(TableName name, long value) throws IOException {
    return find(name, Search.of(Map.of(DeliTable.INDEXED, List.of(value))));
  }

  @Override
  public int find(TableName name, Search search) throws IOException {
    FilterList all = new FilterList(FilterList.Operator.MUST_PASS_ALL);
    search.columns().forEach((column, values) -> all.addFilter(anyOf(column, values)));
    int found = 0;
    try (Table table = connection.getTable(name);
        ResultScanner scanner = table.getScanner(new Scan().setFilter(all))) {
      while (found < search.limit() && scanner.next() != null) {
        found++;
      }
    }
    return found;
  }

  private static Filter anyOf(String column, List<Long> values) {
    FilterList any = new FilterList(FilterList.Operator.MUST_PASS_ONE);
    for (long value : values) {
      SingleColumnValueFilter one =
          new SingleColumnValueFilter(
              DeliTable.FAMILY, Bytes.toBytes(column), CompareOperator.EQUAL, Bytes.toBytes(value));
      one.setFilterIfMissing(true);
      any.addFilter(one);
    }
    return any;
  }

  @Override
  public long quiesce(TableName table) {
    return System.nanoTime();
  }

  @Override
  public void repairBefore(TableName table) throws IOException {
    RawScan.run(connection, table);
  }

  @Override
  public void close() {}
}
