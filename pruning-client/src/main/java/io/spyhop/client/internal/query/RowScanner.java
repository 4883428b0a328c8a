package io.spyhop.client.internal.query;

import io.spyhop.client.internal.exec.MergedRows;
import io.spyhop.client.internal.exec.RowStream;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;

/** Rows as HBase's own scanners hand them out. Not thread-safe. */
public final class RowScanner implements ResultScanner {
  private final RowStream rows;
  private final long limit;
  private long count;
  private Result last;

  /**
   * @param limit the most rows to hand out
   */
  public RowScanner(RowStream rows, long limit) {
    this.rows = rows;
    this.limit = limit;
  }

  @Override
  public Result next() throws IOException {
    boolean perhapsMore = last != null && last.mayHaveMoreCellsInRow();
    Result row = count < limit || perhapsMore ? rows.next() : null;
    if (row != null && !(perhapsMore && MergedRows.BY_ROW.compare(last, row) == 0)) {
      count++;
    }
    last = row;
    if (row == null || count > limit) {
      close();
      return null;
    }
    return row;
  }

  @Override
  public void close() {
    rows.close();
  }

  /** Nothing is renewed: a scan whose lease has ended goes on where it was, as HBase's scans do. */
  @Override
  public boolean renewLease() {
    return false;
  }

  /** None: scans that ask for metrics run as they are. */
  @Override
  public ScanMetrics getScanMetrics() {
    return null;
  }
}
