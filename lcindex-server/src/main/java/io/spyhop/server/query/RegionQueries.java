package io.spyhop.server.query;

import io.spyhop.core.order.KeyOrderFilter;
import io.spyhop.core.order.OrderRefusedException;
import io.spyhop.core.order.OrderRequest;
import io.spyhop.core.predicate.PredicateFilter;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.protocol.PlanRequest;
import io.spyhop.core.protocol.RegionPlan;
import io.spyhop.core.prune.ScanState;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.DecimalNumber;
import io.spyhop.server.index.local.RegionIndexes;
import io.spyhop.server.index.stats.RegionStatistics;
import io.spyhop.server.index.stats.RowSpan;
import io.spyhop.server.metrics.Fallback;
import io.spyhop.server.metrics.ServerMetrics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Query;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
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

  static final String HIDDEN = "cells of the predicate's columns may be hidden";

  private final HRegion region;
  private final String server;
  private final RegionIndexes indexes;
  private final QueryEnvironment environment;
  private final RegionStatistics statistics;
  private final QueryReports reports = new QueryReports();
  private final OrderedQueries ordered;

  /** Queries of a region. */
  public RegionQueries(
      HRegion region,
      String server,
      RegionIndexes indexes,
      RegionStatistics statistics,
      QueryEnvironment environment) {
    this.region = region;
    this.server = server;
    this.indexes = indexes;
    this.statistics = statistics;
    this.environment = environment;
    this.ordered = new OrderedQueries(this, server);
  }

  /**
   * The parts of a server that all its queries share.
   *
   * @param planner chooses the path
   * @param memory bounds what all queries hold
   * @param sortBudget bounds what one query holds in one region
   * @param metrics counts
   * @param slow looks at queries that have ended
   */
  public record QueryEnvironment(
      QueryPlanner planner,
      MemoryBudget memory,
      long sortBudget,
      ServerMetrics metrics,
      SlowQueries slow) {}

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
      QueryMemory memory = new QueryMemory(environment.memory(), environment.sortBudget());
      return KeyOrderScanner.open(region, scan, keys.request(), memory, core);
    }
    ScanFilter filter = ScanFilter.of(scan.getFilter());
    if (filter.order().isEmpty() && ScanFilter.asksForOrder(scan.getFilter())) {
      throw new OrderRefusedException("other filters are around the one that asks for an order");
    }
    if (filter.isPredicate()) {
      String table = region.getTableDescriptor().getTableName().getNameAsString();
      ScanChecks.checkSelection(table, scan, filter.question().orElseThrow().predicate());
    } else if (filter.equals(ScanFilter.NONE) || indexes.schema().isEmpty()) {
      return core;
    } else if (filter.question().isEmpty()) {
      return leaveAlone(scan, core, filter.leftAlone());
    }
    Condition question = filter.question().orElseThrow();
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
    return switch (Sight.of(region, question.predicate())) {
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
  private RegionScanner scanHidden(Scan scan, Condition question, RegionScanner core)
      throws IOException {
    return question.isBytewise()
        ? leaveAlone(scan, core, HIDDEN)
        : plain(scan, question, scanPlan(HIDDEN), Fallback.HIDDEN_CELLS, core);
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
    ScanFilter filter = ScanFilter.of(read.getFilter());
    if (filter.isPredicate()) {
      String table = region.getTableDescriptor().getTableName().getNameAsString();
      Condition question = filter.question().orElseThrow();
      ScanChecks.checkDeclared(table, declared, question.predicate(), declarations);
    }
  }

  private QueryPlanner.Choice plan(
      Condition question, Collection<byte[]> families, RowSpan rows, String hint, long limit) {
    return environment
        .planner()
        .choose(region, server, indexes, question, families, rows, hint, limit);
  }

  private RegionScanner choose(Scan scan, Condition question, RegionScanner core)
      throws IOException {
    RowSpan rows = new RowSpan(scan.getStartRow(), scan.getStopRow());
    QueryPlanner.Choice choice = plan(question, families(scan), rows, hint(scan), limit(scan));
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
    environment.metrics().indexedQueries.increment();
    return new IndexScanner(this, query(scan, question, choice.driving().get()), choice, core);
  }

  /** Who may not see everything must not learn from the way what there is to be passed over. */
  private RegionScanner patient(
      Scan scan, Condition question, QueryPlanner.Choice choice, RegionScanner core)
      throws IOException {
    Optional<PredicateFilter> filter = ScanFilter.predicateFilter(scan.getFilter());
    if (filter.isEmpty()) {
      return plain(scan, question, choice.plan(), choice.fallback().orElseThrow(), core);
    }
    environment.metrics().fallBack(choice.fallback().orElseThrow());
    report(scan, choice.plan());
    return new PatientScanner(
        this,
        query(scan, question, choice.patience().orElseThrow().index()),
        choice,
        filter.get(),
        core);
  }

  IndexedQuery query(Scan scan, Condition question, IndexDefinition driving) {
    HStore store = region.getStore(driving.column().family());
    return new IndexedQuery(region, store, scan, question, driving);
  }

  /** Spans outside which no row matches, by the statistics; empty if all is to be read. */
  private Optional<List<RowSpan>> spans(Scan scan, Condition question) {
    boolean usual = scan.includeStartRow() && !scan.includeStopRow();
    boolean plain = hint(scan).equals(Attributes.PATH_SCAN);
    return usual && !plain && question.mayDrop() && !question.isBytewise() && statistics.isOn()
        ? statistics.spans(question.predicate(), new RowSpan(scan.getStartRow(), scan.getStopRow()))
        : Optional.empty();
  }

  private RegionScanner segmented(
      Scan scan,
      Condition question,
      QueryPlanner.Choice choice,
      List<RowSpan> spans,
      RegionScanner core)
      throws IOException {
    environment.metrics().fallBack(choice.fallback().orElseThrow());
    environment.metrics().segmentedScans.increment();
    report(scan, choice.plan());
    return new SegmentScanner(this, region, scan, question, choice.plan(), spans, core);
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
        families(scan).stream()
            .map(region::getStore)
            .allMatch(s -> s == null || s.getMemStoreSize().getCellsCount() == 0);
    (empty ? environment.metrics().emptyMemstores : environment.metrics().filledMemstores)
        .increment();
  }

  private RegionScanner plain(
      Scan scan, Condition question, RegionPlan plan, Fallback why, RegionScanner core)
      throws IOException {
    environment.metrics().fallBack(why);
    report(scan, plan);
    return new PlainScanner(this, scan, question, plan, core);
  }

  /** A scan of an existing program that is none of ours: it is not even watched. */
  private RegionScanner leaveAlone(Scan scan, RegionScanner core, String reason) {
    LOG.debug("{} is scanned as ever: {}", region, reason);
    report(scan, scanPlan(reason));
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

  Collection<byte[]> families(Scan scan) {
    return scan.hasFamilies()
        ? scan.getFamilyMap().keySet()
        : region.getTableDescriptor().getColumnFamilyNames();
  }

  /** Whether values of the table must not get into the log in plain text. */
  private boolean isEncrypted() {
    return Arrays.stream(region.getTableDescriptor().getColumnFamilies())
        .anyMatch(f -> f.getEncryptionType() != null);
  }

  static String hint(Scan scan) {
    byte[] hint = scan.getAttribute(Attributes.PATH_HINT);
    return hint == null ? Attributes.PATH_AUTO : Bytes.toString(hint);
  }

  /**
   * How many rows of the whole answer the client will take, at most.
   *
   * @throws DoNotRetryIOException if that is no number over 0
   */
  static long limit(Query read) throws DoNotRetryIOException {
    byte[] limit = read.getAttribute(Attributes.LIMIT);
    if (limit == null) {
      return Long.MAX_VALUE;
    }
    try {
      long rows = DecimalNumber.decode(limit);
      if (rows > 0) {
        return rows;
      }
    } catch (CorruptFrameException e) {
      throw new DoNotRetryIOException("attribute '" + Attributes.LIMIT + "' is no number", e);
    }
    throw new DoNotRetryIOException("attribute '" + Attributes.LIMIT + "' is not over 0");
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
    long limit = limit(get);
    RegionPlan plain =
        plan(Condition.of(request.predicate()), families, rows, request.hint(), limit).plan();
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
    return reports.get(queryId);
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

  /** A query is over. */
  void ended(Scan scan, Condition question, RegionPlan plan) {
    RegionPlan.Actual actual = plan.actual().orElseThrow();
    environment.metrics().records.increment(actual.records());
    environment.metrics().candidates.increment(actual.candidates());
    environment.metrics().rereads.increment(actual.rereads());
    SlowQueries slow = environment.slow();
    (isEncrypted() ? slow.withoutValues() : slow).look(region, question.predicate(), plan);
    report(scan, plan);
  }

  private void report(Scan scan, RegionPlan report) {
    byte[] id = scan.getAttribute(Attributes.QUERY_ID);
    if (id != null) {
      reports.put(id, report);
    }
  }

  RegionIndexes indexes() {
    return indexes;
  }

  HRegion region() {
    return region;
  }

  QueryEnvironment environment() {
    return environment;
  }
}
