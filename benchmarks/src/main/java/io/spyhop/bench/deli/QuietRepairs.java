package io.spyhop.bench.deli;

import io.spyhop.bench.Pause;
import io.spyhop.client.IndexAdmin;
import java.io.IOException;
import java.time.Duration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.exceptions.TimeoutIOException;

/**
 * Waits until no region server has a repair left to do, of whatever table: only one table is
 * written at a time. Thread-safe.
 */
final class QuietRepairs implements Quiesce {
  private static final Duration LIMIT = Duration.ofMinutes(10);
  private static final Duration STEP = Duration.ofMillis(20);

  /** What moves from one list to the next is in none of them for a moment. */
  private static final int QUIET_LOOKS = 5;

  private final IndexAdmin admin;

  QuietRepairs(IndexAdmin admin) {
    this.admin = admin;
  }

  @Override
  public long await(TableName table) throws IOException {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    long since = System.nanoTime();
    int quiet = 0;
    while (quiet < QUIET_LOOKS) {
      long left = admin.repairs();
      if (System.nanoTime() > deadline) {
        throw new TimeoutIOException(
            "table '" + table + "' still has " + left + " repairs to do after " + LIMIT);
      }
      quiet = left == 0 ? quiet + 1 : 0;
      if (left > 0) {
        since = System.nanoTime();
      }
      Pause.of(STEP, "table '" + table + "' is repaired");
    }
    return since;
  }
}
