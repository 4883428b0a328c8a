package io.spyhop.server.query;

import io.spyhop.core.order.OrderRefusedException;
import io.spyhop.core.order.OrderRequest;
import io.spyhop.core.order.OrderResetException;
import io.spyhop.core.order.ValueOrderFilter;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.protocol.RegionPlan;
import io.spyhop.server.index.stats.RowSpan;
import io.spyhop.server.metrics.Fallback;
import java.io.IOException;
import java.util.Collection;
import java.util.Optional;
import org.apache.hadoop.hbase.client.PackagePrivateFieldAccessor;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Scans that ask for rows in the order of a column's values (docs/decisions/0039). What a region
 * does not serve in that order it refuses, and never answers in another. Thread-safe.
 */
final class OrderedQueries {
  private static final String DEARER = "finding all rows and sorting them is cheaper";

  private final RegionQueries queries;
  private final String server;

  OrderedQueries(RegionQueries queries, String server) {
    this.queries = queries;
    this.server = server;
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
      Condition question,
      ValueOrderFilter filter,
      Optional<String> unsupported,
      RegionScanner core)
      throws IOException {
    OrderRequest request = filter.request();
    requireAsAsked(queries.region().getRegionInfo(), scan, request.start());
    if (unsupported.isPresent()) {
      throw refused(Fallback.UNSUPPORTED_SCAN, unsupported.get());
    }
    Condition seen = seen(question);
    long limit = RegionQueries.limit(scan);
    QueryPlanner.Ordering ordering =
        plan(
                request,
                seen,
                queries.families(scan),
                new RowSpan(scan.getStartRow(), scan.getStopRow()),
                limit)
            .orElseThrow(() -> refused(Fallback.NO_INDEX, noIndex(request)));
    String hint = RegionQueries.hint(scan);
    if (isAnotherWay(hint, ordering)) {
      throw refused(Fallback.ASKED_FOR, "another way is asked for");
    }
    if (ordering.dearer() && hint.equals(Attributes.PATH_AUTO)) {
      throw refused(Fallback.SCAN_CHEAPER, DEARER);
    }
    filter.serve();
    queries.environment().metrics().indexedQueries.increment();
    IndexedQuery query = queries.query(scan, seen, ordering.index());
    boolean mayEnd = limit < Long.MAX_VALUE && hint.equals(Attributes.PATH_AUTO);
    return new OrderedScanner(queries, query, request, ordering, limit, mayEnd, core);
  }

  private static boolean isAnotherWay(String hint, QueryPlanner.Ordering ordering) {
    return !hint.equals(Attributes.PATH_AUTO)
        && !hint.equals(Attributes.PATH_INDEX)
        && !hint.equals(ordering.index().name());
  }

  private static String noIndex(OrderRequest request) {
    return "no local index of " + request.order().column().name() + " can drive the predicate";
  }

  private Condition seen(Condition question) throws IOException {
    if (!question.hides()) {
      return question;
    }
    return switch (Sight.of(queries.region(), question.predicate())) {
      case EVERYTHING -> question.ofSuperuser();
      case THE_COLUMNS -> question;
      case A_PART -> throw refused(Fallback.HIDDEN_CELLS, RegionQueries.HIDDEN);
    };
  }

  private Optional<QueryPlanner.Ordering> plan(
      OrderRequest request,
      Condition question,
      Collection<byte[]> families,
      RowSpan rows,
      long limit) {
    return queries
        .environment()
        .planner()
        .order(
            queries.region(),
            server,
            queries.indexes(),
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
        plan(request, Condition.of(request.predicate()), families, rows, limit);
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

  /**
   * HBase's client opens a scan again at the last row that it has seen, which is in the midst of
   * the answer here, and goes on in the next region.
   */
  static void requireAsAsked(RegionInfo region, Scan scan, byte[] start)
      throws OrderResetException {
    if (!scan.includeStartRow()
        || !Bytes.equals(scan.getStartRow(), start)
        || PackagePrivateFieldAccessor.getMvccReadPoint(scan) > 0) {
      throw new OrderResetException("the scan was opened again, behind rows that it had");
    }
    byte[] stop = scan.getStopRow();
    byte[] end = region.getEndKey();
    boolean ends =
        end.length == 0
            || stop.length > 0 && !scan.includeStopRow() && Bytes.compareTo(stop, end) <= 0;
    if (!ends || Bytes.compareTo(scan.getStartRow(), region.getStartKey()) < 0) {
      throw new OrderResetException(
          "the scan is of more than region " + region.getEncodedName() + " has now");
    }
  }

  private OrderRefusedException refused(Fallback why, String reason) {
    queries.environment().metrics().fallBack(why);
    return new OrderRefusedException(reason);
  }
}
