package io.spyhop.client.internal.query;

import io.spyhop.client.internal.exec.RowSource;
import io.spyhop.client.internal.exec.ScannerSource;
import java.io.IOException;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;

/** The rows of a scan with a condition, which a server without Spyhop's jar refuses by name. */
final class ConditionRows implements RowSource {
  private final Connection connection;
  private final TableName table;
  private final RowSource rows;
  private byte[] from;

  private ConditionRows(Connection connection, TableName table, Scan scan, RowSource rows) {
    this.connection = connection;
    this.table = table;
    this.rows = rows;
    this.from = scan.getStartRow();
  }

  /** Opens a scan; see {@link ScannerSource#open}. */
  static RowSource open(
      Connection connection, TableName table, Scan scan, UnaryOperator<Result> shape)
      throws IOException {
    RowSource rows = ScannerSource.open(connection, table, scan, shape);
    return new ConditionRows(connection, table, scan, rows);
  }

  @Override
  public Result next() throws IOException {
    try {
      Result row = rows.next();
      from = row == null ? from : row.getRow();
      return row;
    } catch (IOException e) {
      throw MissingJar.named(e, connection, table, from);
    }
  }

  @Override
  public void close() throws IOException {
    rows.close();
  }
}
