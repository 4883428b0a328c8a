package io.spyhop.server.query;

import io.spyhop.core.order.OrderRefusedException;
import io.spyhop.core.order.OrderRequest;
import io.spyhop.core.order.OrderResetException;
import io.spyhop.core.order.ValueOrderFilter;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.protocol.RegionPlan;
import io.spyhop.server.index.stats.RowSpan;
import io.spyhop.server.metrics.Fallback;
import io.spyhop.server.query.candidate.IndexedQuery;
import io.spyhop.server.query.plan.QueryPlanner;
import io.spyhop.server.query.plan.ScanChecks;
import io.spyhop.server.query.plan.ScanPredicate;
import io.spyhop.server.query.scan.OrderedScanner;
import io.spyhop.server.query.scan.QueryRegion;
import java.io.IOException;
import java.util.Collection;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.RegionScanner;

/**
 * Scans that ask for rows in the order of a column's values (docs/decisions/0039). What a region
 * does not serve in that order it refuses, and never answers in another. Thread-safe.
 */
final class OrderedQueries {
  private static final String DEARER = "finding all rows and sorting them is cheaper";

  private final QueryRegion region;

  OrderedQueries(QueryRegion region) {
    this.region = region;
  }

  /**
   * Opens the scanner.
   *
   * @param question what the scan's filter asks for
   * @param unsupported why no index may answer the scan, if that is so
   * @throws OrderResetException if it is not the scan that the client asked for, or of more than
   *     this region
   * @throws OrderRefusedException if the client has to sort
   */
  RegionScanner open(
      Scan scan,
      ScanPredicate question,
      ValueOrderFilter filter,
      Optional<String> unsupported,
      RegionScanner core)
      throws IOException {
    OrderRequest request = filter.request();
    ScanChecks.requireAsAsked(region.region().getRegionInfo(), scan, request.start());
    if (unsupported.isPresent()) {
      throw refused(Fallback.UNSUPPORTED_SCAN, unsupported.get());
    }
    ScanPredicate seen = seen(question);
    long limit = QueryRegion.limit(scan);
    QueryPlanner.Ordering ordering =
        plan(
                request,
                seen,
                region.families(scan),
                new RowSpan(scan.getStartRow(), scan.getStopRow()),
                limit)
            .orElseThrow(() -> refused(Fallback.NO_INDEX, noIndex(request)));
    String hint = QueryRegion.hint(scan);
    if (isAnotherWay(hint, ordering)) {
      throw refused(Fallback.ASKED_FOR, "another way is asked for");
    }
    if (ordering.dearer() && hint.equals(Attributes.PATH_AUTO)) {
      throw refused(Fallback.SCAN_CHEAPER, DEARER);
    }
    filter.serve();
    region.metrics().indexedQueries.increment();
    IndexedQuery query = region.query(scan, seen, ordering.index());
    boolean mayEnd = limit < Long.MAX_VALUE && hint.equals(Attributes.PATH_AUTO);
    return new OrderedScanner(region, query, request, ordering, limit, mayEnd, core);
  }

  private static boolean isAnotherWay(String hint, QueryPlanner.Ordering ordering) {
    return !hint.equals(Attributes.PATH_AUTO)
        && !hint.equals(Attributes.PATH_INDEX)
        && !hint.equals(ordering.index().name());
  }

  private static String noIndex(OrderRequest request) {
    return "no local index of " + request.order().column().name() + " can drive the predicate";
  }

  private ScanPredicate seen(ScanPredicate question) throws IOException {
    if (!question.hides()) {
      return question;
    }
    return switch (CellVisibility.of(region.region(), question.predicate())) {
      case EVERYTHING -> question.ofSuperuser();
      case THE_COLUMNS -> question;
      case A_PART -> throw refused(Fallback.HIDDEN_CELLS, ScanChecks.HIDDEN);
    };
  }

  private Optional<QueryPlanner.Ordering> plan(
      OrderRequest request,
      ScanPredicate question,
      Collection<byte[]> families,
      RowSpan rows,
      long limit) {
    return region
        .planner()
        .order(
            region.region(),
            region.server(),
            region.indexes(),
            region.statistics(),
            question,
            request.order().column(),
            families,
            rows,
            limit);
  }

  /**
   * How a query would be answered.
   *
   * @param plain the region's plan for the same rows in row-key order
   */
  RegionPlan explain(
      OrderRequest request,
      Collection<byte[]> families,
      RowSpan rows,
      String hint,
      long limit,
      RegionPlan plain) {
    Optional<QueryPlanner.Ordering> found =
        plan(request, ScanPredicate.of(request.predicate()), families, rows, limit);
    if (found.isEmpty()) {
      return plain.because(sorted(noIndex(request)) + plain.reason());
    }
    if (isAnotherWay(hint, found.get())) {
      return plain.because(sorted("another way is asked for") + plain.reason());
    }
    return found.get().dearer() && hint.equals(Attributes.PATH_AUTO)
        ? plain.because(sorted(DEARER) + plain.reason())
        : found.get().plan();
  }

  private static String sorted(String why) {
    return "the client sorts, as " + why + "; ";
  }

  private OrderRefusedException refused(Fallback why, String reason) {
    region.fallBack(why);
    return new OrderRefusedException(reason);
  }
}
