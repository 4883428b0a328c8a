package io.spyhop.bench.order;

import io.spyhop.bench.BenchCluster;
import io.spyhop.bench.Numbers;
import io.spyhop.bench.Progress;
import io.spyhop.bench.Row;
import io.spyhop.bench.mdrq.Answers;
import io.spyhop.bench.tpch.OrderStream;
import io.spyhop.bench.tpch.OrdersLoader;
import io.spyhop.bench.tpch.OrdersTable;
import io.spyhop.client.IndexedTable;
import io.spyhop.client.Order;
import io.spyhop.client.Query;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import io.spyhop.core.io.IoSupplier;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.schema.IndexDefinition;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The ten orders of the highest price, by the index's order and by reading all orders: once in one
 * scan, as a program without Spyhop does, and once in scans of all regions side by side.
 */
public final class OrderBench {
  /** How many times faster than the plain way the first rows are to be. */
  public static final int ASKED_FOR = 50;

  private static final TableName NAME = TableName.valueOf("orders_by_price");
  private static final Duration INDEX_LIMIT = Duration.ofMinutes(20);
  private static final int LIMIT = 10;
  private static final int WARMUPS = 2;

  /** Of what is over soon, and runs rarely enough to be interpreted. */
  private static final int SHORT_WARMUPS = 200;

  private static final int CACHING = 1_000;
  private static final long TIMESTAMP = 1_000_000_000_000L;

  private final BenchCluster.Source clusters;
  private final long rows;
  private final int regions;
  private final int rounds;

  /**
   * Measures with a table of so many orders.
   *
   * @param rounds of which the median is taken
   */
  public OrderBench(BenchCluster.Source clusters, long rows, int regions, int rounds) {
    this.clusters = clusters;
    this.rows = rows;
    this.regions = regions;
    this.rounds = rounds;
  }

  /** Loads and measures. */
  public Row run(Progress.Factory progress) throws IOException {
    try (BenchCluster cluster = clusters.start(Map.of());
        Spyhop spyhop = Spyhop.connect(cluster.connection())) {
      load(cluster.connection(), spyhop, progress);
      return Row.of("rows", rows)
          .and("regions", regions)
          .and("top10", top10(cluster, spyhop.table(NAME)));
    }
  }

  private void load(Connection connection, Spyhop spyhop, Progress.Factory progress)
      throws IOException {
    try (Admin admin = connection.getAdmin();
        OrdersLoader loader = new OrdersLoader(connection, TIMESTAMP);
        Progress steps = progress.start("Writing " + rows + " orders", rows)) {
      admin.createTable(OrdersTable.keptDescriptor(NAME), OrdersTable.splits(rows, regions));
      List<IndexDefinition> price =
          OrdersTable.indexes().stream().filter(i -> i.name().equals("totalprice")).toList();
      spyhop.admin().createIndexes(NAME, price);
      loader.load(NAME, new OrderStream(rows), steps);
      admin.flush(NAME);
    }
    spyhop.admin().waitUntilActive(NAME, INDEX_LIMIT);
  }

  private Row top10(BenchCluster cluster, IndexedTable table) throws IOException {
    Query query = Query.all().orderBy("totalprice", Order.DESC).limit(LIMIT);
    IoSupplier<List<Result>> scan = () -> scan(cluster.connection());
    IoSupplier<List<Result>> inRegions =
        () -> rows(table, query.hint(Attributes.PATH_SCAN).pruning(false));
    IoSupplier<List<Result>> inOrder = () -> rows(table, query);
    List<Result> expected = scan.get();
    boolean equal =
        Answers.difference(expected, inRegions.get()).isEmpty()
            && Answers.difference(expected, inOrder.get()).isEmpty();
    double scanMs = median(WARMUPS, scan);
    double regionsMs = median(WARMUPS, inRegions);
    double orderMs = median(SHORT_WARMUPS, inOrder);
    long before = cluster.dataBlocksRead();
    for (int i = 0; i < rounds; i++) {
      inOrder.get();
    }
    double blocks = (double) (cluster.dataBlocksRead() - before) / rounds;
    double plainMs = Math.min(scanMs, regionsMs);
    return Row.of("plain_ms", plainMs)
        .and("spyhop_ms", orderMs)
        .and("ratio", Numbers.ratio(plainMs, orderMs))
        .and("blocks", Numbers.rounded(blocks))
        .and("equal", equal)
        .and("plain_scan_ms", scanMs)
        .and("plain_regions_ms", regionsMs);
  }

  private double median(int warmups, IoSupplier<List<Result>> way) throws IOException {
    return Numbers.medianMillis(
        warmups,
        rounds,
        () -> {
          int found = way.get().size();
          if (found != Math.min(LIMIT, rows)) {
            throw new IOException("a query found " + found + " rows of " + LIMIT);
          }
        });
  }

  private static List<Result> rows(IndexedTable table, Query query) throws IOException {
    List<Result> rows = new ArrayList<>();
    try (RowCursor cursor = table.query(query)) {
      cursor.forEach(rows::add);
    }
    return rows;
  }

  private static List<Result> scan(Connection connection) throws IOException {
    Comparator<Result> byPrice =
        Comparator.comparingDouble(OrderBench::price)
            .reversed()
            .thenComparing(Result::getRow, Bytes.BYTES_COMPARATOR);
    PriorityQueue<Result> kept = new PriorityQueue<>(byPrice.reversed());
    try (Table table = connection.getTable(NAME);
        ResultScanner scanner = table.getScanner(new Scan().setCaching(CACHING))) {
      for (Result row = scanner.next(); row != null; row = scanner.next()) {
        kept.add(row);
        if (kept.size() > LIMIT) {
          kept.remove();
        }
      }
    }
    return kept.stream().sorted(byPrice).toList();
  }

  private static double price(Result row) {
    return Bytes.toDouble(row.getValue(OrdersTable.FAMILY, OrdersTable.TOTALPRICE));
  }
}
