package io.spyhop.client;

import io.spyhop.client.internal.exec.RowStream;
import io.spyhop.core.protocol.DefinitionsChangedException;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Result;

/**
 * The rows of a query that was bound by remembered definitions. If a region knows that these have
 * changed, before any row has come, the query is bound again and run once more. Not thread-safe.
 */
final class ReboundRows implements RowStream {
  private final Rerun rerun;
  private RowStream rows;
  private boolean begun;
  private boolean closed;

  /** Runs the query as it is bound by new definitions. */
  @FunctionalInterface
  interface Rerun {
    /** Its rows; throws what a query throws that does not fit its table. */
    RowStream rows() throws IOException;
  }

  ReboundRows(RowStream rows, Rerun rerun) {
    this.rows = rows;
    this.rerun = rerun;
  }

  @Override
  public Result next() throws IOException {
    try {
      Result row = rows.next();
      begun = true;
      return row;
    } catch (IOException e) {
      if (begun || closed || DefinitionsChangedException.in(e).isEmpty()) {
        throw e;
      }
      begun = true;
      rows.close();
      rows = rerun.rows();
      return rows.next();
    }
  }

  @Override
  public void close() {
    closed = true;
    rows.close();
  }
}
