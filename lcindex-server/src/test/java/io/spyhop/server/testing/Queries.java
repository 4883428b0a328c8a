package io.spyhop.server.testing;

import io.spyhop.core.predicate.Predicate;
import io.spyhop.core.predicate.PredicateFilter;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.protocol.RegionPlan;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.server.index.local.KnownMatches;
import io.spyhop.server.index.local.RegionIndexes;
import io.spyhop.server.index.local.RegionPairs;
import io.spyhop.server.index.memstore.LogMemory;
import io.spyhop.server.index.stats.RegionStatistics;
import io.spyhop.server.index.stats.StatisticsMemory;
import io.spyhop.server.memory.MemoryBudget;
import io.spyhop.server.metrics.ServerMetrics;
import io.spyhop.server.query.RegionQueries;
import io.spyhop.server.query.plan.CostModel;
import io.spyhop.server.query.plan.QueryPlanner;
import io.spyhop.server.query.report.SlowQueries;
import io.spyhop.server.query.report.SlowQueryLog;
import io.spyhop.server.query.scan.QueryEnvironment;
import io.spyhop.server.view.store.RecentBlocks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;
import org.apache.hadoop.hbase.metrics.impl.MetricRegistriesImpl;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;

/** Queries of a region beside the server's own, with limits of their own. */
public final class Queries {
  private static final byte[] ID = {7};

  private Queries() {}

  /** With a memory of that many bytes for the server and that many for each query. */
  public static RegionQueries of(IndexedTableFixture t, long server, long query) {
    return of(t, new MemoryBudget(server), query);
  }

  /** With that memory of the server. */
  public static RegionQueries of(IndexedTableFixture t, MemoryBudget server, long query) {
    return of(t, server, query, newMetrics());
  }

  /** Which count in given metrics. */
  public static RegionQueries of(
      IndexedTableFixture t, MemoryBudget server, long query, ServerMetrics metrics) {
    return new RegionQueries(
        t.region(), "server", t.indexes(), none(t.region()), environment(server, query, metrics));
  }

  /**
   * Runs a query to its end.
   *
   * @param hint the index to use
   * @return what was done for it
   */
  public static RegionPlan.Actual run(IndexedTableFixture t, Predicate predicate, String hint)
      throws IOException {
    RegionQueries queries = of(t, Long.MAX_VALUE, Long.MAX_VALUE);
    Scan scan = new Scan().addFamily(IndexedTableFixture.F);
    scan.setFilter(new PredicateFilter(t.bind(predicate)));
    scan.setAttribute(Attributes.PATH_HINT, Bytes.toBytes(hint));
    scan.setAttribute(Attributes.QUERY_ID, ID);
    try (RegionScanner scanner = queries.open(scan, t.region().getScanner(scan))) {
      List<Cell> cells = new ArrayList<>();
      while (scanner.nextRaw(cells)) {
        cells.clear();
      }
    }
    return queries.report(ID).flatMap(RegionPlan::actual).orElseThrow();
  }

  /** Metrics that nobody else counts in. */
  public static ServerMetrics newMetrics() {
    return new ServerMetrics(
        new MetricRegistriesImpl()
            .create(new MetricRegistryInfo("test", "test", "test", "test", false)));
  }

  /** Of any region, without limits. */
  public static RegionQueries of(HRegion region) {
    return new RegionQueries(
        region,
        "server",
        new RegionIndexes(
            IndexSchema.of(region.getTableDescriptor()),
            new RegionPairs(new MemoryBudget(0), () -> 0),
            new KnownMatches(0),
            new RecentBlocks(0),
            () -> {}),
        none(region),
        environment(new MemoryBudget(Long.MAX_VALUE), Long.MAX_VALUE, newMetrics()));
  }

  private static RegionStatistics none(HRegion region) {
    try {
      return new RegionStatistics(
          region,
          IndexSchema.of(List.of()),
          () -> true,
          new LogMemory(new MemoryBudget(0), () -> {}),
          new StatisticsMemory(new MemoryBudget(0), () -> {}));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static QueryEnvironment environment(
      MemoryBudget server, long query, ServerMetrics metrics) {
    Configuration conf = new Configuration(false);
    TestCluster.favourIndexes(conf);
    return new QueryEnvironment(
        new QueryPlanner(CostModel.of(conf)),
        server,
        query,
        metrics,
        new SlowQueries(0, true, new SlowQueryLog(1)));
  }
}
