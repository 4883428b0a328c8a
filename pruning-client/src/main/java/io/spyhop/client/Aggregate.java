package io.spyhop.client;

import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/**
 * A figure of the rows of a query, or of each group of them. Values that are absent or do not
 * decode are none, as in conditions; only {@link #count()} counts rows. Immutable, thread-safe.
 *
 * @param function what is computed
 * @param column of whose values: {@code "d:totalprice"}, the qualifier alone where it is
 *     unambiguous, or {@code "CAST(d:custkey AS LONG)"} where its type is not declared; in double
 *     quotes, as in conditions, or without. Empty for {@link Function#COUNT_ROWS}
 */
public record Aggregate(Function function, Optional<String> column) {
  /** Functions, and the class of their values. */
  public enum Function {
    /** How many rows there are: a {@code Long}. */
    COUNT_ROWS,
    /** How many values there are: a {@code Long}. */
    COUNT,
    /** How many values there are that do not compare as equal: a {@code Long}. */
    COUNT_DISTINCT,
    /** The least value, as conditions compare them; null without values. */
    MIN,
    /** The greatest value, as conditions compare them; null without values. */
    MAX,
    /**
     * The sum, null without values. Exact: a {@code BigInteger} of whole numbers, a {@code
     * BigDecimal} of decimals; of floating point numbers the {@code Double} nearest to the exact
     * sum, NaN if one is, or infinities of both signs are.
     */
    SUM,
    /**
     * The exact sum divided by the count of values, null without: the nearest {@code Double} of
     * floating point numbers, of others a {@code BigDecimal} of at most 34 digits.
     */
    AVG
  }

  /**
   * An aggregate.
   *
   * @throws InvalidQueryException if a column is missing, or is not for the function
   */
  public Aggregate {
    Objects.requireNonNull(function, "the function is null");
    if (column.isPresent() == (function == Function.COUNT_ROWS)) {
      throw new InvalidQueryException(
          "aggregate " + function + (column.isPresent() ? " has no column" : " needs a column"));
    }
  }

  private static Aggregate of(Function function, String column) {
    return new Aggregate(
        function, Optional.of(Objects.requireNonNull(column, "the aggregate's column is null")));
  }

  /** How many rows there are. */
  public static Aggregate count() {
    return new Aggregate(Function.COUNT_ROWS, Optional.empty());
  }

  /** How many rows have a value in a column. */
  public static Aggregate count(String column) {
    return of(Function.COUNT, column);
  }

  /** How many values of a column differ. */
  public static Aggregate countDistinct(String column) {
    return of(Function.COUNT_DISTINCT, column);
  }

  /** The least value of a column. */
  public static Aggregate min(String column) {
    return of(Function.MIN, column);
  }

  /** The greatest value of a column. */
  public static Aggregate max(String column) {
    return of(Function.MAX, column);
  }

  /** The sum of a column of numbers. */
  public static Aggregate sum(String column) {
    return of(Function.SUM, column);
  }

  /** The average of a column of numbers. */
  public static Aggregate avg(String column) {
    return of(Function.AVG, column);
  }

  /** As {@link Aggregation#parse} reads it. */
  @Override
  public String toString() {
    return switch (function) {
      case COUNT_ROWS -> "count(*)";
      case COUNT_DISTINCT -> "count(distinct " + column.orElseThrow() + ")";
      default -> function.name().toLowerCase(Locale.ROOT) + "(" + column.orElseThrow() + ")";
    };
  }
}
