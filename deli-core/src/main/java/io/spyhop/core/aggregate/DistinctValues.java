package io.spyhop.core.aggregate;

import io.spyhop.core.value.ValueCodec;
import io.spyhop.core.wire.CorruptFrameException;
import io.spyhop.core.wire.Frame;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashSet;
import java.util.Set;

/** The values that differ, each once. */
final class DistinctValues extends Accumulator {
  /** What a value takes beside its bytes. */
  private static final long PER_VALUE = 136;

  private final ValueCodec codec;
  private final Set<ByteBuffer> values = new LinkedHashSet<>();

  DistinctValues(ValueCodec codec) {
    this.codec = codec;
  }

  @Override
  long add(byte[] b, int off, int len) {
    byte[] value = codec.canonical(b, off, len);
    return values.add(ByteBuffer.wrap(value)) ? PER_VALUE + value.length : 0;
  }

  @Override
  void writeTo(DataOutputStream out) throws IOException {
    Frame.writeList(out, values, DistinctValues::write);
  }

  private static void write(DataOutputStream out, ByteBuffer value) throws IOException {
    out.writeInt(value.remaining());
    out.write(value.array(), value.arrayOffset(), value.remaining());
  }

  @Override
  long merge(DataInputStream in) throws IOException {
    int count = Frame.readCount(in, Frame.LEAST_BYTES);
    long grown = 0;
    for (int i = 0; i < count; i++) {
      byte[] value = Frame.readBytes(in);
      requireDecodable(codec, value);
      grown += add(value, 0, value.length);
    }
    return grown;
  }

  /** Checks that bytes of unknown origin are a value. */
  static void requireDecodable(ValueCodec codec, byte[] value) throws CorruptFrameException {
    if (!codec.isDecodable(value, 0, value.length)) {
      throw new CorruptFrameException(value.length + " bytes that are no " + codec.type());
    }
  }

  @Override
  Long result() {
    return (long) values.size();
  }

  @Override
  long leastBytes() {
    return 120;
  }
}
