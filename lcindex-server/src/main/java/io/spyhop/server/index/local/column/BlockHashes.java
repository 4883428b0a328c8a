package io.spyhop.server.index.local.column;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The hashes of a block's rows ({@link RowHashes#of}), as a columnar file has them: each is read
 * when it is asked for. Immutable if nobody writes to the bytes.
 *
 * @param bytes hold the hashes, little-endian
 * @param rows how many there are
 */
public record BlockHashes(byte[] bytes, int offset, int rows) {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  /** Hashes in the form of a file. */
  public static byte[] toBytes(int[] hashes, int count) {
    ByteBuffer bytes = ByteBuffer.allocate(count * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asIntBuffer().put(hashes, 0, count);
    return bytes.array();
  }

  /** The hash of a row. */
  public int of(int row) {
    return (int) INT.get(bytes, offset + row * Integer.BYTES);
  }
}
