package io.spyhop.core.value;

import java.math.BigDecimal;
import org.apache.hadoop.hbase.util.Bytes;

/** Formats values for messages and plans. */
final class Display {
  private static final int MAX_PLAIN_DIGITS = 40;

  private Display() {}

  /** Text in single quotes; a quote inside is doubled, as in SQL. */
  static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  /** Bytes in single quotes, unprintable ones as {@code \xHH}. */
  static String quoted(byte[] bytes) {
    return quoted(Bytes.toStringBinary(bytes));
  }

  /** Without an exponent unless that would take too many zeros. */
  static String number(BigDecimal value) {
    boolean plain = Math.max(Math.abs((long) value.scale()), value.precision()) <= MAX_PLAIN_DIGITS;
    return plain ? value.toPlainString() : value.toString();
  }

  /** The shortest decimal that reads back as this double, or {@code NaN} or {@code Infinity}. */
  static String floating(String text) {
    return DecimalText.matches(text) ? number(new BigDecimal(text).stripTrailingZeros()) : text;
  }

  /** Whatever a caller gave as a literal. */
  static String literal(Object literal) {
    if (literal instanceof byte[] bytes) {
      return quoted(bytes);
    }
    return literal instanceof CharSequence text ? quoted(text.toString()) : String.valueOf(literal);
  }
}
