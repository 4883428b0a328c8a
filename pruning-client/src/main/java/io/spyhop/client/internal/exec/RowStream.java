package io.spyhop.client.internal.exec;

import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Result;

/** The rows of a query in row-key order. Not thread-safe. */
public interface RowStream extends Closeable {
  /**
   * The next row, or null after the last.
   *
   * @throws IOException if a scan failed; then the stream is good only to be closed
   * @throws java.io.InterruptedIOException if the thread was interrupted while it waited
   */
  Result next() throws IOException;

  /** Ends all scans and frees what they hold; harmless when repeated. Never throws. */
  @Override
  void close();

  /**
   * The rows of ranges.
   *
   * @param ranges in row-key order; one is read by the calling thread, more run on the pool
   * @param demand what the reader wants: ranges are read one after the other, then two, then four
   *     at a time if few rows are asked for
   */
  static RowStream of(
      java.util.List<RowRange> ranges, RowSource.Opener opener, ScanPool pool, ReadDemand demand) {
    return ranges.size() < 2
        ? new SequentialRows(ranges, opener)
        : new ParallelRows(ranges, opener, pool, demand);
  }

  /** The same rows; all scans run on the pool, and the first ones start now. */
  static RowStream started(
      java.util.List<RowRange> ranges, RowSource.Opener opener, ScanPool pool, ReadDemand demand) {
    ParallelRows rows = new ParallelRows(ranges, opener, pool, demand);
    rows.start();
    return rows;
  }

  /**
   * The same rows.
   *
   * @param now whether the first scans start now
   */
  static RowStream of(
      java.util.List<RowRange> ranges,
      RowSource.Opener opener,
      ScanPool pool,
      ReadDemand demand,
      boolean now) {
    return now ? started(ranges, opener, pool, demand) : of(ranges, opener, pool, demand);
  }

  /** Rows that are there. */
  static RowStream of(java.util.List<Result> rows) {
    java.util.Iterator<Result> left = rows.iterator();
    return new RowStream() {
      @Override
      public Result next() {
        return left.hasNext() ? left.next() : null;
      }

      @Override
      public void close() {
        // Nothing is open.
      }
    };
  }

  /** No rows. */
  static RowStream empty() {
    return new SequentialRows(
        java.util.List.of(),
        range -> {
          throw new IllegalStateException("there is nothing to read in " + range);
        });
  }
}
