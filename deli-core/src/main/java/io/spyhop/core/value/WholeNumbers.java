package io.spyhop.core.value;

import java.math.BigDecimal;

/**
 * Whole numbers in a range. Literals: any {@link Number} or decimal text without a fraction (42,
 * 42.0, "42", "4.2e1").
 *
 * @param min the least, inclusive
 * @param max the greatest, inclusive
 */
record WholeNumbers(long min, long max) implements LongDomain {
  static final WholeNumbers INT8 = new WholeNumbers(Byte.MIN_VALUE, Byte.MAX_VALUE);
  static final WholeNumbers INT16 = new WholeNumbers(Short.MIN_VALUE, Short.MAX_VALUE);
  static final WholeNumbers INT32 = new WholeNumbers(Integer.MIN_VALUE, Integer.MAX_VALUE);
  static final WholeNumbers INT64 = new WholeNumbers(Long.MIN_VALUE, Long.MAX_VALUE);

  @Override
  public long of(Object literal, ValueType type) {
    BigDecimal number = DecimalText.numberOf(literal);
    if (number == null) {
      throw InvalidValueException.of(literal, type, "a whole number");
    }
    try {
      long value = number.longValueExact();
      if (value >= min && value <= max) {
        return value;
      }
    } catch (ArithmeticException e) {
      // Not whole, or no long: said below.
    }
    throw InvalidValueException.of(literal, type, "a whole number between " + min + " and " + max);
  }

  @Override
  public int beyond(Object literal) {
    BigDecimal number = DecimalText.numberOf(literal);
    if (number == null) {
      return 0;
    }
    return number.compareTo(BigDecimal.valueOf(max)) > 0
        ? 1
        : number.compareTo(BigDecimal.valueOf(min)) < 0 ? -1 : 0;
  }

  @Override
  public Object object(long value) {
    if (max > Integer.MAX_VALUE) {
      return value;
    }
    return (int) value;
  }
}
