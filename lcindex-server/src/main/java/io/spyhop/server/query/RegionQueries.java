package io.spyhop.server.query;

import io.spyhop.core.order.KeyOrderFilter;
import io.spyhop.core.order.OrderRefusedException;
import io.spyhop.core.order.OrderRequest;
import io.spyhop.core.predicate.PredicateFilter;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.protocol.PlanRequest;
import io.spyhop.core.protocol.RegionPlan;
import io.spyhop.core.prune.ScanState;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.server.index.local.RegionIndexes;
import io.spyhop.server.index.stats.RegionStatistics;
import io.spyhop.server.index.stats.RowSpan;
import io.spyhop.server.metrics.Fallback;
import io.spyhop.server.query.plan.Declarations;
import io.spyhop.server.query.plan.QueryPlanner;
import io.spyhop.server.query.plan.ScanChecks;
import io.spyhop.server.query.plan.ScanPredicate;
import io.spyhop.server.query.report.QueryReports;
import io.spyhop.server.query.scan.IndexScanner;
import io.spyhop.server.query.scan.OwnedScanner;
import io.spyhop.server.query.scan.PatientScanner;
import io.spyhop.server.query.scan.PlainScanner;
import io.spyhop.server.query.scan.QueryEnvironment;
import io.spyhop.server.query.scan.QueryRegion;
import io.spyhop.server.query.scan.SegmentScanner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Query;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers scans of one region from its indexes. Thread-safe.
 *
 * <p>Start here to follow a query on the server: {@link #open} decides, {@link IndexScanner} runs.
 */
public final class RegionQueries {
  private static final Logger LOG = LoggerFactory.getLogger(RegionQueries.class);

  private final QueryRegion context;
  private final HRegion region;
  private final RegionStatistics statistics;
  private final OrderedQueries ordered;

  /** Queries of a region. */
  public RegionQueries(
      HRegion region,
      String server,
      RegionIndexes indexes,
      RegionStatistics statistics,
      QueryEnvironment environment) {
    this.context =
        new QueryRegion(region, server, indexes, statistics, environment, new QueryReports());
    this.region = region;
    this.statistics = statistics;
    this.ordered = new OrderedQueries(context);
  }

  /**
   * Opens the scanner that answers a scan.
   *
   * @param scan with the whole filter, as HBase is about to run it
   * @param core the region's own scanner of the same scan; it stays open below, as it pins the read
   *     point
   * @return {@code core} itself if the scan is none that Spyhop knows
   * @throws org.apache.hadoop.hbase.DoNotRetryIOException if the scan does not select the columns
   *     of its predicate
   */
  public RegionScanner open(Scan scan, RegionScanner core) throws IOException {
    if (scan.getFilter() instanceof KeyOrderFilter keys) {
      return new KeyOrderQueries(context).open(scan, keys.request(), core);
    }
    ScanFilter filter = ScanFilter.of(scan.getFilter());
    if (filter.order().isEmpty() && ScanFilter.asksForOrder(scan.getFilter())) {
      throw new OrderRefusedException("other filters are around the one that asks for an order");
    }
    if (filter.isPredicate()) {
      ScanChecks.checkSelection(context.table(), scan, filter.question().orElseThrow().predicate());
    } else if (filter.equals(ScanFilter.NONE) || context.indexes().schema().isEmpty()) {
      return core;
    } else if (filter.question().isEmpty()) {
      return leaveAlone(scan, core, filter.leftAlone());
    }
    ScanPredicate question = filter.question().orElseThrow();
    Optional<String> unsupported = ScanChecks.unsupported(scan, question, core);
    if (filter.order().isPresent()) {
      return ordered.open(scan, question, filter.order().get(), unsupported, core);
    }
    countEmptyMemstore(scan);
    if (unsupported.isPresent()) {
      return filter.isPredicate()
          ? plain(scan, question, scanPlan(unsupported.get()), Fallback.UNSUPPORTED_SCAN, core)
          : leaveAlone(scan, core, unsupported.get());
    }
    if (!question.hides()) {
      return choose(scan, question, core);
    }
    return switch (CellVisibility.of(region, question.predicate())) {
      case EVERYTHING -> choose(scan, question.ofSuperuser(), core);
      case THE_COLUMNS -> choose(scan, question, core);
      case A_PART -> scanHidden(scan, question, core);
    };
  }

  /**
   * The scanner of a region whose indexes are not there yet, or no longer.
   *
   * @throws OrderRefusedException if the scan asks for an order
   */
  public static RegionScanner unopened(Scan scan, RegionScanner core) throws IOException {
    if (ScanFilter.asksForOrder(scan.getFilter())) {
      throw new OrderRefusedException("the region's indexes are not there yet");
    }
    return core;
  }

  /** Nothing that is looked up here may depend on cells of a column that has hidden ones. */
  private RegionScanner scanHidden(Scan scan, ScanPredicate question, RegionScanner core)
      throws IOException {
    return question.isBytewise()
        ? leaveAlone(scan, core, ScanChecks.HIDDEN)
        : plain(scan, question, scanPlan(ScanChecks.HIDDEN), Fallback.HIDDEN_CELLS, core);
  }

  /**
   * Checks that a client's predicate was bound by the definitions that the table has; before {@link
   * #open}, and before a row is read by a Get.
   *
   * @param read a Scan or a Get
   * @throws org.apache.hadoop.hbase.DoNotRetryIOException if it was not
   */
  public void checkDeclared(Query read, Declarations declarations) throws IOException {
    byte[] declared = read.getAttribute(Attributes.DECLARED);
    if (declared == null) {
      return;
    }
    ScanFilter filter =
        ScanFilter.of(
            read.getFilter() instanceof KeyOrderFilter keys
                ? keys.request().newFilter().orElse(null)
                : read.getFilter());
    if (filter.isPredicate()) {
      ScanPredicate question = filter.question().orElseThrow();
      ScanChecks.checkDeclared(
          context.table(), declared, question.predicate().columns(), declarations);
    }
  }

  /** The aggregate of a scan's rows in their place, where the scan asks for one. */
  public Aggregates aggregates() {
    return new Aggregates(context);
  }

  private QueryPlanner.Choice plan(
      QueryPlanner planner,
      ScanPredicate question,
      Collection<byte[]> families,
      RowSpan rows,
      String hint,
      long limit) {
    return planner.choose(
        region,
        context.server(),
        context.indexes(),
        statistics,
        question,
        families,
        rows,
        hint,
        limit);
  }

  private RegionScanner choose(Scan scan, ScanPredicate question, RegionScanner core)
      throws IOException {
    RowSpan rows = new RowSpan(scan.getStartRow(), scan.getStopRow());
    boolean counted = !question.secured() && aggregates().isByColumns(scan, core);
    QueryPlanner.Choice choice =
        plan(
            counted ? context.planner().counting() : context.planner(),
            question,
            context.families(scan),
            rows,
            QueryRegion.hint(scan),
            QueryRegion.limit(scan));
    if (question.isBytewise() && choice.plan().estimates().isEmpty()) {
      return leaveAlone(scan, core, choice.plan().reason());
    }
    if (choice.driving().isEmpty()) {
      Optional<List<RowSpan>> spans = spans(scan, question);
      boolean patient = choice.patience().isPresent() && question.mayDrop();
      if (spans.isPresent() && (!patient || spans.get().isEmpty())) {
        return segmented(scan, question, choice, spans.get(), core);
      }
      return patient
          ? patient(scan, question, choice, core)
          : plain(scan, question, choice.plan(), choice.fallback().orElseThrow(), core);
    }
    context.metrics().indexedQueries.increment();
    return new IndexScanner(
        context, context.query(scan, question, choice.driving().get()), choice, core);
  }

  /** Who may not see everything must not learn from the way what there is to be passed over. */
  private RegionScanner patient(
      Scan scan, ScanPredicate question, QueryPlanner.Choice choice, RegionScanner core)
      throws IOException {
    Optional<PredicateFilter> filter = ScanFilter.predicateFilter(scan.getFilter());
    if (filter.isEmpty()) {
      return plain(scan, question, choice.plan(), choice.fallback().orElseThrow(), core);
    }
    context.fallBack(choice.fallback().orElseThrow());
    context.report(scan, choice.plan());
    return new PatientScanner(
        context,
        context.query(scan, question, choice.patience().orElseThrow().index()),
        choice,
        filter.get(),
        core);
  }

  /** Spans outside which no row matches, by the statistics; empty if all is to be read. */
  private Optional<List<RowSpan>> spans(Scan scan, ScanPredicate question) {
    boolean usual = scan.includeStartRow() && !scan.includeStopRow();
    boolean plain = QueryRegion.hint(scan).equals(Attributes.PATH_SCAN);
    return usual && !plain && question.mayDrop() && !question.isBytewise() && statistics.isOn()
        ? statistics.spans(question.predicate(), new RowSpan(scan.getStartRow(), scan.getStopRow()))
        : Optional.empty();
  }

  private RegionScanner segmented(
      Scan scan,
      ScanPredicate question,
      QueryPlanner.Choice choice,
      List<RowSpan> spans,
      RegionScanner core)
      throws IOException {
    context.fallBack(choice.fallback().orElseThrow());
    context.metrics().segmentedScans.increment();
    context.report(scan, choice.plan());
    return new SegmentScanner(context, scan, question, choice.plan(), spans, core);
  }

  /**
   * Looks whether the memstore is empty, as the client thought (the paper's state RS). HBase pays
   * nothing for an empty one; the answer does not depend on it.
   */
  private void countEmptyMemstore(Scan scan) {
    byte[] state = scan.getAttribute(Attributes.SCAN_STATE);
    if (state == null || !Bytes.toString(state).equals(ScanState.RS.name())) {
      return;
    }
    boolean empty =
        context.families(scan).stream()
            .map(region::getStore)
            .allMatch(s -> s == null || s.getMemStoreSize().getCellsCount() == 0);
    (empty ? context.metrics().emptyMemstores : context.metrics().filledMemstores).increment();
  }

  private RegionScanner plain(
      Scan scan, ScanPredicate question, RegionPlan plan, Fallback why, RegionScanner core)
      throws IOException {
    context.fallBack(why);
    context.report(scan, plan);
    return new PlainScanner(context, scan, question, plan, core);
  }

  /** A scan of an existing program that is none of ours: it is not even watched. */
  private RegionScanner leaveAlone(Scan scan, RegionScanner core, String reason) {
    LOG.debug("{} is scanned as ever: {}", region, reason);
    context.report(scan, scanPlan(reason));
    return core;
  }

  private RegionPlan scanPlan(String reason) {
    return new RegionPlan(
        region.getRegionInfo().getEncodedName(),
        context.server(),
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

  /**
   * How a query would be answered.
   *
   * @param get carries the request
   * @throws DoNotRetryIOException if its attributes make no sense
   */
  public RegionPlan explain(PlanRequest request, Get get) throws DoNotRetryIOException {
    Collection<byte[]> families =
        request.families().isEmpty()
            ? region.getTableDescriptor().getColumnFamilyNames()
            : new ArrayList<>(request.families());
    RowSpan rows = new RowSpan(row(get, Attributes.START_ROW), row(get, Attributes.STOP_ROW));
    long limit = QueryRegion.limit(get);
    RegionPlan plain =
        plan(
                context.planner(),
                ScanPredicate.of(request.predicate()),
                families,
                rows,
                request.hint(),
                limit)
            .plan();
    byte[] order = get.getAttribute(Attributes.ORDER);
    try {
      return order == null
          ? plain
          : ordered.explain(
              OrderRequest.decode(order), families, rows, request.hint(), limit, plain);
    } catch (CorruptFrameException e) {
      throw new DoNotRetryIOException("attribute '" + Attributes.ORDER + "' is no order", e);
    }
  }

  private static byte[] row(Get get, String attribute) {
    byte[] row = get.getAttribute(attribute);
    return row == null ? HConstants.EMPTY_BYTE_ARRAY : row;
  }

  /** What a query did, if it is not forgotten. */
  public Optional<RegionPlan> report(byte[] queryId) {
    return context.reports().get(queryId);
  }

  /**
   * Checks that the call being served comes from who opened the scanner, where access control is
   * on; scanners that are not of this class are none of our business.
   *
   * @throws org.apache.hadoop.hbase.security.AccessDeniedException if it does not
   */
  public static void checkOwner(InternalScanner scanner) throws IOException {
    if (scanner instanceof OwnedScanner ours) {
      ours.checkOwner();
    }
  }
}
