package io.spyhop.client.internal.bucket;

import io.spyhop.client.internal.exec.Demand;
import io.spyhop.client.internal.exec.MergedRows;
import io.spyhop.client.internal.exec.RowRange;
import io.spyhop.client.internal.exec.RowSource;
import io.spyhop.client.internal.exec.RowStream;
import io.spyhop.client.internal.exec.ScanPool;
import io.spyhop.core.bucket.BucketKeys;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Scan;

/**
 * The rows of all prefixes in the order of users' keys: a sorted run of each, a priority queue over
 * them (paper, section IV). Stateless.
 *
 * <p>All runs are open at once. What each may hold is so little that together they take what one
 * cursor may.
 */
public final class PrefixRuns {
  /** How many rows of a run are read for a reader who waits for it, at least. */
  private static final int LEAST_ROWS = 16;

  private PrefixRuns() {}

  /**
   * Merges runs.
   *
   * @param runs the parts of each run, in its order
   * @param opener of scans that {@link #paged} has changed, whose rows have users' keys
   * @param descending whether each run has the greatest row first
   * @param rows how many are asked for, {@link Demand#ALL} and more for all
   */
  public static RowStream merged(
      List<List<RowRange>> runs,
      RowSource.Opener opener,
      boolean descending,
      ScanPool pool,
      long rows) {
    Demand demand = new Demand(rows, LEAST_ROWS);
    List<RowStream> streams = new ArrayList<>();
    runs.forEach(parts -> streams.add(RowStream.started(parts, opener, pool, demand)));
    return new MergedRows(streams, descending);
  }

  /** How many rows are read about, of all runs together, for so many that are wanted. */
  public static long rowsRead(BucketKeys keys, long rows) {
    return rows >= Demand.ALL ? Long.MAX_VALUE : keys.prefixes() * Math.max(LEAST_ROWS, rows);
  }

  /** A scan of one of so many runs, with pages that are as large as there is room for. */
  public static Scan paged(Scan scan, int runs, ScanPool pool) {
    long page = pool.readAhead().pageBytes(runs);
    long own = scan.getMaxResultSize();
    return own > 0 && own < page ? scan : scan.setMaxResultSize(page);
  }
}
