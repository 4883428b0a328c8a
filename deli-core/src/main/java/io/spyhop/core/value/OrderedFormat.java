package io.spyhop.core.value;

/**
 * The header bytes of ascending {@link org.apache.hadoop.hbase.util.OrderedBytes} values, which
 * that class keeps to itself. They are part of persisted data and do not change.
 *
 * <p>Needed because cells of the {@code ORDERED_*} types are read here without its decoders: those
 * trust their input (they read past the end, and expand large exponents digit by digit).
 */
final class OrderedFormat {
  static final byte NEGATIVE_LARGE = 0x08;
  static final byte NEGATIVE_MEDIUM_MIN = 0x09;
  static final byte NEGATIVE_MEDIUM_MAX = 0x13;
  static final byte NEGATIVE_SMALL = 0x14;
  static final byte ZERO = 0x15;
  static final byte POSITIVE_SMALL = 0x16;
  static final byte POSITIVE_MEDIUM_MIN = 0x17;
  static final byte POSITIVE_MEDIUM_MAX = 0x21;
  static final byte POSITIVE_LARGE = 0x22;
  static final byte INT8 = 0x29;
  static final byte INT16 = 0x2a;
  static final byte INT32 = 0x2b;
  static final byte INT64 = 0x2c;
  static final byte FLOAT32 = 0x30;
  static final byte FLOAT64 = 0x31;
  static final byte TEXT = 0x34;
  static final byte TEXT_END = 0x00;
  static final byte BLOB_VAR = 0x37;

  private OrderedFormat() {}

  /**
   * Whether the header is of an encoding that knows its own end and is ascending (a descending one
   * has its bits inverted, so the byte is negative); not so ascending BlobCopy, the next header.
   */
  static boolean isDelimited(byte[] b, int off, int len) {
    return len > 0 && b[off] >= 0 && b[off] <= BLOB_VAR;
  }

  /** Whether these are a header and that many bytes, no more and no less. */
  static boolean isFixed(byte header, int width, byte[] b, int off, int len) {
    return len == 1 + width && b[off] == header;
  }
}
