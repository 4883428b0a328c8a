package io.spyhop.client.internal.query;

import io.spyhop.client.internal.exec.RowStream;
import io.spyhop.core.protocol.DefinitionsChangedException;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Result;

/**
 * The rows of a query that was bound by remembered definitions. If a region knows that these have
 * changed, before any row has come, the query is bound again and run once more. Not thread-safe.
 */
public final class ReboundRows implements RowStream {
  private final Rerun rerun;
  private RowStream rows;
  private final Check ofNothing;
  private boolean begun;
  private boolean closed;

  /** Runs the query as it is bound by new definitions. */
  @FunctionalInterface
  public interface Rerun {
    /** Its rows; throws what a query throws that does not fit its table. */
    RowStream rows() throws IOException;
  }

  /** Asks the table whether it is the one that the query was bound for. */
  @FunctionalInterface
  public interface Check {
    /** Throws what stands for the refusal of a region, if it is not. */
    void run() throws IOException;
  }

  /**
   * @param ofNothing runs before it is said that there are no rows
   */
  public ReboundRows(RowStream rows, Rerun rerun, Check ofNothing) {
    this.rows = rows;
    this.rerun = rerun;
    this.ofNothing = ofNothing;
  }

  @Override
  public Result next() throws IOException {
    try {
      Result row = rows.next();
      if (row == null && !begun) {
        ofNothing.run();
      }
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
