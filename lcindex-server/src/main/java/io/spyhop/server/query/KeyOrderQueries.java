package io.spyhop.server.query;

import io.spyhop.core.order.KeyOrderRequest;
import io.spyhop.server.index.stats.RowSpan;
import io.spyhop.server.query.plan.QueryPlanner;
import io.spyhop.server.query.plan.ScanChecks;
import io.spyhop.server.query.plan.ScanPredicate;
import io.spyhop.server.query.scan.IndexScanner;
import io.spyhop.server.query.scan.KeyOrderScanner;
import io.spyhop.server.query.scan.KeySortedScanner;
import io.spyhop.server.query.scan.QueryRegion;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.regionserver.RegionScanner;

/**
 * Scans that ask a bucketed table's region for rows in the order of users' keys
 * (docs/decisions/0045, 0073). Thread-safe.
 */
final class KeyOrderQueries {
  private final QueryRegion region;

  KeyOrderQueries(QueryRegion region) {
    this.region = region;
  }

  /**
   * Opens the scanner: of the rows that an index finds, where that costs less than to read all, or
   * of all rows, of which the filter leaves some.
   *
   * @throws io.spyhop.core.order.OrderResetException if it is not the scan that the client asked
   *     for, or of more than this region
   * @throws io.spyhop.core.order.OrderRefusedException if the client has to merge
   * @throws org.apache.hadoop.hbase.DoNotRetryIOException if the table has no buckets, or the scan
   *     takes rows in parts, or its filter cannot be read
   */
  RegionScanner open(Scan scan, KeyOrderRequest request, RegionScanner core) throws IOException {
    Optional<Filter> passed = request.newFilter();
    if (passed.isPresent()) {
      Scan asked = new Scan(scan).setFilter(passed.get());
      Optional<QueryPlanner.Choice> choice = choose(asked, core);
      choice.ifPresent(c -> region.report(scan, c.plan()));
      if (choice.isPresent() && choice.get().driving().isPresent()) {
        return sorted(scan, request, asked, choice.get(), core);
      }
      choice.flatMap(QueryPlanner.Choice::fallback).ifPresent(region::fallBack);
    }
    return KeyOrderScanner.open(region.region(), scan, request, region.newMemory(), core);
  }

  /** Sorting needs all rows that match, however few are wanted. Empty where no index may answer. */
  private Optional<QueryPlanner.Choice> choose(Scan asked, RegionScanner core) throws IOException {
    ScanFilter filter = ScanFilter.of(asked.getFilter());
    if (filter.question().isEmpty()) {
      return Optional.empty();
    }
    ScanPredicate question = filter.question().get();
    if (filter.isPredicate()) {
      ScanChecks.checkSelection(region.table(), asked, question.predicate());
    }
    if (question.hides() || ScanChecks.unsupported(asked, question, core).isPresent()) {
      return Optional.empty();
    }
    return Optional.of(
        region
            .planner()
            .choose(
                region.region(),
                region.server(),
                region.indexes(),
                region.statistics(),
                question,
                region.families(asked),
                new RowSpan(asked.getStartRow(), asked.getStopRow()),
                QueryRegion.hint(asked),
                Long.MAX_VALUE));
  }

  private RegionScanner sorted(
      Scan scan,
      KeyOrderRequest request,
      Scan asked,
      QueryPlanner.Choice choice,
      RegionScanner core)
      throws IOException {
    region.metrics().indexedQueries.increment();
    ScanPredicate question = ScanFilter.of(asked.getFilter()).question().orElseThrow();
    IndexScanner found =
        new IndexScanner(
            region, region.query(asked, question, choice.driving().orElseThrow()), choice, core);
    return new KeySortedScanner(region.region(), scan, request, found, region.newMemory());
  }
}
