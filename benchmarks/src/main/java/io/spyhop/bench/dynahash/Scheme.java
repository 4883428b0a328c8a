package io.spyhop.bench.dynahash;

import java.io.IOException;
import java.util.Set;
import org.apache.hadoop.hbase.ServerName;

/** A way to spread rows over servers. Not thread-safe. */
interface Scheme {
  String name();

  /** Makes its table on all servers, with all rows, flushed and indexed. */
  void load() throws IOException;

  /** Spreads it over these servers, whatever had it before. */
  Outcome spread(Set<ServerName> staying) throws IOException;

  /**
   * The figures of a change.
   *
   * @param seconds until all indexes are there
   * @param bytes of index files that were shipped; of {@code rehash} of the new table's HFiles too
   * @param least bytes that any scheme must move, see {@link LeastMoves}
   * @param balance normalised size of the server that has most, over the mean, afterwards
   * @param missing HFiles without their index when the master had done the last move
   * @param buckets that changed their server; of {@code rehash} 0
   * @param blockedMillis the longest for which writes of one bucket were held up, as the master
   *     noted it; of {@code rehash} 0, as nothing is written there meanwhile
   * @param equal whether a scan and an indexed query had the right rows afterwards
   */
  record Outcome(
      double seconds,
      long bytes,
      long least,
      double balance,
      long missing,
      int buckets,
      long blockedMillis,
      boolean equal) {}
}
