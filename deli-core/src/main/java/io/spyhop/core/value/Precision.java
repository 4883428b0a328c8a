package io.spyhop.core.value;

import java.math.BigDecimal;

/**
 * Floating point numbers of 32 or 64 bits, both held in a double.
 *
 * <p>Literals: any {@link Number} or decimal text, rounded to the nearest number of this precision,
 * and NaN, Infinity and -Infinity, which may be text too. A {@code Float} or {@code Double} stands
 * for its shortest decimal: 0.1f and 0.1 are one literal.
 */
enum Precision {
  SINGLE {
    @Override
    double nearest(BigDecimal number) {
      return number.floatValue();
    }

    @Override
    Object object(double value) {
      return (float) value;
    }
  },

  DOUBLE {
    @Override
    double nearest(BigDecimal number) {
      return number.doubleValue();
    }

    @Override
    Object object(double value) {
      return value;
    }
  };

  /** The nearest number of this precision, infinite if it is too great for it. */
  abstract double nearest(BigDecimal number);

  /** {@code Float} or {@code Double}. */
  abstract Object object(double value);

  /**
   * The value that a literal means, never -0.0.
   *
   * @throws InvalidValueException if it is not a number, or finite but too great
   */
  double of(Object literal, ValueType type) {
    BigDecimal number = DecimalText.numberOf(literal);
    if (number == null) {
      return special(literal, type);
    }
    double value = nearest(number);
    if (Double.isInfinite(value)) {
      throw InvalidValueException.of(literal, type, "a number within its range");
    }
    return value == 0 ? 0.0 : value;
  }

  /** As {@link ValueCodec#beyond} has it. */
  int beyond(Object literal) {
    BigDecimal number = DecimalText.numberOf(literal);
    return number != null && Double.isInfinite(nearest(number)) ? number.signum() : 0;
  }

  private static double special(Object literal, ValueType type) {
    return switch (String.valueOf(literal)) {
      case "NaN" -> Double.NaN;
      case "Infinity" -> Double.POSITIVE_INFINITY;
      case "-Infinity" -> Double.NEGATIVE_INFINITY;
      default -> throw InvalidValueException.of(literal, type, "a number");
    };
  }
}
