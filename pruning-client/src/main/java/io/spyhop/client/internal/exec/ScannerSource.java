package io.spyhop.client.internal.exec;

import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.protocol.Refusal;
import io.spyhop.core.trace.Work;
import java.io.IOException;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/** The rows of an ordinary HBase scan. Used by one thread at a time. */
public final class ScannerSource implements RowSource {
  private final Table table;
  private final ResultScanner scanner;
  private final UnaryOperator<Result> shape;

  private ScannerSource(Table table, ResultScanner scanner, UnaryOperator<Result> shape) {
    this.table = table;
    this.scanner = scanner;
    this.shape = shape;
  }

  /**
   * Opens a scan.
   *
   * @param scan nobody else may use it or its filter
   * @param shape what the caller gets of a row; null drops the row
   */
  public static RowSource open(
      Connection connection, TableName name, Scan scan, UnaryOperator<Result> shape)
      throws IOException {
    Work.carried().ifPresent(work -> scan.setAttribute(Attributes.TRACE, work));
    Table table = connection.getTable(name);
    try {
      return new ScannerSource(table, table.getScanner(scan), shape);
    } catch (IOException | RuntimeException e) {
      table.close();
      throw e;
    }
  }

  /**
   * The next row.
   *
   * @throws IOException if the scan fails or is refused
   */
  @Override
  public Result next() throws IOException {
    for (Result row = read(); row != null; row = read()) {
      Result shaped = shape.apply(row);
      if (shaped != null) {
        return shaped;
      }
    }
    return null;
  }

  private Result read() throws IOException {
    return Refusal.checked(scanner.next());
  }

  @Override
  public void close() throws IOException {
    try {
      scanner.close();
    } finally {
      table.close();
    }
  }
}
