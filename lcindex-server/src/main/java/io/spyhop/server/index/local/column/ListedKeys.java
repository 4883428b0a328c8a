package io.spyhop.server.index.local.column;

import io.spyhop.core.wire.CorruptFrameException;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;

/**
 * A few keys, each with its place among them as its code.
 *
 * @param keys ascending; not to be modified
 */
record ListedKeys(byte[][] keys, boolean isExact) implements KeyCodes {
  static final int FORM = 1;

  /** The most keys that are listed. */
  static final int MOST = 256;

  static ListedKeys read(DataInputStream in) throws IOException {
    int count = in.readUnsignedShort();
    if (count == 0 || count > MOST) {
      throw new CorruptFrameException(count + " listed keys");
    }
    byte[][] keys = new byte[count][];
    for (int i = 0; i < count; i++) {
      int length = in.readUnsignedShort();
      if (length > in.available()) {
        throw new CorruptFrameException("a listed key of " + length + " bytes");
      }
      keys[i] = new byte[length];
      in.readFully(keys[i]);
      if (i > 0 && Arrays.compareUnsigned(keys[i - 1], keys[i]) >= 0) {
        throw new CorruptFrameException("listed keys that do not ascend");
      }
    }
    return new ListedKeys(keys, in.readBoolean());
  }

  @Override
  public void writeTo(DataOutputStream out) throws IOException {
    out.writeShort(keys.length);
    for (byte[] key : keys) {
      out.writeShort(key.length);
      out.write(key);
    }
    out.writeBoolean(isExact);
  }

  /** The bytes of what {@link #writeTo} writes. */
  int length() {
    return Arrays.stream(keys).mapToInt(k -> Short.BYTES + k.length).sum();
  }

  @Override
  public int form() {
    return FORM;
  }

  @Override
  public int bits() {
    return Integer.SIZE - Integer.numberOfLeadingZeros(keys.length - 1);
  }

  @Override
  public long last() {
    return keys.length - 1L;
  }

  @Override
  public long least(byte[] key) {
    int at = Arrays.binarySearch(keys, key, Arrays::compareUnsigned);
    int first = at >= 0 ? at : -at - 1;
    return first < keys.length ? first : ABOVE;
  }

  @Override
  public long most(byte[] key) {
    int at = Arrays.binarySearch(keys, key, Arrays::compareUnsigned);
    return at >= 0 ? at : -at - 2;
  }

  @Override
  public boolean isEachValue() {
    return isExact;
  }

  @Override
  public byte[] key(long code) {
    return keys[(int) code];
  }
}
