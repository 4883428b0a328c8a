package io.spyhop.server.model;

import io.spyhop.core.predicate.Predicate;
import io.spyhop.core.predicate.Predicates;
import io.spyhop.core.predicate.Predicates.ColumnExpression;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Draws predicates over the model's columns. */
final class RandomPredicates {
  private RandomPredicates() {}

  static Predicate draw(Random r) {
    return draw(r, List.of(Column.values()));
  }

  /** A predicate of some of these columns. */
  static Predicate draw(Random r, List<Column> columns) {
    return draw(r, columns, r.nextInt(3));
  }

  private static Predicate draw(Random r, List<Column> columns, int depth) {
    if (depth == 0) {
      return leaf(r, columns);
    }
    return switch (r.nextInt(5)) {
      case 0, 1 -> draw(r, columns, depth - 1).and(draw(r, columns, depth - 1));
      case 2 -> draw(r, columns, depth - 1).or(draw(r, columns, depth - 1));
      case 3 -> draw(r, columns, depth - 1).not();
      default -> leaf(r, columns);
    };
  }

  private static Predicate leaf(Random r, List<Column> columns) {
    return leaf(r, columns.get(r.nextInt(columns.size())));
  }

  /** The same with each column's type, for who may not know what is declared. */
  static Predicate typed(Predicate p) {
    if (p instanceof Predicate.And and) {
      return new Predicate.And(and.children().stream().map(RandomPredicates::typed).toList());
    } else if (p instanceof Predicate.Or or) {
      return new Predicate.Or(or.children().stream().map(RandomPredicates::typed).toList());
    } else if (p instanceof Predicate.Not not) {
      return new Predicate.Not(typed(not.child()));
    } else if (p instanceof Predicate.Comparison c) {
      return new Predicate.Comparison(typed(c.column()), c.operator(), c.literal());
    } else if (p instanceof Predicate.Between b) {
      return new Predicate.Between(typed(b.column()), b.low(), b.high());
    } else if (p instanceof Predicate.In in) {
      return new Predicate.In(typed(in.column()), in.literals());
    } else if (p instanceof Predicate.Prefix prefix) {
      return new Predicate.Prefix(typed(prefix.column()), prefix.prefix());
    }
    return new Predicate.IsNull(typed(((Predicate.IsNull) p).column()));
  }

  private static Predicate.ColumnRef typed(Predicate.ColumnRef column) {
    Column c =
        Arrays.stream(Column.values())
            .filter(v -> v.text().equals(column.text()))
            .findFirst()
            .orElseThrow();
    return new Predicate.ColumnRef(column.text(), c.type());
  }

  /** Two columns of one family are in ranges: of these most is kept from query to query. */
  static Predicate ranges(Random r) {
    List<Column> columns = new ArrayList<>(List.of(Column.A, Column.B, Column.C));
    columns.remove(r.nextInt(columns.size()));
    return range(r, columns.get(0)).and(range(r, columns.get(1)));
  }

  private static Predicate range(Random r, Column c) {
    ColumnExpression e = Predicates.column(c.text());
    return r.nextBoolean() ? e.ge(c.literal(r)) : e.le(c.literal(r));
  }

  /** A column's value is one of several. */
  static Predicate list(Random r, Column c) {
    Object[] literals = IntStream.range(0, 2 + r.nextInt(11)).mapToObj(i -> c.literal(r)).toArray();
    return Predicates.column(c.text()).in(literals);
  }

  /** A comparison with one column. */
  static Predicate leaf(Random r, Column c) {
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
