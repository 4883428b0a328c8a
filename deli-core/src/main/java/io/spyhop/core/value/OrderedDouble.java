package io.spyhop.core.value;

import static org.apache.hadoop.hbase.util.Order.ASCENDING;

import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.OrderedBytes;
import org.apache.hadoop.hbase.util.PositionedByteRange;
import org.apache.hadoop.hbase.util.SimplePositionedMutableByteRange;

/**
 * As {@code OrderedBytes.encodeFloat*} writes it: header, then the IEEE 754 bits with the sign
 * inverted and, of negative numbers, all other bits too.
 */
enum OrderedDouble implements DoubleForm {
  FLOAT32(OrderedFormat.FLOAT32, Float.BYTES) {
    @Override
    public double read(byte[] b, int off, int len) {
      int bits = Bytes.toInt(b, off + 1);
      return Float.intBitsToFloat(bits ^ (~bits >> (Integer.SIZE - 1) | Integer.MIN_VALUE));
    }

    @Override
    void encode(PositionedByteRange range, double value) {
      OrderedBytes.encodeFloat32(range, (float) value, ASCENDING);
    }
  },

  FLOAT64(OrderedFormat.FLOAT64, Double.BYTES) {
    @Override
    public double read(byte[] b, int off, int len) {
      long bits = Bytes.toLong(b, off + 1);
      return Double.longBitsToDouble(bits ^ (~bits >> (Long.SIZE - 1) | Long.MIN_VALUE));
    }

    @Override
    void encode(PositionedByteRange range, double value) {
      OrderedBytes.encodeFloat64(range, value, ASCENDING);
    }
  };

  private final byte header;
  private final int width;

  OrderedDouble(byte header, int width) {
    this.header = header;
    this.width = width;
  }

  @Override
  public boolean isDecodable(byte[] b, int off, int len) {
    return OrderedFormat.isFixed(header, width, b, off, len);
  }

  @Override
  public byte[] write(double value) {
    PositionedByteRange range = new SimplePositionedMutableByteRange(1 + width);
    encode(range, value);
    return range.getBytes();
  }

  abstract void encode(PositionedByteRange range, double value);
}
