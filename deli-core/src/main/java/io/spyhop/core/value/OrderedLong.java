package io.spyhop.core.value;

import static org.apache.hadoop.hbase.util.Order.ASCENDING;

import org.apache.hadoop.hbase.util.OrderedBytes;
import org.apache.hadoop.hbase.util.PositionedByteRange;
import org.apache.hadoop.hbase.util.SimplePositionedMutableByteRange;

/** As {@code OrderedBytes.encodeInt*} writes it: header, then big-endian with the sign inverted. */
enum OrderedLong implements LongForm {
  INT8(OrderedFormat.INT8, Byte.BYTES),
  INT16(OrderedFormat.INT16, Short.BYTES),
  INT32(OrderedFormat.INT32, Integer.BYTES),
  INT64(OrderedFormat.INT64, Long.BYTES);

  private static final int SIGN = 0x80;

  private final byte header;
  private final int width;

  OrderedLong(byte header, int width) {
    this.header = header;
    this.width = width;
  }

  @Override
  public boolean isDecodable(byte[] b, int off, int len) {
    return OrderedFormat.isFixed(header, width, b, off, len);
  }

  @Override
  public long read(byte[] b, int off, int len) {
    long value = (byte) (b[off + 1] ^ SIGN);
    for (int i = off + 2; i < off + len; i++) {
      value = value << Byte.SIZE | (b[i] & 0xff);
    }
    return value;
  }

  @Override
  public byte[] write(long value) {
    PositionedByteRange range = new SimplePositionedMutableByteRange(1 + width);
    switch (this) {
      case INT8 -> OrderedBytes.encodeInt8(range, (byte) value, ASCENDING);
      case INT16 -> OrderedBytes.encodeInt16(range, (short) value, ASCENDING);
      case INT32 -> OrderedBytes.encodeInt32(range, (int) value, ASCENDING);
      case INT64 -> OrderedBytes.encodeInt64(range, value, ASCENDING);
    }
    return range.getBytes();
  }
}
