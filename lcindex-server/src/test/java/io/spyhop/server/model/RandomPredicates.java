package io.spyhop.server.model;

import io.spyhop.core.predicate.Predicate;
import io.spyhop.core.predicate.Predicates;
import io.spyhop.core.predicate.Predicates.ColumnExpression;
import java.util.Random;

/** Draws predicates over the model's columns. */
final class RandomPredicates {
  private RandomPredicates() {}

  static Predicate draw(Random r) {
    return draw(r, r.nextInt(3));
  }

  private static Predicate draw(Random r, int depth) {
    if (depth == 0) {
      return leaf(r);
    }
    return switch (r.nextInt(5)) {
      case 0, 1 -> draw(r, depth - 1).and(draw(r, depth - 1));
      case 2 -> draw(r, depth - 1).or(draw(r, depth - 1));
      case 3 -> draw(r, depth - 1).not();
      default -> leaf(r);
    };
  }

  private static Predicate leaf(Random r) {
    Column c = Column.values()[r.nextInt(Column.values().length)];
    ColumnExpression e = Predicates.column(c.text());
    return switch (r.nextInt(11)) {
      case 0 -> e.eq(c.literal(r));
      case 1 -> e.ne(c.literal(r));
      case 2 -> e.lt(c.literal(r));
      case 3 -> e.le(c.literal(r));
      case 4 -> e.gt(c.literal(r));
      case 5 -> e.ge(c.literal(r));
      case 6 -> e.in(c.literal(r), c.literal(r), c.literal(r));
      case 7 -> e.isNull();
      case 8 -> e.isNotNull();
      case 9 -> c == Column.B ? e.startsWith(c.literal(r)) : e.eq(c.literal(r));
      default -> e.between(c.literal(r), c.literal(r));
    };
  }
}
