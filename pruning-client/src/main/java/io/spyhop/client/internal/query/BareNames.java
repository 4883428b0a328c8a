package io.spyhop.client.internal.query;

import io.spyhop.client.Aggregation;
import io.spyhop.client.Query;
import io.spyhop.core.predicate.Predicate;
import io.spyhop.core.predicate.Predicate.And;
import io.spyhop.core.predicate.Predicate.Between;
import io.spyhop.core.predicate.Predicate.ColumnRef;
import io.spyhop.core.predicate.Predicate.Comparison;
import io.spyhop.core.predicate.Predicate.In;
import io.spyhop.core.predicate.Predicate.IsNull;
import io.spyhop.core.predicate.Predicate.Not;
import io.spyhop.core.predicate.Predicate.Or;
import io.spyhop.core.predicate.Predicate.Prefix;
import java.util.List;
import java.util.stream.Stream;

/**
 * Columns that a query names without their family: which ones they are depends on what else the
 * table declares, and no region can notice that an old definition chose another one. Stateless.
 */
public final class BareNames {
  private BareNames() {}

  /** Whether a query has one. */
  public static boolean in(Query query) {
    return query.predicate().filter(BareNames::in).isPresent()
        || query.order().filter(o -> isBare(o.column())).isPresent()
        || query.selected().stream().anyMatch(BareNames::isBare);
  }

  /** Whether an aggregation has one, or may have. */
  public static boolean in(Aggregation aggregation) {
    return Stream.concat(
            aggregation.groupBy().stream(),
            aggregation.aggregates().stream().flatMap(a -> a.column().stream()))
        .anyMatch(BareNames::isBare);
  }

  private static boolean in(Predicate predicate) {
    if (predicate instanceof And and) {
      return in(and.children());
    }
    if (predicate instanceof Or or) {
      return in(or.children());
    }
    return predicate instanceof Not not ? in(not.child()) : isBare(columnOf(predicate).text());
  }

  private static boolean in(List<Predicate> some) {
    return some.stream().anyMatch(BareNames::in);
  }

  private static ColumnRef columnOf(Predicate leaf) {
    if (leaf instanceof Comparison c) {
      return c.column();
    }
    if (leaf instanceof Between b) {
      return b.column();
    }
    if (leaf instanceof In i) {
      return i.column();
    }
    return leaf instanceof Prefix p ? p.column() : ((IsNull) leaf).column();
  }

  private static boolean isBare(String name) {
    return name.indexOf(':') <= 0;
  }
}
