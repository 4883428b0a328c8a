package io.spyhop.bench.deli;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.exceptions.TimeoutIOException;

/**
 * Waits until the region servers' metrics show that no repair, of whatever table, waits or makes
 * progress. Only one table is written at a time. Thread-safe.
 */
final class QuietRepairs implements Quiesce {
  private static final Duration LIMIT = Duration.ofMinutes(10);
  private static final Duration STEP = Duration.ofMillis(100);

  /** What runs does not wait, but the number of entries that it has looked at grows. */
  private static final int QUIET_LOOKS = 3;

  private final BenchCluster cluster;

  QuietRepairs(BenchCluster cluster) {
    this.cluster = cluster;
  }

  @Override
  public synchronized long await(TableName table) throws IOException {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    long since = System.nanoTime();
    long done = cluster.repairsDone();
    int quiet = 0;
    while (quiet < QUIET_LOOKS) {
      if (System.nanoTime() > deadline) {
        throw new TimeoutIOException("table '" + table + "' is still repaired after " + LIMIT);
      }
      long waiting = cluster.repairsWaiting();
      long doneNow = cluster.repairsDone();
      quiet = waiting == 0 && doneNow == done ? quiet + 1 : 0;
      if (quiet == 0) {
        since = System.nanoTime();
      }
      done = doneNow;
      pause(table);
    }
    return since;
  }

  private static void pause(TableName table) throws IOException {
    try {
      Thread.sleep(STEP.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException io =
          new InterruptedIOException("interrupted while table '" + table + "' is repaired");
      io.initCause(e);
      throw io;
    }
  }
}
