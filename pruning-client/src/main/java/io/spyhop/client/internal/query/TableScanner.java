package io.spyhop.client.internal.query;

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

  private final Connection connection;
  private final Table table;
  private final ResultScanner scanner;
  private byte[] from;

  private TableScanner(Connection connection, Table table, Scan scan) throws IOException {
    this.connection = connection;
    this.table = table;
    this.scanner = table.getScanner(new Scan(scan)); // HBase 2.5 counts the limit down in its scan
    this.from = scan.getStartRow();
  }

  /** Runs a scan as it is. */
  static ResultScanner open(Connection connection, TableName name, Scan scan) throws IOException {
    Table table = connection.getTable(name);
    try {
      return new TableScanner(connection, table, scan);
    } catch (IOException | RuntimeException e) {
      table.close();
      throw e;
    }
  }

  @Override
  public Result next() throws IOException {
    try {
      Result row = scanner.next();
      from = row == null ? from : row.getRow();
      return row;
    } catch (IOException e) {
      throw MissingJar.named(e, connection, table.getName(), from);
    }
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
