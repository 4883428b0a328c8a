package io.spyhop.core.value;

import org.apache.hadoop.hbase.util.Bytes;

/** As {@code Bytes.toBytes} of a primitive writes it: the IEEE 754 bits, big-endian. */
enum PlainDouble implements DoubleForm {
  FLOAT(Float.BYTES) {
    @Override
    public double read(byte[] b, int off, int len) {
      return Float.intBitsToFloat(Bytes.toInt(b, off));
    }

    @Override
    public byte[] write(double value) {
      return Bytes.toBytes((float) value);
    }
  },

  DOUBLE(Double.BYTES) {
    @Override
    public double read(byte[] b, int off, int len) {
      return Double.longBitsToDouble(Bytes.toLong(b, off));
    }

    @Override
    public byte[] write(double value) {
      return Bytes.toBytes(value);
    }
  };

  private final int width;

  PlainDouble(int width) {
    this.width = width;
  }

  @Override
  public boolean isDecodable(byte[] b, int off, int len) {
    return len == width;
  }
}
