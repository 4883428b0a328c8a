package io.spyhop.core.aggregate;

/**
 * Sum and average of a column's numbers, exact until they are rounded once. They do not depend on
 * the order in which numbers came.
 */
public interface Total {
  /** How many numbers there are. */
  long count();

  /**
   * The sum, or null of no numbers: a {@code BigInteger} of whole numbers, a {@code BigDecimal} of
   * decimals, a {@code Double} of floating point numbers.
   *
   * @throws ArithmeticException if a decimal has so many places that no sum is made
   */
  Number sum();

  /**
   * The sum divided by the count, or null of no numbers: a {@code Double} of floating point
   * numbers, a {@code BigDecimal} of 34 digits of others.
   *
   * @throws ArithmeticException as {@link #sum} says
   */
  Number average();
}
