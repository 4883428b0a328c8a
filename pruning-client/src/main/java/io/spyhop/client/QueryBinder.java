package io.spyhop.client;

import io.spyhop.client.internal.bucket.StoredRows;
import io.spyhop.client.internal.exec.RowRanges;
import io.spyhop.client.internal.plan.Projection;
import io.spyhop.client.internal.plan.TableSchema;
import io.spyhop.client.internal.query.BoundQuery;
import io.spyhop.core.order.ValueOrder;
import io.spyhop.core.predicate.Binder;
import io.spyhop.core.predicate.BoundPredicate;
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
        query.limit().isPresent() ? query.limit().getAsInt() : BoundQuery.ALL,
        settings(query));
  }

  private static BoundQuery.Settings settings(Query query) {
    return new BoundQuery.Settings(
        query.caching(),
        query.hint(),
        query.maxEntries(),
        query.consistency(),
        query.pruning(),
        query.rowOrder() == RowOrder.KEY);
  }
}
