package io.spyhop.core.value;

import java.math.BigDecimal;
import org.apache.hadoop.hbase.util.OrderedBytes;

/**
 * Reads one ascending Numeric of {@link OrderedBytes} that fills all of the given bytes, with the
 * result of {@code OrderedBytes.decodeNumericAsBigDecimal}; that decoder cannot be used on bytes of
 * unknown origin, as it writes out large exponents digit by digit and reads past the end.
 *
 * <pre>
 *   0x08        ~E  ~M    at most -10^20      E: varint
 *   0x13-E          ~M    -10^20 .. -1        E: 1 to 10, in the header
 *   0x14        -E  ~M    -1 .. 0
 *   0x15                  zero
 *   0x16       ~-E   M    0 .. 1
 *   0x17+E           M    1 .. 10^20
 *   0x22         E   M    at least 10^20
 * </pre>
 *
 * The value is {@code 0.M * 100^E}. M has one byte per two decimal digits, {@code 2 * digits + 1},
 * and {@code 2 * digits} for the last. {@code ~} inverts all bits. Not thread-safe, used once.
 */
final class OrderedNumericReader {
  private static final int MAX_PAIR = 99;
  private static final int MAX_EXPONENT = OrderedNumeric.MAX_MAGNITUDE / 2;

  /** Digit pairs that the decoder of {@code OrderedBytes} looks at; the encoder writes 16. */
  private static final int MAX_PAIRS_READ = 17;

  private final byte[] b;
  private final int end;
  private int position;

  OrderedNumericReader(byte[] b, int off, int len) {
    this.b = b;
    this.position = off;
    this.end = off + len;
  }

  /** The number, or null if the bytes are anything else. */
  BigDecimal read() {
    if (position == end) {
      return null;
    }
    byte header = b[position++];
    if (header == OrderedFormat.ZERO) {
      return position == end ? BigDecimal.ZERO : null;
    }
    boolean negative = header >= OrderedFormat.NEGATIVE_LARGE && header < OrderedFormat.ZERO;
    boolean positive = header > OrderedFormat.ZERO && header <= OrderedFormat.POSITIVE_LARGE;
    if (!negative && !positive) {
      return null;
    }
    return header(header, negative);
  }

  private BigDecimal header(byte header, boolean negative) {
    switch (header) {
      case OrderedFormat.NEGATIVE_LARGE:
      case OrderedFormat.POSITIVE_LARGE:
        return isVarintComplete(negative) ? mantissa(varint(negative), negative) : null;
      case OrderedFormat.NEGATIVE_SMALL:
      case OrderedFormat.POSITIVE_SMALL:
        return isVarintComplete(!negative) ? mantissa(-varint(!negative), negative) : null;
      default:
        int exponent =
            negative
                ? OrderedFormat.NEGATIVE_MEDIUM_MAX - header
                : header - OrderedFormat.POSITIVE_MEDIUM_MIN;
        return mantissa(exponent, negative);
    }
  }

  private int unsigned(int at, boolean inverted) {
    return (inverted ? ~b[at] : b[at]) & 0xff;
  }

  private boolean isVarintComplete(boolean inverted) {
    return position < end && end - position >= varintLength(unsigned(position, inverted));
  }

  /**
   * SQLite4's variable-length integer: the first byte is the value, its high part, or the length.
   */
  private static int varintLength(int first) {
    if (first <= 240) {
      return 1;
    }
    return first <= 248 ? 2 : first - 246;
  }

  private long varint(boolean inverted) {
    int first = unsigned(position, inverted);
    int length = varintLength(first);
    long rest = 0;
    for (int i = 1; i < length; i++) {
      rest = rest << Byte.SIZE | unsigned(position + i, inverted);
    }
    position += length;
    return switch (length) {
      case 1 -> first;
      case 2 -> 240 + 256L * (first - 241) + rest;
      case 3 -> 2288 + rest;
      default -> rest;
    };
  }

  /** All that is left must be digits; the last byte, and no other, is even. */
  private BigDecimal mantissa(long exponent, boolean negative) {
    boolean readable = exponent >= -MAX_EXPONENT && exponent <= MAX_EXPONENT;
    if (!readable || position == end || !isMantissa(negative)) {
      return null;
    }
    int pairs = Math.min(end - position, MAX_PAIRS_READ);
    BigDecimal digits = new BigDecimal(digits(pairs, negative));
    BigDecimal value = digits.scaleByPowerOfTen(2 * ((int) exponent - pairs));
    return (negative ? value.negate() : value).round(OrderedBytes.DEFAULT_MATH_CONTEXT);
  }

  private boolean isMantissa(boolean inverted) {
    for (int i = position; i < end; i++) {
      int code = unsigned(i, inverted);
      boolean last = (code & 1) == 0;
      if (last != (i == end - 1) || code >> 1 > MAX_PAIR) {
        return false;
      }
    }
    return unsigned(position, inverted) >> 1 > 0;
  }

  private char[] digits(int pairs, boolean inverted) {
    char[] digits = new char[2 * pairs];
    for (int i = 0; i < pairs; i++) {
      int pair = unsigned(position + i, inverted) >> 1;
      digits[2 * i] = (char) ('0' + pair / 10);
      digits[2 * i + 1] = (char) ('0' + pair % 10);
    }
    return digits;
  }
}
