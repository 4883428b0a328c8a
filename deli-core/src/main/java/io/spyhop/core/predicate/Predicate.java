package io.spyhop.core.predicate;

import io.spyhop.core.value.ValueType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A condition on a row, not yet bound to a schema: built by {@link Predicates}, combined here,
 * bound by {@link Binder}. Immutable and thread-safe as long as literals are.
 *
 * <p>Logic is three-valued as in SQL: a comparison with an absent or undecodable value is unknown,
 * NOT of unknown is unknown, and only rows for which the whole is true pass.
 *
 * <p>What is nested deeper than {@link #MAX_DEPTH} is refused where it is built, with an {@link
 * InvalidPredicateException}; what has more than {@link #MAX_NODES} parts, when it is bound.
 *
 * <p>Its text is a condition in SQL that the client's parser of WHERE reads as the same predicate.
 */
public sealed interface Predicate {
  /** How many ANDs, ORs and NOTs may stand one within the other. */
  int MAX_DEPTH = 200;

  /**
   * How many conditions, ANDs and ORs a bound predicate may have; the literals of an IN are one.
   */
  int MAX_NODES = 100_000;

  /** True where both are true. */
  default Predicate and(Predicate other) {
    return new And(Arrays.asList(this, other));
  }

  /** True where one of both is true. */
  default Predicate or(Predicate other) {
    return new Or(Arrays.asList(this, other));
  }

  /** True where this is false; unknown stays unknown. */
  default Predicate not() {
    return new Not(this);
  }

  /** Comparisons of a column with a literal. */
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
      Objects.requireNonNull(text, "the name of a column is null");
    }

    @Override
    public String toString() {
      return PredicateText.column(this);
    }
  }

  /**
   * Stands where a literal does, or the prefix of LIKE, until {@link Parameters#with} gives it a
   * value. As text {@code :name}, or {@code ?1} where the name is a number.
   *
   * @param name letters, digits and underscores
   */
  record Parameter(String name) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*|[1-9][0-9]{0,8}");

    /** Checks the name. */
    public Parameter {
      if (!NAME.matcher(name).matches()) {
        throw new IllegalArgumentException(
            "'" + name + "' is no name of a parameter: letters, digits and underscores are");
      }
    }

    @Override
    public String toString() {
      return (Character.isDigit(name.charAt(0)) ? "?" : ":") + name;
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
      return column + " " + operator + " " + PredicateText.literal(literal);
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
      return column
          + " BETWEEN "
          + PredicateText.literal(low)
          + " AND "
          + PredicateText.literal(high);
    }
  }

  /** Column equal to one of the literals. */
  record In(ColumnRef column, List<Object> literals) implements Predicate {
    /** Checks that there are literals. */
    public In {
      Objects.requireNonNull(literals, "the literals of IN are null");
      if (literals.isEmpty()) {
        throw new IllegalArgumentException(column + " IN () needs at least one literal");
      }
      literals.forEach(l -> requireLiteral(column, l));
      literals = List.copyOf(literals);
    }

    @Override
    public String toString() {
      return column
          + literals.stream()
              .map(PredicateText::literal)
              .collect(Collectors.joining(", ", " IN (", ")"));
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
      return column + " LIKE " + PredicateText.pattern(prefix);
    }
  }

  /** The row has no cell of the column; undecodable cells count as present. */
  record IsNull(ColumnRef column) implements Predicate {
    /** Checks that there is a column. */
    public IsNull {
      Objects.requireNonNull(column, "the column of a condition is null");
    }

    @Override
    public String toString() {
      return column + " IS NULL";
    }
  }

  /** All of them. */
  record And(List<Predicate> children) implements Predicate {
    /** Copies and flattens. */
    public And {
      Objects.requireNonNull(children, "the conditions of AND are null");
      List<Predicate> flat = new ArrayList<>();
      children.forEach(c -> flat.addAll(c instanceof And a ? a.children() : Arrays.asList(c)));
      children = nonEmpty(flat);
      requireDepth(children);
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
      Objects.requireNonNull(children, "the conditions of OR are null");
      List<Predicate> flat = new ArrayList<>();
      children.forEach(c -> flat.addAll(c instanceof Or o ? o.children() : Arrays.asList(c)));
      children = nonEmpty(flat);
      requireDepth(children);
    }

    @Override
    public String toString() {
      return join(children, " OR ");
    }
  }

  /** The opposite. */
  record Not(Predicate child) implements Predicate {
    /** Checks that there is a condition, and the depth. */
    public Not {
      Objects.requireNonNull(child, "the condition of NOT is null");
      requireDepth(List.of(child));
    }

    @Override
    public String toString() {
      return "NOT (" + child + ")";
    }
  }

  private static void requireDepth(List<Predicate> children) {
    if (1 + depth(children) > MAX_DEPTH) {
      throw new InvalidPredicateException(
          "AND, OR and NOT are nested more than "
              + MAX_DEPTH
              + " deep; combine conditions with lists of them (Predicates.and, Predicates.or, IN),"
              + " not one within the other",
          null);
    }
  }

  private static int depth(List<Predicate> some) {
    int deepest = 0;
    for (Predicate p : some) {
      int depth = 0;
      if (p instanceof And and) {
        depth = 1 + depth(and.children());
      } else if (p instanceof Or or) {
        depth = 1 + depth(or.children());
      } else if (p instanceof Not not) {
        depth = 1 + depth(List.of(not.child()));
      }
      deepest = Math.max(deepest, depth);
    }
    return deepest;
  }

  private static List<Predicate> nonEmpty(List<Predicate> children) {
    if (children.isEmpty()) {
      throw new IllegalArgumentException("AND and OR need at least one condition");
    }
    children.forEach(c -> Objects.requireNonNull(c, "a condition of AND or OR is null"));
    return List.copyOf(children);
  }

  private static String join(List<Predicate> children, String operator) {
    return children.stream()
        .map(c -> c instanceof And || c instanceof Or ? "(" + c + ")" : c.toString())
        .collect(Collectors.joining(operator));
  }

  private static void requireLiteral(ColumnRef column, Object literal) {
    Objects.requireNonNull(column, "the column of a condition is null");
    if (literal == null) {
      throw new IllegalArgumentException(
          "column " + column + " is compared with null: use IS NULL");
    }
    boolean array = literal.getClass().isArray() && !(literal instanceof byte[]);
    if (array || literal instanceof Iterable) {
      throw new IllegalArgumentException(
          "column "
              + column
              + " is compared with a "
              + literal.getClass().getSimpleName()
              + " as one value: give single values, or a Collection to in(...)");
    }
  }
}
