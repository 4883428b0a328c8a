package io.spyhop.bench.mdrq;

import io.spyhop.bench.Pause;
import java.io.IOException;
import java.time.Duration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;

/** Waits until a table's compactions have ended, so that they do not run into a measurement. */
final class Quiet {
  private static final Duration LIMIT = Duration.ofMinutes(10);
  private static final Duration STEP = Duration.ofMillis(100);

  /** A compaction that is asked for begins within this time. */
  private static final int QUIET_STEPS = 5;

  private Quiet() {}

  /**
   * Returns when no compaction runs or has been asked for.
   *
   * @throws IOException if some still run after ten minutes
   */
  static void await(Connection connection, TableName table) throws IOException {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    try (Admin admin = connection.getAdmin()) {
      int quiet = 0;
      while (quiet < QUIET_STEPS) {
        if (System.nanoTime() > deadline) {
          throw new IOException("table '" + table + "' still compacts after " + LIMIT);
        }
        quiet = admin.getCompactionState(table) == CompactionState.NONE ? quiet + 1 : 0;
        Pause.of(STEP, "table '" + table + "' compacts");
      }
    }
  }
}
