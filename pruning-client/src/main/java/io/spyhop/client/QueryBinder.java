package io.spyhop.client;

import io.spyhop.client.internal.bucket.StoredRows;
import io.spyhop.client.internal.exec.RowRanges;
import io.spyhop.client.internal.plan.BoundAggregation;
import io.spyhop.client.internal.plan.Projection;
import io.spyhop.client.internal.plan.TableSchema;
import io.spyhop.client.internal.query.BoundQuery;
import io.spyhop.core.order.ValueOrder;
import io.spyhop.core.predicate.Binder;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.protocol.Attributes;
import java.util.Optional;
import org.apache.hadoop.hbase.util.Bytes;

/** Binds queries to tables. Stateless. */
final class QueryBinder {
  private QueryBinder() {}

  /** Resolves types and columns; throws what {@link IndexedTable#bind} says. */
  static BoundQuery bind(Query query, TableSchema table) {
    query.hint().ifPresent(table::checkHint);
    Optional<Binder.Valued> valued =
        query.order().map(o -> table.bindValued(query.predicate().orElse(null), o.column()));
    BoundPredicate predicate =
        valued
            .map(Binder.Valued::predicate)
            .orElseGet(
                () -> query.predicate().map(table::bind).orElseGet(BoundPredicate::everyRow));
    return new BoundQuery(
        predicate,
        valued.map(v -> new ValueOrder(v.column(), query.order().get().direction() == Order.DESC)),
        Projection.of(query.selected(), predicate, table),
        table.indexes(),
        table.families().stream().map(Bytes::toBytesBinary).toList(),
        table.keys(),
        query.range(),
        table
            .keys()
            .map(keys -> StoredRows.of(keys, query.range()))
            .orElseGet(() -> RowRanges.of(query.range())),
        Optional.empty(),
        query.limit().isPresent() ? query.limit().getAsInt() : BoundQuery.ALL,
        settings(query));
  }

  /**
   * A query with an aggregate of its rows.
   *
   * @param query as it is sent
   * @param aggregation what the answers of regions are read by
   */
  record Aggregating(BoundQuery query, BoundAggregation aggregation) {}

  /**
   * The same of an aggregate of a query's rows.
   *
   * @throws InvalidQueryException also if the query has a selection, an order or a limit, or a
   *     function does not fit its column
   */
  static Aggregating bind(Query query, Aggregation aggregation, TableSchema table) {
    if (!query.selected().isEmpty() || query.order().isPresent() || query.limit().isPresent()) {
      throw new InvalidQueryException(
          "aggregates are of all rows that satisfy the condition: leave out select, orderBy and"
              + " limit");
    }
    BoundQuery rows = bind(query, table);
    BoundAggregation bound = BoundAggregation.of(aggregation, rows.predicate(), table);
    Projection read =
        bound.countsRows()
            ? rows.projection()
            : Projection.of(bound.request(), rows.predicate(), table);
    return new Aggregating(rows.aggregating(bound.request(), read), bound);
  }

  private static BoundQuery.Settings settings(Query query) {
    boolean served = query.read().unserved().isEmpty();
    return new BoundQuery.Settings(
        query.caching(),
        served ? query.hint() : Optional.of(Attributes.PATH_SCAN),
        query.maxEntries(),
        query.consistency(),
        served && query.pruning(),
        query.rowOrder() == RowOrder.KEY,
        query.onUnavailable(),
        query.read());
  }
}
