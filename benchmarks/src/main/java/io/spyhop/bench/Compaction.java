package io.spyhop.bench;

import java.io.IOException;
import java.time.Duration;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;

/** Runs compactions of tables, and waits for them. Stateless. */
public final class Compaction {
  private static final Duration STEP = Duration.ofMillis(10);
  private static final Duration QUIET_STEP = Duration.ofMillis(100);

  /** A compaction that is asked for begins within this time. */
  private static final int QUIET_STEPS = 5;

  private Compaction() {}

  /**
   * Compacts all regions, and returns when none has more than one HFile, as the region servers
   * themselves say.
   *
   * @throws IOException if there is nothing to compact, or it takes longer than ten minutes
   */
  public static void run(Connection connection, TableName table) throws IOException {
    if (!runIfNeeded(connection, table)) {
      throw new IOException("table '" + table + "' has nothing to compact");
    }
  }

  /**
   * Does the same, or nothing where no region has more than one HFile.
   *
   * @return whether there was something to compact
   */
  public static boolean runIfNeeded(Connection connection, TableName table) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      if (isCompact(admin, table)) {
        return false;
      }
      admin.majorCompact(table);
      Await.until("table '" + table + "' compacts", STEP, 1, () -> isCompact(admin, table));
      return true;
    }
  }

  private static boolean isCompact(Admin admin, TableName table) throws IOException {
    for (ServerName server : admin.getRegionServers()) {
      for (RegionMetrics region : admin.getRegionMetrics(server, table)) {
        if (region.getStoreFileCount() > 1) {
          return false;
        }
      }
    }
    return true;
  }

  /** Returns when no compaction of a table runs or has been asked for. */
  public static void awaitNone(Connection connection, TableName table) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      Await.until(
          "table '" + table + "' compacts",
          QUIET_STEP,
          QUIET_STEPS,
          () -> admin.getCompactionState(table) == CompactionState.NONE);
    }
  }
}
