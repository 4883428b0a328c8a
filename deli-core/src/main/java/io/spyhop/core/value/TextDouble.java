package io.spyhop.core.value;

import java.nio.charset.StandardCharsets;

/**
 * A decimal number as ASCII text (see {@link DecimalText}), read as the nearest double. Text beyond
 * the greatest finite double, and text of more than {@value #MAX_LENGTH} bytes, is undecodable.
 */
enum TextDouble implements DoubleForm {
  INSTANCE;

  /** More than the longest exact decimal expansion of a double takes. */
  static final int MAX_LENGTH = 2048;

  /** So many digits without an exponent are a finite double. */
  private static final int FINITE_LENGTH = Double.MAX_EXPONENT * 3 / 10;

  @Override
  public boolean isDecodable(byte[] b, int off, int len) {
    return len <= MAX_LENGTH
        && DecimalText.matches(b, off, len)
        && (isShortWithoutExponent(b, off, len) || canHold(read(b, off, len)));
  }

  private static boolean isShortWithoutExponent(byte[] b, int off, int len) {
    for (int i = off; i < off + len; i++) {
      if (b[i] == 'e' || b[i] == 'E') {
        return false;
      }
    }
    return len <= FINITE_LENGTH;
  }

  @Override
  public double read(byte[] b, int off, int len) {
    return Double.parseDouble(new String(b, off, len, StandardCharsets.US_ASCII));
  }

  @Override
  public byte[] write(double value) {
    return Double.toString(value).getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public boolean canHold(double value) {
    return Double.isFinite(value);
  }
}
