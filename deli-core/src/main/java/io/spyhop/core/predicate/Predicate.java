package io.spyhop.core.predicate;

import io.spyhop.core.value.ValueType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * A condition on a row, not yet bound to a schema: built by {@link Predicates}, combined here,
 * bound by {@link Binder}. Immutable and thread-safe as long as literals are.
 *
 * <p>Logic is three-valued as in SQL: a comparison with an absent or undecodable value is unknown,
 * NOT of unknown is unknown, and only rows for which the whole is true pass.
 */
public sealed interface Predicate {
  /** True where both are true. */
  default Predicate and(Predicate other) {
    return new And(List.of(this, other));
  }

  /** True where one of both is true. */
  default Predicate or(Predicate other) {
    return new Or(List.of(this, other));
  }

  /** True where this is false; unknown stays unknown. */
  default Predicate not() {
    return new Not(this);
  }

  /** How a column stands to a literal. */
  enum Operator {
    /** Equal. */
    EQ("="),
    /** Not equal. */
    NE("!="),
    /** Less than. */
    LT("<"),
    /** Less than or equal. */
    LE("<="),
    /** Greater than. */
    GT(">"),
    /** Greater than or equal. */
    GE(">=");

    private final String symbol;

    Operator(String symbol) {
      this.symbol = symbol;
    }

    @Override
    public String toString() {
      return symbol;
    }
  }

  /**
   * A column as the user wrote it.
   *
   * @param text {@code family:qualifier}, or the qualifier alone where it is unambiguous
   * @param type the type, or null where the schema declares it
   */
  record ColumnRef(String text, ValueType type) {
    /** Checks that there is a name. */
    public ColumnRef {
      Objects.requireNonNull(text, "column");
    }

    @Override
    public String toString() {
      return type == null ? text : "CAST(" + text + " AS " + type + ")";
    }
  }

  /** Column compared with a literal. */
  record Comparison(ColumnRef column, Operator operator, Object literal) implements Predicate {
    /** Checks that there is a literal: null is asked for with IS NULL. */
    public Comparison {
      requireLiteral(column, literal);
    }

    @Override
    public String toString() {
      return column + " " + operator + " " + show(literal);
    }
  }

  /** Column within a range, both ends inclusive. */
  record Between(ColumnRef column, Object low, Object high) implements Predicate {
    /** Checks that there are literals. */
    public Between {
      requireLiteral(column, low);
      requireLiteral(column, high);
    }

    @Override
    public String toString() {
      return column + " BETWEEN " + show(low) + " AND " + show(high);
    }
  }

  /** Column equal to one of the literals. */
  record In(ColumnRef column, List<Object> literals) implements Predicate {
    /** Checks that there are literals. */
    public In {
      if (literals.isEmpty()) {
        throw new IllegalArgumentException(column + " IN () needs at least one literal");
      }
      literals.forEach(l -> requireLiteral(column, l));
      literals = List.copyOf(literals);
    }

    @Override
    public String toString() {
      return column
          + literals.stream().map(Predicate::show).collect(Collectors.joining(", ", " IN (", ")"));
    }
  }

  /** Column's stored bytes start with a prefix: text (as UTF-8) or bytes. */
  record Prefix(ColumnRef column, Object prefix) implements Predicate {
    /** Checks that there is a prefix. */
    public Prefix {
      requireLiteral(column, prefix);
    }

    @Override
    public String toString() {
      return column + " LIKE " + show(prefix + "%");
    }
  }

  /** The row has no cell of the column; undecodable cells count as present. */
  record IsNull(ColumnRef column) implements Predicate {
    @Override
    public String toString() {
      return column + " IS NULL";
    }
  }

  /** All of them. */
  record And(List<Predicate> children) implements Predicate {
    /** Copies and flattens. */
    public And {
      List<Predicate> flat = new ArrayList<>();
      children.forEach(c -> flat.addAll(c instanceof And a ? a.children() : List.of(c)));
      children = nonEmpty(flat);
    }

    @Override
    public String toString() {
      return join(children, " AND ");
    }
  }

  /** At least one of them. */
  record Or(List<Predicate> children) implements Predicate {
    /** Copies and flattens. */
    public Or {
      List<Predicate> flat = new ArrayList<>();
      children.forEach(c -> flat.addAll(c instanceof Or o ? o.children() : List.of(c)));
      children = nonEmpty(flat);
    }

    @Override
    public String toString() {
      return join(children, " OR ");
    }
  }

  /** The opposite. */
  record Not(Predicate child) implements Predicate {
    @Override
    public String toString() {
      return "NOT (" + child + ")";
    }
  }

  private static List<Predicate> nonEmpty(List<Predicate> children) {
    if (children.isEmpty()) {
      throw new IllegalArgumentException("AND and OR need at least one condition");
    }
    return List.copyOf(children);
  }

  private static String join(List<Predicate> children, String operator) {
    return children.stream()
        .map(c -> c instanceof And || c instanceof Or ? "(" + c + ")" : c.toString())
        .collect(Collectors.joining(operator));
  }

  private static void requireLiteral(ColumnRef column, Object literal) {
    if (literal == null) {
      throw new IllegalArgumentException(
          "column " + column + " is compared with null: use IS NULL");
    }
  }

  private static String show(Object literal) {
    if (literal instanceof byte[] bytes) {
      return Arrays.toString(bytes);
    }
    return literal instanceof Number || literal instanceof Boolean
        ? literal.toString()
        : "'" + literal + "'";
  }
}
