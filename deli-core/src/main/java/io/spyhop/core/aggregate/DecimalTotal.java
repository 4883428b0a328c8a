package io.spyhop.core.aggregate;

import io.spyhop.core.value.ValueCodec;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;

/**
 * The total of decimals. Those whose scale is beyond {@value #MOST_SCALE} are not added: two of
 * them may need more digits than there is memory. Then there is no sum, whatever else there is.
 */
final class DecimalTotal extends Totals {
  /** Places before or behind the point that are not among the digits. */
  static final int MOST_SCALE = 10_000;

  /** Digits of the longest decimal, moved by either scale, and of a long's count of them. */
  private static final int MOST_BYTES = 16 << 10;

  private BigDecimal sum = BigDecimal.ZERO;
  private boolean beyond;

  DecimalTotal(ValueCodec codec) {
    super(codec);
  }

  @Override
  long addNumber(Number number) {
    BigDecimal decimal = (BigDecimal) number;
    return addDecimal(decimal.scale() > MOST_SCALE ? decimal.stripTrailingZeros() : decimal);
  }

  private long addDecimal(BigDecimal number) {
    if (Math.abs((long) number.scale()) > MOST_SCALE) {
      beyond = true;
      return 0;
    }
    long before = bytes();
    sum = sum.add(number);
    return bytes() - before;
  }

  private long bytes() {
    return sum.unscaledValue().bitLength() / Byte.SIZE;
  }

  @Override
  void writeSum(DataOutputStream out) throws IOException {
    out.writeBoolean(beyond);
    out.writeInt(sum.scale());
    Frame.writeBytes(out, sum.unscaledValue().toByteArray());
  }

  @Override
  long mergeSum(DataInputStream in) throws IOException {
    boolean theirs = in.readBoolean();
    int scale = in.readInt();
    byte[] digits = Frame.readBytes(in);
    if (scale < 0 || scale > MOST_SCALE || digits.length == 0 || digits.length > MOST_BYTES) {
      throw new CorruptFrameException("a sum of " + digits.length + " bytes, scale " + scale);
    }
    long grown = addDecimal(new BigDecimal(new BigInteger(digits), scale));
    beyond |= theirs;
    return grown;
  }

  private void requireSum() {
    if (beyond) {
      throw new ArithmeticException(
          "a decimal has a scale beyond " + MOST_SCALE + ", and cannot be added to others");
    }
  }

  @Override
  BigDecimal exactSum() {
    requireSum();
    return inOneForm(sum);
  }

  /** The same for equal numbers, whatever zeros are at the end of those that were added. */
  private static BigDecimal inOneForm(BigDecimal number) {
    BigDecimal stripped = number.stripTrailingZeros();
    return stripped.scale() < 0 ? stripped.setScale(0) : stripped;
  }

  @Override
  BigDecimal exactAverage() {
    requireSum();
    return inOneForm(sum.divide(BigDecimal.valueOf(count()), MathContext.DECIMAL128));
  }

  @Override
  long leastBytes() {
    return 120;
  }
}
