package io.spyhop.bench.deli;

import io.spyhop.bench.Parallel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/**
 * Reads every version of every row out of the files of a table as they are, all regions side by
 * side: the work that looking for obsolete entries before a compaction has beyond looking for them
 * in it. The versions are not sent anywhere but to the client. Stateless.
 */
final class RawScan {
  private static final int CACHING = 1_000;

  private RawScan() {}

  /** Returns how many cells there are. */
  static long run(Connection connection, TableName table) throws IOException {
    List<Callable<Long>> scans = new ArrayList<>();
    try (Admin admin = connection.getAdmin()) {
      for (RegionInfo region : admin.getRegions(table)) {
        scans.add(() -> scan(connection, table, region));
      }
    }
    ExecutorService pool = Executors.newFixedThreadPool(scans.size());
    try {
      return Parallel.all(pool, scans).stream().mapToLong(Long::longValue).sum();
    } finally {
      pool.shutdownNow();
    }
  }

  private static long scan(Connection connection, TableName name, RegionInfo region)
      throws IOException {
    Scan scan =
        new Scan()
            .withStartRow(region.getStartKey())
            .withStopRow(region.getEndKey())
            .addFamily(DeliTable.FAMILY) // HBase refuses columns in raw scans
            .setRaw(true)
            .readAllVersions()
            .setCaching(CACHING)
            .setCacheBlocks(false);
    long cells = 0;
    try (Table table = connection.getTable(name);
        ResultScanner scanner = table.getScanner(scan)) {
      for (Result row : scanner) {
        cells += row.size();
      }
    }
    return cells;
  }
}
