package io.spyhop.core.predicate;

import io.spyhop.core.predicate.Predicate.ColumnRef;
import io.spyhop.core.predicate.Predicate.Operator;
import io.spyhop.core.value.ValueType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;

/**
 * Factory methods for predicates: {@code Predicates.column("d:totalprice").between(20000.0,
 * 45000.0)}.
 *
 * <p>Literals are Java values of the column's type or text; whether they fit is checked when the
 * predicate is bound.
 */
public final class Predicates {
  private Predicates() {}

  /**
   * A column whose type the table's schema declares.
   *
   * @param column {@code family:qualifier}, or the qualifier alone where it is unambiguous
   */
  public static ColumnExpression column(String column) {
    return new ColumnExpression(new ColumnRef(column, null));
  }

  /** A column of any table, with its type; the column needs no index. */
  public static ColumnExpression column(String column, ValueType type) {
    return new ColumnExpression(new ColumnRef(column, type));
  }

  /** True where all are true. */
  public static Predicate and(Predicate... children) {
    return new Predicate.And(children == null ? null : Arrays.asList(children));
  }

  /** True where at least one is true. */
  public static Predicate or(Predicate... children) {
    return new Predicate.Or(children == null ? null : Arrays.asList(children));
  }

  /** A column on the left of a comparison. Immutable. */
  public static final class ColumnExpression {
    private final ColumnRef column;

    ColumnExpression(ColumnRef column) {
      this.column = column;
    }

    /** Equal. */
    public Predicate eq(Object literal) {
      return compare(Operator.EQ, literal);
    }

    /** Present and not equal. */
    public Predicate ne(Object literal) {
      return compare(Operator.NE, literal);
    }

    /** Less than. */
    public Predicate lt(Object literal) {
      return compare(Operator.LT, literal);
    }

    /** Less than or equal. */
    public Predicate le(Object literal) {
      return compare(Operator.LE, literal);
    }

    /** Greater than. */
    public Predicate gt(Object literal) {
      return compare(Operator.GT, literal);
    }

    /** Greater than or equal. */
    public Predicate ge(Object literal) {
      return compare(Operator.GE, literal);
    }

    /** Within a range, both ends inclusive. */
    public Predicate between(Object low, Object high) {
      return new Predicate.Between(column, low, high);
    }

    /** Equal to one of these. */
    public Predicate in(Object... literals) {
      return new Predicate.In(column, literals == null ? null : Arrays.asList(literals));
    }

    /** Equal to one of these. */
    public Predicate in(Collection<?> literals) {
      return new Predicate.In(column, literals == null ? null : new ArrayList<>(literals));
    }

    /** Stored bytes start with this text (as UTF-8) or byte array; STRING and BYTES only. */
    public Predicate startsWith(Object prefix) {
      return new Predicate.Prefix(column, prefix);
    }

    /** The row has no such cell. */
    public Predicate isNull() {
      return new Predicate.IsNull(column);
    }

    /** The row has such a cell, decodable or not. */
    public Predicate isNotNull() {
      return new Predicate.IsNull(column).not();
    }

    private Predicate compare(Operator operator, Object literal) {
      return new Predicate.Comparison(column, operator, literal);
    }
  }
}
