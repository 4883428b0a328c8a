package io.spyhop.server.index.local.column;

import io.spyhop.core.wire.CorruptFrameException;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;

/** The bytes that all keys of a block begin with; not to be modified. */
record KeyPrefix(byte[] bytes) {
  /** A key is never longer. */
  private static final int LONGEST = 1 << 15;

  static KeyPrefix read(DataInputStream in) throws IOException {
    int length = in.readUnsignedShort();
    if (length > LONGEST || length > in.available()) {
      throw new CorruptFrameException("keys with " + length + " bytes in common");
    }
    byte[] bytes = new byte[length];
    in.readFully(bytes);
    return new KeyPrefix(bytes);
  }

  void writeTo(DataOutputStream out) throws IOException {
    out.writeShort(bytes.length);
    out.write(bytes);
  }

  /** The place of a key beside those that begin so; 0 if it does, too. */
  int compare(byte[] key) {
    int length = Math.min(key.length, bytes.length);
    int c = Arrays.compareUnsigned(key, 0, length, bytes, 0, length);
    return c != 0 ? c : key.length < bytes.length ? -1 : 0;
  }

  /** The eight bytes behind it, zeros behind the key's end, as an unsigned number. */
  long number(byte[] key) {
    long number = 0;
    for (int i = bytes.length; i < bytes.length + Long.BYTES; i++) {
      number = number << Byte.SIZE | (i < key.length ? key[i] & 0xff : 0);
    }
    return number;
  }
}
