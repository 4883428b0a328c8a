package io.spyhop.core.value;

import org.apache.hadoop.hbase.util.Bytes;

/** As {@code Bytes.toBytes} of a primitive writes it: big-endian, all bytes there and no more. */
enum PlainLong implements LongForm {
  INT(Integer.BYTES) {
    @Override
    public long read(byte[] b, int off, int len) {
      return Bytes.toInt(b, off);
    }

    @Override
    public byte[] write(long value) {
      return Bytes.toBytes((int) value);
    }
  },

  LONG(Long.BYTES) {
    @Override
    public long read(byte[] b, int off, int len) {
      return Bytes.toLong(b, off);
    }

    @Override
    public byte[] write(long value) {
      return Bytes.toBytes(value);
    }
  },

  /** 0 is false, any other byte is true, as {@code Bytes.toBoolean} has it; written as -1. */
  BOOLEAN(1) {
    @Override
    public long read(byte[] b, int off, int len) {
      return b[off] == 0 ? 0 : 1;
    }

    @Override
    public byte[] write(long value) {
      return Bytes.toBytes(value != 0);
    }
  };

  private final int width;

  PlainLong(int width) {
    this.width = width;
  }

  @Override
  public boolean isDecodable(byte[] b, int off, int len) {
    return len == width;
  }
}
