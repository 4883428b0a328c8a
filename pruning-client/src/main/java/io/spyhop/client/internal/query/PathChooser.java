package io.spyhop.client.internal.query;

import java.util.List;

/** Lists the paths of a query in the order in which they are tried. Stateless. */
final class PathChooser {
  private PathChooser() {}

  /** The last one serves every query. */
  static List<QueryPath> of(QueryContext context) {
    BoundQuery query = context.query();
    if (query.order().isPresent()) {
      QueryContext toSort = context.with(query.toSort());
      return List.of(new ValueOrderPath(context, toSort, inStoredOrder(toSort)));
    }
    if (query.sorts()) {
      return List.of(new KeyOrderPath(context, inStoredOrder(context.with(query.asked()))));
    }
    return inStoredOrder(context);
  }

  /** Paths whose rows come by their stored keys, so that each can go on where another ended. */
  private static List<QueryPath> inStoredOrder(QueryContext context) {
    QueryPath scans = context.canPrune() ? new PrunedPath(context) : new PlainPath(context);
    return context.query().hasGlobalDriver()
        ? List.of(new GlobalIndexPath(context, scans), scans)
        : List.of(scans);
  }
}
