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

/** The total of whole numbers. */
final class WholeTotal extends Totals {
  /** As many values as a long counts, each a long. */
  private static final int MOST_BYTES = 16;

  private long small;

  /** What did not fit into the long. */
  private BigInteger large = BigInteger.ZERO;

  WholeTotal(ValueCodec codec) {
    super(codec);
  }

  @Override
  long addNumber(Number number) {
    long value = number.longValue();
    long sum = small + value;
    if (((small ^ sum) & (value ^ sum)) < 0) {
      large = large.add(BigInteger.valueOf(small));
      small = value;
    } else {
      small = sum;
    }
    return 0;
  }

  @Override
  void writeSum(DataOutputStream out) throws IOException {
    Frame.writeBytes(out, exactSum().toByteArray());
  }

  @Override
  long mergeSum(DataInputStream in) throws IOException {
    byte[] sum = Frame.readBytes(in);
    if (sum.length == 0 || sum.length > MOST_BYTES) {
      throw new CorruptFrameException("a sum of " + sum.length + " bytes");
    }
    large = large.add(new BigInteger(sum));
    return 0;
  }

  @Override
  BigInteger exactSum() {
    return large.add(BigInteger.valueOf(small));
  }

  @Override
  BigDecimal exactAverage() {
    return new BigDecimal(exactSum()).divide(BigDecimal.valueOf(count()), MathContext.DECIMAL128);
  }

  @Override
  long leastBytes() {
    return 120;
  }
}
