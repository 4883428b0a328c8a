package io.spyhop.core.aggregate;

import io.spyhop.core.value.ValueCodec;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.math.BigInteger;

/**
 * The total of floating point numbers. With a NaN, or infinities of both signs, it is NaN; with one
 * infinity that; of zeros 0.0, whatever their signs.
 */
final class FloatingTotal extends Totals {
  private static final int NAN = 1;
  private static final int INFINITE = 2;
  private static final int MINUS_INFINITE = 4;
  private static final int ALL = NAN | INFINITE | MINUS_INFINITE;

  private final ExactSum finite = new ExactSum();
  private int others;

  FloatingTotal(ValueCodec codec) {
    super(codec);
  }

  @Override
  long addNumber(Number number) {
    double value = number.doubleValue();
    if (Double.isFinite(value)) {
      finite.add(value);
    } else {
      others |= Double.isNaN(value) ? NAN : value > 0 ? INFINITE : MINUS_INFINITE;
    }
    return 0;
  }

  @Override
  void writeSum(DataOutputStream out) throws IOException {
    BigInteger units = finite.units();
    int zeros = Math.max(0, units.getLowestSetBit());
    out.writeByte(others);
    out.writeShort(zeros);
    Frame.writeBytes(out, units.shiftRight(zeros).toByteArray());
  }

  @Override
  long mergeSum(DataInputStream in) throws IOException {
    int theirs = in.readByte();
    int zeros = in.readShort();
    byte[] digits = Frame.readBytes(in);
    int bits = digits.length * Byte.SIZE;
    if ((theirs & ~ALL) != 0
        || zeros < 0
        || digits.length == 0
        || bits + zeros > ExactSum.MOST_BITS + Byte.SIZE) {
      throw new CorruptFrameException("a sum of " + bits + " bits behind " + zeros);
    }
    others |= theirs;
    finite.addUnits(new BigInteger(digits).shiftLeft(zeros));
    return 0;
  }

  @Override
  Double exactSum() {
    return others == 0 ? finite.rounded() : special();
  }

  @Override
  Double exactAverage() {
    return others == 0 ? finite.rounded(count()) : special();
  }

  private double special() {
    return switch (others) {
      case INFINITE -> Double.POSITIVE_INFINITY;
      case MINUS_INFINITE -> Double.NEGATIVE_INFINITY;
      default -> Double.NaN;
    };
  }

  @Override
  long leastBytes() {
    return 64 + ExactSum.BYTES;
  }
}
