package io.spyhop.core.value;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;

/**
 * Decimal numbers as ASCII text: {@code [+-] digits [. digits] [e [+-] digits]}, where either the
 * digits before or those after the point may be missing.
 *
 * <p>Stricter than {@link Double#parseDouble}: no spaces, hexadecimal digits, type suffixes, {@code
 * NaN} or {@code Infinity}, and no digits of other scripts.
 */
final class DecimalText {
  private DecimalText() {}

  /** Whether all of the text is a decimal number. */
  static boolean matches(String text) {
    byte[] b = text.getBytes(StandardCharsets.UTF_8);
    return matches(b, 0, b.length);
  }

  /** Whether all of the bytes are a decimal number. */
  static boolean matches(byte[] b, int off, int len) {
    int end = off + len;
    int whole = skipSign(b, off, end);
    int i = skipDigits(b, whole, end);
    int digits = i - whole;
    if (i < end && b[i] == '.') {
      int fraction = i + 1;
      i = skipDigits(b, fraction, end);
      digits += i - fraction;
    }
    return digits > 0 && (i == end || isExponent(b, i, end));
  }

  private static boolean isExponent(byte[] b, int off, int end) {
    if (b[off] != 'e' && b[off] != 'E') {
      return false;
    }
    int digits = skipSign(b, off + 1, end);
    return digits < end && skipDigits(b, digits, end) == end;
  }

  private static int skipSign(byte[] b, int i, int end) {
    return i < end && (b[i] == '-' || b[i] == '+') ? i + 1 : i;
  }

  private static int skipDigits(byte[] b, int from, int end) {
    int i = from;
    while (i < end && b[i] >= '0' && b[i] <= '9') {
      i++;
    }
    return i;
  }

  /**
   * The exact number that a literal means: any {@link Number} or text. Floating point numbers stand
   * for their shortest decimal, so that 0.1 is 0.1. Null if it is not a finite number.
   */
  static BigDecimal numberOf(Object literal) {
    if (literal instanceof BigDecimal decimal) {
      return decimal;
    }
    boolean textual = literal instanceof Number || literal instanceof CharSequence;
    return textual ? parse(literal.toString()) : null;
  }

  private static BigDecimal parse(String text) {
    try {
      return matches(text) ? new BigDecimal(text) : null;
    } catch (NumberFormatException e) {
      return null; // an exponent that no BigDecimal can hold
    }
  }
}
