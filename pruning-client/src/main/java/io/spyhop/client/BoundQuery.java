package io.spyhop.client;

import io.spyhop.client.exec.RowRange;
import io.spyhop.client.plan.Projection;
import io.spyhop.client.plan.TableSchema;
import io.spyhop.core.predicate.BoundPredicate;
import io.spyhop.core.predicate.PredicateFilter;
import io.spyhop.core.region.Attributes;
import io.spyhop.core.region.PlanRequest;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Scan;

/**
 * A query with types and columns resolved: what is sent. Immutable, thread-safe.
 *
 * @param query as the user built it
 * @param predicate its condition, bound
 * @param projection its selection, resolved
 */
record BoundQuery(Query query, BoundPredicate predicate, Projection projection) {
  /** Binds a query to a table; throws what {@link IndexedTable#bind} says. */
  static BoundQuery of(Query query, TableSchema table) {
    query.hint().ifPresent(table::checkHint);
    BoundPredicate predicate = table.bind(query.predicate());
    return new BoundQuery(query, predicate, Projection.of(query.selected(), predicate, table));
  }

  /**
   * The scan of a part of the table, with a filter of its own.
   *
   * @param queryId under which regions keep what they did, if they shall
   */
  Scan scan(RowRange part, Optional<byte[]> queryId) {
    Scan scan =
        new Scan()
            .withStartRow(part.start(), true)
            .withStopRow(part.stop(), false)
            .setFilter(new PredicateFilter(predicate))
            .setCaching(query.caching());
    projection.applyTo(scan);
    if (!projection.strips()) {
      query.limit().ifPresent(scan::setLimit);
    }
    query
        .hint()
        .ifPresent(
            h -> scan.setAttribute(Attributes.PATH_HINT, h.getBytes(StandardCharsets.UTF_8)));
    queryId.ifPresent(id -> scan.setAttribute(Attributes.QUERY_ID, id));
    return scan;
  }

  /** What EXPLAIN asks. */
  PlanRequest planRequest() {
    return new PlanRequest(
        predicate, projection.families(), query.hint().orElse(Attributes.PATH_AUTO));
  }

  /** The most rows to return. */
  long limit() {
    return query.limit().isPresent() ? query.limit().getAsInt() : Long.MAX_VALUE;
  }
}
