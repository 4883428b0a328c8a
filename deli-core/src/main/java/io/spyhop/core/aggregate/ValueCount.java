package io.spyhop.core.aggregate;

import io.spyhop.core.wire.CorruptFrameException;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/** The number of values. */
final class ValueCount extends Accumulator {
  /** No partial result has more rows. */
  private static final long MOST = 1L << 56;

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
    count = addRead(count, in);
    return 0;
  }

  /** Reads a count and adds it to another. */
  static long addRead(long count, DataInputStream in) throws IOException {
    long more = in.readLong();
    if (more < 0 || more > MOST || count + more < 0) {
      throw new CorruptFrameException("a count of " + more + " more than " + count);
    }
    return count + more;
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
