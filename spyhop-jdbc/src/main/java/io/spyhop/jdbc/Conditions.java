package io.spyhop.jdbc;

import io.spyhop.core.predicate.Predicate;
import io.spyhop.core.predicate.Predicates;
import io.spyhop.core.value.ValueType;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;

/**
 * Reads conditions of SQL as conditions of Spyhop, as far as the same rows satisfy both. SEARCH is
 * expanded before. Immutable, thread-safe.
 *
 * <p>What does not decode is NULL in SQL and present in Spyhop, so IS NULL is left to SQL, and IS
 * NOT NULL only narrows. A parameter that is NULL makes a comparison unknown, which is the same as
 * false where no NOT is around it.
 */
final class Conditions {
  /**
   * A condition that servers can use.
   *
   * @param predicate true of all rows of which the condition of SQL is
   * @param exact whether of those alone
   */
  record Usable(Predicate predicate, boolean exact) {}

  private static final Set<SqlKind> COMPARISONS =
      EnumSet.of(
          SqlKind.EQUALS,
          SqlKind.NOT_EQUALS,
          SqlKind.LESS_THAN,
          SqlKind.LESS_THAN_OR_EQUAL,
          SqlKind.GREATER_THAN,
          SqlKind.GREATER_THAN_OR_EQUAL);

  /** Of an encoding whose literals are not all allowed. */
  private static final Set<ValueType> CHOOSY =
      EnumSet.of(
          ValueType.FLOAT,
          ValueType.ORDERED_FLOAT32,
          ValueType.ORDERED_NUMERIC,
          ValueType.ORDERED_STRING);

  private static final int NUMERIC_DIGITS = 31;

  /** Text without wildcards, then one, and perhaps more. */
  private static final Pattern PREFIX = Pattern.compile("([^%_]+)%(.*)", Pattern.DOTALL);

  private final List<SqlColumn> columns;
  private final Function<String, Object> parameters;

  /**
   * @param columns of the fields that conditions refer to
   * @param parameters the values of parameters by their names; while a statement is planned any
   *     object that is not null
   */
  Conditions(List<SqlColumn> columns, Function<String, Object> parameters) {
    this.columns = columns;
    this.parameters = parameters;
  }

  /** A condition on columns; empty if servers cannot use it. */
  Optional<Usable> read(RexNode node) {
    return read(node, true);
  }

  private Optional<Usable> read(RexNode node, boolean positive) {
    if (node instanceof RexInputRef ref) {
      return comparable(ref).map(c -> new Usable(typed(c).eq(true), true));
    }
    if (!(node instanceof RexCall call)) {
      return Optional.empty();
    }
    if (COMPARISONS.contains(call.getKind())) {
      return comparison(call, positive);
    }
    return switch (call.getKind()) {
      case AND -> all(call, positive);
      case OR -> any(call, positive);
      case NOT ->
          read(call.getOperands().get(0), false)
              .filter(Usable::exact)
              .map(u -> new Usable(new Predicate.Not(u.predicate()), true));
      case IS_NOT_NULL ->
          positive
              ? comparable(call.getOperands().get(0))
                  .map(c -> new Usable(typed(c).isNotNull(), false))
              : Optional.empty();
      case LIKE -> like(call, positive);
      default -> Optional.empty();
    };
  }

  private Optional<Usable> all(RexCall call, boolean positive) {
    List<Predicate> parts = new ArrayList<>();
    boolean exact = true;
    for (RexNode operand : call.getOperands()) {
      Optional<Usable> part = read(operand, positive);
      exact &= part.isPresent() && part.get().exact();
      part.ifPresent(p -> parts.add(p.predicate()));
    }
    return parts.isEmpty() ? Optional.empty() : Optional.of(new Usable(and(parts), exact));
  }

  private Optional<Usable> any(RexCall call, boolean positive) {
    List<Predicate> parts = new ArrayList<>();
    boolean exact = true;
    for (RexNode operand : call.getOperands()) {
      Optional<Usable> part = read(operand, positive);
      if (part.isEmpty()) {
        return Optional.empty();
      }
      exact &= part.get().exact();
      parts.add(part.get().predicate());
    }
    Predicate any =
        parts.size() == 1 ? parts.get(0) : Predicates.or(parts.toArray(Predicate[]::new));
    return Optional.of(new Usable(any, exact));
  }

  static Predicate and(List<Predicate> parts) {
    return parts.size() == 1 ? parts.get(0) : Predicates.and(parts.toArray(Predicate[]::new));
  }

  /**
   * A comparison of a column with a value.
   *
   * @param left the column
   * @param kind with the column on the left
   * @param right the literal or parameter
   */
  record Comparison(SqlColumn left, SqlKind kind, RexNode right) {
    boolean isWithParameter() {
      return right instanceof RexDynamicParam;
    }
  }

  /** Empty if the node is something else. */
  Optional<Comparison> asComparison(RexNode node) {
    if (!(node instanceof RexCall call) || !COMPARISONS.contains(call.getKind())) {
      return Optional.empty();
    }
    RexNode left = call.getOperands().get(0);
    RexNode right = call.getOperands().get(1);
    return isValue(right)
        ? column(left).map(c -> new Comparison(c, call.getKind(), right))
        : isValue(left)
            ? column(right).map(c -> new Comparison(c, call.getKind().reverse(), left))
            : Optional.empty();
  }

  private static boolean isValue(RexNode node) {
    return node instanceof RexLiteral || node instanceof RexDynamicParam;
  }

  private Optional<SqlColumn> column(RexNode node) {
    if (node instanceof RexInputRef ref) {
      return Optional.of(columns.get(ref.getIndex()));
    }
    return node.getKind() == SqlKind.CAST ? uncast((RexCall) node) : Optional.empty();
  }

  /** The column of a cast that keeps values and their order. */
  private Optional<SqlColumn> uncast(RexCall cast) {
    RexNode inner = cast.getOperands().get(0);
    Optional<SqlColumn> column = inner instanceof RexInputRef ? column(inner) : Optional.empty();
    return column.filter(c -> Widening.keeps(inner.getType(), cast.getType()));
  }

  private Optional<SqlColumn> comparable(RexNode node) {
    return column(node).filter(c -> !c.isRowKey());
  }

  private Optional<Usable> comparison(RexCall call, boolean positive) {
    Optional<Comparison> read = asComparison(call).filter(c -> !c.left().isRowKey());
    if (read.isEmpty()) {
      return Optional.empty();
    }
    Comparison comparison = read.get();
    SqlColumn column = comparison.left();
    if (comparison.isWithParameter() && (!positive || CHOOSY.contains(column.type()))) {
      return Optional.empty();
    }
    if (comparison.right() instanceof RexDynamicParam parameter) {
      Object value = parameters.apply(parameter.getName());
      return Optional.of(
          new Usable(
              value == null
                  ? never(column)
                  : compared(column, comparison.kind(), SqlValues.literal(value, column.type())),
              true));
    }
    return Literals.of((RexLiteral) comparison.right(), column.type())
        .flatMap(v -> withLiteral(column, comparison.kind(), v));
  }

  private Optional<Usable> withLiteral(SqlColumn column, SqlKind kind, Object value) {
    return switch (column.type()) {
      case FLOAT, ORDERED_FLOAT32 -> ofFloats(column, kind, (BigDecimal) value);
      case ORDERED_NUMERIC ->
          ((BigDecimal) value).precision() > NUMERIC_DIGITS
              ? Optional.empty()
              : exactly(column, kind, value);
      case ORDERED_STRING ->
          ((String) value).indexOf(0) >= 0 ? Optional.empty() : exactly(column, kind, value);
      default -> exactly(column, kind, value);
    };
  }

  private static Optional<Usable> exactly(SqlColumn column, SqlKind kind, Object value) {
    return Optional.of(new Usable(compared(column, kind, value), true));
  }

  /** SQL compares a REAL as a DOUBLE, and Spyhop rounds the literal: the nearest may be a row's. */
  private static Optional<Usable> ofFloats(SqlColumn column, SqlKind kind, BigDecimal value) {
    float nearest = value.floatValue();
    if (!Float.isInfinite(nearest) && new BigDecimal(nearest).compareTo(value) == 0) {
      return exactly(column, kind, nearest);
    }
    return switch (kind) {
      case LESS_THAN, LESS_THAN_OR_EQUAL ->
          Optional.of(new Usable(typed(column).le(nearest), false));
      case GREATER_THAN, GREATER_THAN_OR_EQUAL ->
          Optional.of(new Usable(typed(column).ge(nearest), false));
      default -> Optional.empty();
    };
  }

  private static Predicate compared(SqlColumn column, SqlKind kind, Object value) {
    if (isWhole(column.type()) && value instanceof Number number) {
      BigDecimal decimal =
          number instanceof BigDecimal d ? d : new BigDecimal(String.valueOf(number));
      if (decimal.stripTrailingZeros().scale() > 0) {
        return besideWhole(column, kind, decimal);
      }
    }
    Predicates.ColumnExpression c = typed(column);
    return switch (kind) {
      case EQUALS -> c.eq(value);
      case NOT_EQUALS -> c.ne(value);
      case LESS_THAN -> c.lt(value);
      case LESS_THAN_OR_EQUAL -> c.le(value);
      case GREATER_THAN -> c.gt(value);
      default -> c.ge(value);
    };
  }

  /** A whole number compared with one that is none. */
  private static Predicate besideWhole(SqlColumn column, SqlKind kind, BigDecimal value) {
    Predicates.ColumnExpression c = typed(column);
    return switch (kind) {
      case EQUALS -> never(column);
      case NOT_EQUALS -> Predicates.or(c.eq(0), c.ne(0));
      case LESS_THAN, LESS_THAN_OR_EQUAL -> c.le(value.setScale(0, RoundingMode.FLOOR));
      default -> c.ge(value.setScale(0, RoundingMode.CEILING));
    };
  }

  /** True of no row, and unknown where the column has no value. */
  private static Predicate never(SqlColumn column) {
    Object some = some(column.type());
    return Predicates.and(typed(column).eq(some), typed(column).ne(some));
  }

  private static Object some(ValueType type) {
    return switch (type) {
      case BOOLEAN -> true;
      case DATE -> "1970-01-01";
      case BYTES, ORDERED_BLOB -> new byte[0];
      case STRING, ORDERED_STRING -> "";
      default -> 0;
    };
  }

  private static boolean isWhole(ValueType type) {
    return switch (type) {
      case INT, LONG, TEXT_LONG, ORDERED_INT8, ORDERED_INT16, ORDERED_INT32, ORDERED_INT64 -> true;
      default -> false;
    };
  }

  /** {@code LIKE 'prefix%'}; a longer pattern narrows by what it begins with. */
  private Optional<Usable> like(RexCall call, boolean positive) {
    List<RexNode> operands = call.getOperands();
    Optional<SqlColumn> column =
        comparable(operands.get(0)).filter(c -> c.type() == ValueType.STRING);
    if (column.isEmpty() || operands.size() != 2 || !(operands.get(1) instanceof RexLiteral l)) {
      return Optional.empty();
    }
    String pattern = l.getValueAs(String.class);
    Matcher prefix = PREFIX.matcher(pattern == null ? "" : pattern);
    if (!prefix.matches()) {
      return Optional.empty();
    }
    boolean exact = prefix.group(2).isEmpty();
    return exact || positive
        ? Optional.of(new Usable(typed(column.get()).startsWith(prefix.group(1)), exact))
        : Optional.empty();
  }

  private static Predicates.ColumnExpression typed(SqlColumn column) {
    return Predicates.column(column.name().toString(), column.type());
  }
}
