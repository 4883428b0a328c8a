package io.spyhop.core.aggregate;

import io.spyhop.core.wire.CorruptFrameException;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/** The number of values. */
final class ValueCount extends Accumulator {
  private long count;

  @Override
  long add(byte[] b, int off, int len) {
    count++;
    return 0;
  }

  @Override
  long add(CodedColumn column, long code) {
    count++;
    return 0;
  }

  @Override
  void writeTo(DataOutputStream out) throws IOException {
    out.writeLong(count);
  }

  @Override
  long merge(DataInputStream in) throws IOException {
    count = Math.addExact(count, read(in));
    return 0;
  }

  /** Reads a count. */
  static long read(DataInputStream in) throws IOException {
    long count = in.readLong();
    if (count < 0) {
      throw new CorruptFrameException("a count of " + count);
    }
    return count;
  }

  @Override
  Long result() {
    return count;
  }

  @Override
  long leastBytes() {
    return 24;
  }
}
