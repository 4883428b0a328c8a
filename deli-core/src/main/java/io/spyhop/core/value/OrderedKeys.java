package io.spyhop.core.value;

import static org.apache.hadoop.hbase.util.Order.ASCENDING;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Arrays;
import org.apache.hadoop.hbase.util.OrderedBytes;
import org.apache.hadoop.hbase.util.PositionedByteRange;
import org.apache.hadoop.hbase.util.SimplePositionedMutableByteRange;

/**
 * Keys of values, written with {@link OrderedBytes} in ascending order. Stateless, thread-safe.
 *
 * <p>Three of its encodings order as their values do only after a preparation made here:
 *
 * <ul>
 *   <li>BlobVar marks the last byte with a cleared high bit, over the bits of the content: "3"
 *       would sort before "2x", which shares its first seven bits. One zero byte appended to the
 *       content takes all content out of the last byte, and then order is right for all content.
 *   <li>Numeric rounds beyond 31 digits half up, which carries 0.99...9 to 1 after it was
 *       classified as smaller than 1, and then writes it below all small numbers. Rounding towards
 *       zero beforehand leaves nothing to round.
 *   <li>Float64 has different bytes for -0.0 and 0.0, which are equal here.
 * </ul>
 */
final class OrderedKeys {
  /**
   * Decimals from {@code 10^1000} on, or below {@code 10^-1001}, have no key: {@code OrderedBytes}
   * would write one, but takes time quadratic in the exponent to read it.
   */
  static final int MAX_DECIMAL_MAGNITUDE = 1000;

  private static final MathContext TOWARDS_ZERO =
      new MathContext(OrderedBytes.MAX_PRECISION, RoundingMode.DOWN);
  private static final int INT8_LENGTH = 2;
  private static final int FIXED64_LENGTH = 9;
  private static final int MAX_NUMERIC_LENGTH = 32;

  private OrderedKeys() {}

  static ValueKey ofBoolean(boolean value) {
    PositionedByteRange range = new SimplePositionedMutableByteRange(INT8_LENGTH);
    OrderedBytes.encodeInt8(range, (byte) (value ? 1 : 0), ASCENDING);
    return written(range, true);
  }

  static ValueKey ofLong(long value) {
    PositionedByteRange range = new SimplePositionedMutableByteRange(FIXED64_LENGTH);
    OrderedBytes.encodeInt64(range, value, ASCENDING);
    return written(range, true);
  }

  /** All NaN have one key, above all others; -0.0 has that of 0.0. */
  static ValueKey ofDouble(double value) {
    PositionedByteRange range = new SimplePositionedMutableByteRange(FIXED64_LENGTH);
    OrderedBytes.encodeFloat64(range, value == 0 ? 0.0 : value, ASCENDING);
    return written(range, true);
  }

  /** Inexact if the value has more than 31 significant digits. */
  static ValueKey ofDecimal(BigDecimal value) {
    if (value.signum() != 0 && Math.abs(magnitude(value)) > MAX_DECIMAL_MAGNITUDE) {
      return ValueKey.UNKEYABLE;
    }
    BigDecimal kept = value.round(TOWARDS_ZERO);
    PositionedByteRange range = new SimplePositionedMutableByteRange(MAX_NUMERIC_LENGTH);
    OrderedBytes.encodeNumeric(range, kept, ASCENDING);
    return written(range, kept.compareTo(value) == 0);
  }

  /** The {@code m} for which the value is {@code 0.d... * 10^m} with a first digit d above zero. */
  static long magnitude(BigDecimal value) {
    return (long) value.precision() - value.scale();
  }

  /**
   * The key of a byte string.
   *
   * @param content its first bytes, at most {@link ValueCodec#MAX_KEYED_BYTES}
   * @param whole whether that is all of it
   */
  static ValueKey ofContent(byte[] content, boolean whole) {
    byte[] padded = Arrays.copyOf(content, content.length + 1);
    PositionedByteRange range =
        new SimplePositionedMutableByteRange(OrderedBytes.blobVarEncodedLength(padded.length));
    OrderedBytes.encodeBlobVar(range, padded, ASCENDING);
    return written(range, whole);
  }

  private static ValueKey written(PositionedByteRange range, boolean exact) {
    byte[] all = range.getBytes();
    int length = range.getPosition();
    return ValueKey.of(length == all.length ? all : Arrays.copyOf(all, length), exact);
  }
}
