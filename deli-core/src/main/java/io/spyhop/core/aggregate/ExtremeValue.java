package io.spyhop.core.aggregate;

import io.spyhop.core.value.Operand;
import io.spyhop.core.value.ValueCodec;
import io.spyhop.core.wire.Frame;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/** The least or the greatest value, as conditions compare them. */
final class ExtremeValue extends Accumulator {
  /** What a value takes beside twice its bytes: operands have a key. */
  private static final long PER_VALUE = 700;

  private final ValueCodec codec;
  private final int sign;

  /** Null before the first value. */
  private Operand best;

  /** Of the best value, canonical. */
  private byte[] stored;

  /**
   * @param sign 1 for the greatest, -1 for the least
   */
  ExtremeValue(ValueCodec codec, int sign) {
    this.codec = codec;
    this.sign = sign;
  }

  @Override
  long add(byte[] b, int off, int len) {
    if (best != null && best.compareStored(b, off, len) * sign <= 0) {
      return 0;
    }
    long before = bytes();
    stored = codec.canonical(b, off, len);
    best = codec.operandFromStored(stored);
    return bytes() - before;
  }

  private long bytes() {
    return best == null ? 0 : PER_VALUE + 3L * stored.length;
  }

  @Override
  void writeTo(DataOutputStream out) throws IOException {
    Frame.writeBytesOrNull(out, stored);
  }

  @Override
  long merge(DataInputStream in) throws IOException {
    byte[] value = Frame.readBytesOrNull(in);
    if (value == null) {
      return 0;
    }
    DistinctValues.requireDecodable(codec, value);
    return add(value, 0, value.length);
  }

  @Override
  Object result() {
    return best == null ? null : best.value();
  }

  @Override
  long leastBytes() {
    return 32;
  }
}
