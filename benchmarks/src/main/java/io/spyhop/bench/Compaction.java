package io.spyhop.bench;

import java.io.IOException;
import java.time.Duration;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;

/** A major compaction of all regions of a table, waited for. Stateless. */
public final class Compaction {
  private static final Duration LIMIT = Duration.ofMinutes(10);
  private static final Duration STEP = Duration.ofMillis(10);

  private Compaction() {}

  /**
   * Returns when no region has more than one HFile, as the region servers themselves say.
   *
   * @throws IOException if there is nothing to compact, or it takes longer than ten minutes
   */
  public static void run(Connection connection, TableName table) throws IOException {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    try (Admin admin = connection.getAdmin()) {
      if (isCompact(admin, table)) {
        throw new IOException("table '" + table + "' has nothing to compact");
      }
      admin.majorCompact(table);
      while (!isCompact(admin, table)) {
        if (System.nanoTime() > deadline) {
          throw new IOException("table '" + table + "' still compacts after " + LIMIT);
        }
        Pause.of(STEP, "table '" + table + "' compacts");
      }
    }
  }

  /** Does the same, or nothing where no region has more than one HFile. */
  public static void runIfNeeded(Connection connection, TableName table) throws IOException {
    boolean needed;
    try (Admin admin = connection.getAdmin()) {
      needed = !isCompact(admin, table);
    }
    if (needed) {
      run(connection, table);
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
}
