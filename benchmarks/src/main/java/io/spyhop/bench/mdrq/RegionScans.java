package io.spyhop.bench.mdrq;

import io.spyhop.bench.Parallel;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/**
 * Plain scans of whole tables, one scanner a region, side by side on a pool of the size that
 * Spyhop's client uses.
 */
public final class RegionScans implements Closeable {
  private static final int MIN_THREADS = 4;

  private final Connection connection;
  private final ExecutorService pool;

  /** Scans over that connection, which stays open. */
  public RegionScans(Connection connection) {
    this.connection = connection;
    int processors = Runtime.getRuntime().availableProcessors();
    this.pool = Executors.newFixedThreadPool(Math.max(MIN_THREADS, 2 * processors));
  }

  /**
   * The rows of all regions, in row-key order.
   *
   * @param scans makes a scan, once for each region: filters have state
   */
  public List<Result> all(TableName table, Supplier<Scan> scans) throws IOException {
    return some(table, region -> Optional.of(scans.get()));
  }

  /**
   * The rows of some regions, in row-key order.
   *
   * @param scans makes a scan of a region, or none
   */
  List<Result> some(TableName table, Function<RegionInfo, Optional<Scan>> scans)
      throws IOException {
    List<Callable<List<Result>>> tasks = new ArrayList<>();
    for (RegionInfo region : regions(table)) {
      scans
          .apply(region)
          .map(s -> s.withStartRow(region.getStartKey()).withStopRow(region.getEndKey()))
          .ifPresent(scan -> tasks.add(() -> one(table, scan)));
    }
    List<Result> rows = new ArrayList<>();
    Parallel.all(pool, tasks).forEach(rows::addAll);
    return rows;
  }

  /** The regions of a table, in row-key order. */
  List<RegionInfo> regions(TableName table) throws IOException {
    try (RegionLocator locator = connection.getRegionLocator(table)) {
      return locator.getAllRegionLocations().stream().map(HRegionLocation::getRegion).toList();
    }
  }

  /** The rows of one scan by one scanner. */
  public List<Result> one(TableName name, Scan scan) throws IOException {
    List<Result> rows = new ArrayList<>();
    try (Table table = connection.getTable(name);
        ResultScanner scanner = table.getScanner(scan)) {
      scanner.forEach(rows::add);
    }
    return rows;
  }

  @Override
  public void close() {
    pool.shutdownNow();
  }
}
