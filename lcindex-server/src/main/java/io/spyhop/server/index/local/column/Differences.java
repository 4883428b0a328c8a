package io.spyhop.server.index.local.column;

import io.spyhop.core.wire.CorruptFrameException;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;

/**
 * Keys as the eight bytes behind what all of them begin with, as a number above the least of them;
 * where they are longer or the codes would have more bits than are kept, several keys may share a
 * code.
 *
 * @param base the least of the numbers, unsigned
 * @param shift by how many bits the differences were cut
 */
record Differences(KeyPrefix prefix, long base, int shift, int bits, boolean isExact)
    implements KeyCodes {
  static final int FORM = 0;

  static Differences read(DataInputStream in) throws IOException {
    KeyPrefix prefix = KeyPrefix.read(in);
    long base = in.readLong();
    int shift = in.readUnsignedByte();
    int bits = in.readUnsignedByte();
    if (shift >= Long.SIZE || bits > BitSlices.MAX_BITS) {
      throw new CorruptFrameException("codes of " + bits + " bits, cut by " + shift);
    }
    return new Differences(prefix, base, shift, bits, in.readBoolean());
  }

  @Override
  public void writeTo(DataOutputStream out) throws IOException {
    prefix.writeTo(out);
    out.writeLong(base);
    out.writeByte(shift);
    out.writeByte(bits);
    out.writeBoolean(isExact);
  }

  @Override
  public int form() {
    return FORM;
  }

  /** The code of a number from the base on. */
  long code(long number) {
    return number - base >>> shift;
  }

  @Override
  public long least(byte[] key) {
    int c = prefix.compare(key);
    if (c != 0) {
      return c < 0 ? 0 : ABOVE;
    }
    long number = prefix.number(key);
    if (Long.compareUnsigned(number, base) <= 0) {
      return 0;
    }
    long code = isExact && !isCode(number) ? code(number) + 1 : code(number);
    return code > max() || code < 0 ? ABOVE : code;
  }

  /** Whether it is that of a code, all of which it is where codes are exact. */
  private boolean isCode(long number) {
    return base + (code(number) << shift) == number;
  }

  @Override
  public long most(byte[] key) {
    int c = prefix.compare(key);
    if (c != 0) {
      return c < 0 ? BELOW : max();
    }
    long number = prefix.number(key);
    if (Long.compareUnsigned(number, base) < 0) {
      return BELOW;
    }
    long code = code(number);
    return code > max() || code < 0 ? max() : code;
  }

  @Override
  public byte[] key(long code) {
    byte[] begin = prefix.bytes();
    byte[] key = Arrays.copyOf(begin, begin.length + Long.BYTES);
    long number = base + (code << shift);
    for (int i = key.length - 1; i >= begin.length; i--, number >>>= Byte.SIZE) {
      key[i] = (byte) number;
    }
    return key;
  }
}
