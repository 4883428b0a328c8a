package io.spyhop.client.internal.bucket;

import io.spyhop.client.internal.exec.MergedRows;
import io.spyhop.client.internal.exec.ReadDemand;
import io.spyhop.client.internal.exec.RowRange;
import io.spyhop.client.internal.exec.RowSource;
import io.spyhop.client.internal.exec.RowStream;
import io.spyhop.client.internal.exec.ScanPool;
import io.spyhop.core.bucket.BucketOptions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The rows of all prefixes in the order of users' keys: a sorted run of each, a priority queue over
 * them (paper, section IV). Stateless.
 *
 * <p>Runs are open all at once, but for those whose next row is wide. What each may hold is so
 * little that together they take what one cursor may.
 */
public final class PrefixRuns {
  /** How many rows of a run are read for a reader who waits for it, at least. */
  static final int LEAST_ROWS = 16;

  private PrefixRuns() {}

  /**
   * Merges runs.
   *
   * @param runs the parts of each run, in its order
   * @param opener of scans that {@link #paged} has changed, whose rows have users' keys
   * @param descending whether each run has the greatest row first
   * @param rows how many are asked for, {@link ReadDemand#ALL} and more for all
   */
  public static RowStream merged(
      List<List<RowRange>> runs,
      RowSource.Opener opener,
      boolean descending,
      ScanPool pool,
      long rows) {
    return merged(runs, opener, descending, pool, rows, 1);
  }

  /** One of so many such merges, which have the same room together. */
  static RowStream merged(
      List<List<RowRange>> runs,
      RowSource.Opener opener,
      boolean descending,
      ScanPool pool,
      long rows,
      int merges) {
    ReadDemand demand = new ReadDemand(rows, LEAST_ROWS);
    List<MergedRows.Run> opened = new ArrayList<>();
    for (List<RowRange> parts : runs) {
      opened.add(from -> RowStream.started(goOn(parts, from, descending), opener, pool, demand));
    }
    return new MergedRows(opened, descending, room(runs.size(), merges, pool));
  }

  /** What is left of a run from a user's key on. */
  private static List<RowRange> goOn(List<RowRange> parts, byte[] from, boolean descending) {
    if (from == null) {
      return parts;
    }
    byte[] prefix = Arrays.copyOf(parts.get(0).start(), BucketOptions.WIDTH);
    RowRange users = StoredRows.within(from(from, descending));
    RowRange left = new RowRange(behind(prefix, users.start()), behind(prefix, users.stop()));
    return parts.stream().filter(left::overlaps).map(left::within).toList();
  }

  private static byte[] behind(byte[] prefix, byte[] bound) {
    return bound.length == 0 ? bound : Bytes.add(prefix, bound);
  }

  /** Rows from one on, that one included. */
  static RowRange from(byte[] row, boolean descending) {
    byte[] none = new byte[0];
    return descending
        ? new RowRange(none, Arrays.copyOf(row, row.length + 1))
        : new RowRange(row, none);
  }

  /** A run holds a page anyway. */
  static MergedRows.Room room(int runs, int merges, ScanPool pool) {
    return new MergedRows.Room(
        pool.readAhead().headBytes() / merges, pool.readAhead().pageBytes(runs * merges));
  }

  /** A scan of one of so many runs, with pages that are as large as there is room for. */
  public static Scan paged(Scan scan, int runs, ScanPool pool) {
    long page = pool.readAhead().pageBytes(runs);
    long own = scan.getMaxResultSize();
    return own > 0 && own < page ? scan : scan.setMaxResultSize(page);
  }
}
