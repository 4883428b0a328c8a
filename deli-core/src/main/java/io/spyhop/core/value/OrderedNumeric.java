package io.spyhop.core.value;

import static org.apache.hadoop.hbase.util.Order.ASCENDING;

import java.math.BigDecimal;
import java.util.Arrays;
import org.apache.hadoop.hbase.util.OrderedBytes;
import org.apache.hadoop.hbase.util.PositionedByteRange;
import org.apache.hadoop.hbase.util.SimplePositionedMutableByteRange;

/**
 * As {@code OrderedBytes.encodeNumeric} writes it in ascending order; its codes for null, NaN and
 * the infinities are undecodable. See {@link OrderedNumericReader}.
 */
enum OrderedNumeric implements DecimalForm {
  INSTANCE;

  /**
   * Numbers beyond {@code 10^MAX}, or below {@code 10^-MAX}, are undecodable: the encoder's int
   * arithmetic is about to overflow there.
   */
  static final int MAX_MAGNITUDE = 1_000_000_000;

  private static final int MAX_LENGTH = 32;

  @Override
  public BigDecimal read(byte[] b, int off, int len) {
    return new OrderedNumericReader(b, off, len).read();
  }

  @Override
  public byte[] write(BigDecimal value) {
    PositionedByteRange range = new SimplePositionedMutableByteRange(MAX_LENGTH);
    int length = OrderedBytes.encodeNumeric(range, value, ASCENDING);
    return Arrays.copyOf(range.getBytes(), length);
  }

  @Override
  public int beyond(BigDecimal value) {
    return OrderedKeys.magnitude(value) > MAX_MAGNITUDE ? value.signum() : 0;
  }

  @Override
  public boolean canHold(BigDecimal value) {
    return value.signum() == 0 || (isInRange(value) && isShort(value));
  }

  private static boolean isInRange(BigDecimal value) {
    return Math.abs(OrderedKeys.magnitude(value)) <= MAX_MAGNITUDE;
  }

  private static boolean isShort(BigDecimal value) {
    return value.round(OrderedBytes.DEFAULT_MATH_CONTEXT).compareTo(value) == 0;
  }

  @Override
  public String expected() {
    return "a number of at most "
        + OrderedBytes.MAX_PRECISION
        + " significant digits, and no nearer to 0 than 10^-"
        + MAX_MAGNITUDE;
  }
}
