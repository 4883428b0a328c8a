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
   * What a change was like; names as in {@link DynahashReport.Rebalance}.
   *
   * @param seconds until all indexes are there
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
