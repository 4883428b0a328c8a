package io.spyhop.server.query;

import io.spyhop.core.predicate.PredicateFilter;
import io.spyhop.core.region.Attributes;
import io.spyhop.core.region.PlanRequest;
import io.spyhop.core.region.RegionPlan;
import io.spyhop.server.job.ServerMetrics;
import io.spyhop.server.local.RegionIndexes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Answers scans of one region from its indexes. Thread-safe.
 *
 * <p>Start here to follow a query on the server: {@link #open} decides, {@link IndexScanner} runs.
 */
public final class RegionQueries {
  private final HRegion region;
  private final String server;
  private final RegionIndexes indexes;
  private final QueryEnvironment environment;
  private final QueryReports reports = new QueryReports();

  /** Queries of a region. */
  public RegionQueries(
      HRegion region, String server, RegionIndexes indexes, QueryEnvironment environment) {
    this.region = region;
    this.server = server;
    this.indexes = indexes;
    this.environment = environment;
  }

  /**
   * What all queries of a server share.
   *
   * @param planner chooses the path
   * @param memory bounds what all queries hold
   * @param sortBudget bounds what one query holds in one region
   * @param metrics counts
   */
  public record QueryEnvironment(
      QueryPlanner planner, MemoryBudget memory, long sortBudget, ServerMetrics metrics) {}

  /**
   * Opens the scanner that answers a scan.
   *
   * @param scan with the whole filter, as HBase is about to run it
   * @param core the region's own scanner of the same scan; it stays open below, as it pins the read
   *     point
   * @return {@code core} itself where no index is used
   * @throws org.apache.hadoop.hbase.DoNotRetryIOException if the scan does not select the columns
   *     of its predicate
   */
  public RegionScanner open(Scan scan, RegionScanner core) throws IOException {
    if (!(scan.getFilter() instanceof PredicateFilter filter)) {
      return core;
    }
    String table = region.getTableDescriptor().getTableName().getNameAsString();
    ScanSupport.checkSelection(table, scan, filter.predicate());
    Optional<String> unsupported = ScanSupport.unsupported(scan);
    if (unsupported.isPresent()) {
      report(scan, scanPlan(unsupported.get()));
      return fallback(core);
    }
    QueryPlanner.Choice choice =
        environment
            .planner()
            .choose(region, server, indexes, filter.predicate(), families(scan), hint(scan));
    if (choice.driving().isEmpty()) {
      report(scan, choice.plan());
      return fallback(core);
    }
    IndexedQuery query =
        new IndexedQuery(
            region,
            region.getStore(choice.driving().get().column().family()),
            scan,
            filter.predicate(),
            choice.driving().get());
    environment.metrics().indexedQueries.increment();
    return new IndexScanner(this, query, choice, core);
  }

  private RegionScanner fallback(RegionScanner core) {
    environment.metrics().fallbacks.increment();
    return core;
  }

  private RegionPlan scanPlan(String reason) {
    return new RegionPlan(
        region.getRegionInfo().getEncodedName(),
        server,
        RegionPlan.Path.SCAN,
        reason,
        "",
        List.of(),
        0,
        0,
        0,
        0,
        Optional.empty());
  }

  private Collection<byte[]> families(Scan scan) {
    return scan.hasFamilies()
        ? scan.getFamilyMap().keySet()
        : region.getTableDescriptor().getColumnFamilyNames();
  }

  private static String hint(Scan scan) {
    byte[] hint = scan.getAttribute(Attributes.PATH_HINT);
    return hint == null ? Attributes.PATH_AUTO : Bytes.toString(hint);
  }

  /** How a query would be answered. */
  public RegionPlan explain(PlanRequest request) {
    Collection<byte[]> families =
        request.families().isEmpty()
            ? region.getTableDescriptor().getColumnFamilyNames()
            : new ArrayList<>(request.families());
    return environment
        .planner()
        .choose(region, server, indexes, request.predicate(), families, request.hint())
        .plan();
  }

  /** What a query did, if it is not forgotten. */
  public Optional<RegionPlan> report(byte[] queryId) {
    return reports.get(queryId);
  }

  void report(Scan scan, RegionPlan report) {
    byte[] id = scan.getAttribute(Attributes.QUERY_ID);
    if (id != null) {
      reports.put(id, report);
    }
  }

  RegionIndexes indexes() {
    return indexes;
  }

  QueryEnvironment environment() {
    return environment;
  }
}
