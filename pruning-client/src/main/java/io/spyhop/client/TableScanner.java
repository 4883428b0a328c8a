package io.spyhop.client;

import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** HBase's own scanner, which takes its table along when it is closed. Not thread-safe. */
final class TableScanner implements ResultScanner {
  private static final Logger LOG = LoggerFactory.getLogger(TableScanner.class);

  private final Table table;
  private final ResultScanner scanner;

  private TableScanner(Table table, ResultScanner scanner) {
    this.table = table;
    this.scanner = scanner;
  }

  /** Runs a scan as it is. */
  static ResultScanner open(Connection connection, TableName name, Scan scan) throws IOException {
    Table table = connection.getTable(name);
    try {
      return new TableScanner(table, table.getScanner(scan));
    } catch (IOException | RuntimeException e) {
      table.close();
      throw e;
    }
  }

  @Override
  public Result next() throws IOException {
    return scanner.next();
  }

  @Override
  public void close() {
    scanner.close();
    try {
      table.close();
    } catch (IOException e) {
      LOG.warn("Closing table {} after a scan failed", table.getName(), e);
    }
  }

  @Override
  public boolean renewLease() {
    return scanner.renewLease();
  }

  @Override
  public ScanMetrics getScanMetrics() {
    return scanner.getScanMetrics();
  }
}
