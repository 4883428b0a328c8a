package io.spyhop.client.internal.query;

import io.spyhop.client.Consistency;
import io.spyhop.client.OnUnavailable;
import io.spyhop.client.internal.exec.RowRange;
import io.spyhop.client.internal.exec.RowRanges;
import io.spyhop.client.internal.global.EntryQuery;
import io.spyhop.client.internal.plan.Projection;
import io.spyhop.core.aggregate.AggregateRequest;
import io.spyhop.core.bucket.BucketKeys;
import io.spyhop.core.order.OrderRequest;
import io.spyhop.core.order.ValueOrder;
import io.spyhop.core.order.ValueOrderFilter;
import io.spyhop.core.order.ValuePosition;
import io.spyhop.core.predicate.BoundColumn;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.PredicateFilter;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.protocol.BelievedBuckets;
import io.spyhop.core.protocol.PlanRequest;
import io.spyhop.core.protocol.Refusal;
import io.spyhop.core.prune.ScanState;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.wire.DecimalNumber;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A query with types and columns resolved: what is sent. Immutable, thread-safe.
 *
 * @param predicate its condition, bound
 * @param order of its rows, if not that of their keys
 * @param projection its selection, resolved
 * @param indexes the table's indexes
 * @param allFamilies the table's families
 * @param keys how the table's rows are stored, if it has buckets
 * @param range of users' keys that is asked for
 * @param rows the stored rows of that range
 * @param aggregate of the rows, where it is asked for in their place
 * @param limit how many rows are asked for of the regions, {@link #ALL} for all
 * @param settings how they are to be found
 */
public record BoundQuery(
    BoundPredicate predicate,
    Optional<ValueOrder> order,
    Projection projection,
    IndexSchema indexes,
    List<byte[]> allFamilies,
    Optional<BucketKeys> keys,
    RowRange range,
    RowRanges rows,
    Optional<AggregateRequest> aggregate,
    long limit,
    Settings settings) {
  /** The limit of a query that has none. */
  public static final long ALL = Long.MAX_VALUE;

  /** Rows of a call at least, where it is not known how many of them count. */
  private static final int LEAST_CACHING = 100;

  /**
   * Settings that change how an answer is found; the last one also which cells are seen.
   *
   * @param caching rows of a call
   * @param hint the override of the planner
   * @param maxEntries of a global index that are read at most
   * @param consistency which writes the query is sure to see
   * @param pruning whether regions may be left out
   * @param byKeys whether rows of a bucketed table are wanted by users' keys
   * @param onUnavailable what is done where a global index is unavailable
   * @param read how cells are read
   */
  public record Settings(
      int caching,
      Optional<String> hint,
      int maxEntries,
      Consistency consistency,
      boolean pruning,
      boolean byKeys,
      OnUnavailable onUnavailable,
      ReadSettings read) {}

  /** The same, which counts rows that have none of the selected columns. */
  public BoundQuery countingIn(LongAdder emptied) {
    return with(order, projection.countingIn(emptied), limit);
  }

  /** The same rows, all of them, in row-key order and with the column that orders them. */
  BoundQuery toSort() {
    return with(Optional.empty(), projection.whole(), ALL);
  }

  /** Whether rows come by users' keys, which are not their order where they are stored. */
  boolean sorts() {
    return keys.isPresent() && aggregate.isEmpty() && (settings.byKeys() || isOfManyRuns());
  }

  /** Whether its rows are in many runs of stored rows, of which a region best reads its own. */
  boolean isOfManyRuns() {
    return keys.isPresent() && rows.ranges().size() > 1 && !hasGlobalDriver();
  }

  /** The query as it is asked: without a limit, if its rows are sorted when they have come. */
  public BoundQuery asked() {
    return sorts() ? with(order, projection, ALL) : this;
  }

  private BoundQuery with(Optional<ValueOrder> otherOrder, Projection shown, long most) {
    return new BoundQuery(
        predicate,
        otherOrder,
        shown,
        indexes,
        allFamilies,
        keys,
        range,
        rows,
        aggregate,
        most,
        settings);
  }

  /**
   * The aggregate of the query's rows.
   *
   * @param read the columns that it takes
   */
  public BoundQuery aggregating(AggregateRequest request, Projection read) {
    return new BoundQuery(
        predicate,
        order,
        read,
        indexes,
        allFamilies,
        keys,
        range,
        rows,
        Optional.of(request),
        limit,
        settings);
  }

  boolean isLimited() {
    return limit < ALL;
  }

  /** The condition and the order, for people. */
  public String text() {
    return predicate
        + settings.read().unserved().map(why -> " (" + why + ": scanned)").orElse("")
        + order.map(o -> " ORDER BY " + o + (mayBeServedInOrder() ? "" : sorted())).orElse("");
  }

  private String sorted() {
    return isLimited() && !orderingGlobals().isEmpty()
        ? ", in the order of a global index or, where that is dearer, sorted by the client"
        : ", sorted by the client";
  }

  private List<IndexDefinition> orderingGlobals() {
    return entryQuery().drivers().stream()
        .filter(d -> d.column().equals(order.orElseThrow().column().name()))
        .toList();
  }

  /** Whether a global index can drive the query. */
  public boolean hasGlobalDriver() {
    return !entryQuery().drivers().isEmpty();
  }

  /** Whether the hint names a global index. */
  boolean isNamedGlobal() {
    return settings.hint().flatMap(indexes::index).filter(i -> i.kind().hasTable()).isPresent();
  }

  /**
   * Whether regions may know the order. Those of a bucketed table do not: they have rows of equal
   * values by their stored keys, which hashes lead.
   */
  public boolean mayBeServedInOrder() {
    return order.isPresent()
        && keys.isEmpty()
        && !settings.hint().orElse("").equals(Attributes.PATH_SCAN)
        && indexes.locals().indexes().stream()
            .anyMatch(
                d ->
                    d.column().equals(order.get().column().name())
                        && d.type() == order.get().column().type());
  }

  /**
   * The scan of a part of the table in the order of values.
   *
   * @param part lies in one region
   * @param after the last row that is not wanted any more
   */
  Scan ordered(RowRange part, Optional<ValuePosition> after, Optional<byte[]> queryId) {
    OrderRequest request = new OrderRequest(predicate, order.orElseThrow(), part.start(), after);
    return scan(part, null, queryId).setFilter(new ValueOrderFilter(request));
  }

  /**
   * The scan of a part of the table, with a filter of its own if the query has a condition.
   *
   * @param state what was decided of the part, or null
   * @param queryId under which regions keep what they did, if they shall
   */
  Scan scan(RowRange part, ScanState state, Optional<byte[]> queryId) {
    Scan scan =
        settings
            .read()
            .scan()
            .withStartRow(part.start(), true)
            .withStopRow(part.stop(), false)
            .setCaching(settings.caching());
    projection.applyTo(scan);
    filter().ifPresent(scan::setFilter);
    if (isLimited()) {
      limit(scan, (int) limit);
    }
    if (settings.hint().isPresent()) {
      scan.setAttribute(Attributes.PATH_HINT, regionHint().getBytes(StandardCharsets.UTF_8));
    }
    if (state != null) {
      scan.setAttribute(Attributes.SCAN_STATE, Bytes.toBytes(state.name()));
    }
    aggregate.ifPresent(a -> scan.setAttribute(Attributes.AGGREGATE, a.encode()));
    queryId.ifPresent(id -> scan.setAttribute(Attributes.QUERY_ID, id));
    Refusal.isKnownTo(scan);
    BelievedBuckets.sign(scan, keys);
    return scan.setAttribute(Attributes.DECLARED, declared());
  }

  /** Empty if the query has no condition. */
  private Optional<PredicateFilter> filter() {
    return predicate.isEveryRow() ? Optional.empty() : Optional.of(new PredicateFilter(predicate));
  }

  /** Rows of which nothing is left once what was not asked for is taken out do not count. */
  private void limit(Scan scan, int most) {
    scan.setAttribute(Attributes.LIMIT, DecimalNumber.encode(most));
    if (projection.strips()) {
      scan.setCaching(Math.min(settings.caching(), Math.max(most, LEAST_CACHING)));
    } else {
      scan.setLimit(most);
    }
  }

  /** Which columns have the type that the table declares, as far as it is known here. */
  private byte[] declared() {
    List<BoundColumn> columns = predicate.columns();
    byte[] flags = new byte[columns.size()];
    for (int i = 0; i < flags.length; i++) {
      BoundColumn c = columns.get(i);
      flags[i] = (byte) (indexes.typeOf(c.name()).filter(t -> t == c.type()).isPresent() ? 1 : 0);
    }
    return flags;
  }

  /** The families that the scans read, all by name. */
  List<byte[]> families() {
    List<byte[]> some = projection.families();
    return some.isEmpty() ? allFamilies : some;
  }

  /** What EXPLAIN asks. */
  public PlanRequest planRequest() {
    return new PlanRequest(predicate, projection.families(), regionHint());
  }

  /** Tells who is asked for a plan what the scan would tell. */
  public Get toPlan(Get request) {
    RowRange hull = rows.hull();
    request.setAttribute(Attributes.START_ROW, hull.start());
    request.setAttribute(Attributes.STOP_ROW, hull.stop());
    if (isLimited()) {
      request.setAttribute(Attributes.LIMIT, DecimalNumber.encode(limit));
    }
    if (mayBeServedInOrder()) {
      OrderRequest asked = new OrderRequest(predicate, order.get(), hull.start(), Optional.empty());
      request.setAttribute(Attributes.ORDER, asked.encode());
    }
    return request;
  }

  /** The Get of one row with all that the scan asks for. */
  Get get(byte[] row) {
    Get get = settings.read().get(row);
    filter().ifPresent(get::setFilter);
    projection.applyTo(get);
    get.setAttribute(Attributes.DECLARED, declared());
    Refusal.isKnownTo(get);
    BelievedBuckets.sign(get, keys);
    return get;
  }

  /**
   * A Get that a region refuses if its table is not the one that this query was bound for: where
   * rows are said by keys, other buckets have them elsewhere, and an index or statistics may show
   * none without that a region has been asked.
   *
   * @return empty if no keys are said
   */
  Optional<Get> toCheck() {
    if (range.equals(RowRange.ALL)) {
      return Optional.empty();
    }
    byte[] some = {0};
    return Optional.of(get(keys.map(k -> k.stored(some)).orElse(some)));
  }

  /** What global indexes are asked. */
  EntryQuery entryQuery() {
    return new EntryQuery(
        predicate,
        indexes,
        settings.hint().orElse(Attributes.PATH_AUTO),
        rows,
        limit,
        settings.maxEntries());
  }

  /** Regions know nothing of global indexes: where such a one was meant, they plan freely. */
  private String regionHint() {
    String hint = settings.hint().orElse(Attributes.PATH_AUTO);
    return isNamedGlobal() ? Attributes.PATH_AUTO : hint;
  }
}
