package io.spyhop.core.value;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * As {@code Bytes.toBytes(BigDecimal)} writes it: the scale as an int, then the unscaled value as a
 * two's-complement integer of at least one byte and, here, at most {@value #MAX_UNSCALED_BYTES}:
 * arithmetic on more takes more than linear time, and a filter would have to do it for every cell.
 */
enum PlainDecimal implements DecimalForm {
  INSTANCE;

  /** About 2,460 digits. */
  static final int MAX_UNSCALED_BYTES = 1024;

  private static final int SCALE_BYTES = Integer.BYTES;

  @Override
  public BigDecimal read(byte[] b, int off, int len) {
    int unscaledBytes = len - SCALE_BYTES;
    if (unscaledBytes < 1 || unscaledBytes > MAX_UNSCALED_BYTES) {
      return null;
    }
    int scale = Bytes.toInt(b, off);
    int start = off + SCALE_BYTES;
    return unscaledBytes <= Long.BYTES
        ? BigDecimal.valueOf(signed(b, start, unscaledBytes), scale)
        : new BigDecimal(new BigInteger(b, start, unscaledBytes), scale);
  }

  private static long signed(byte[] b, int off, int len) {
    long value = b[off];
    for (int i = off + 1; i < off + len; i++) {
      value = value << Byte.SIZE | (b[i] & 0xff);
    }
    return value;
  }

  @Override
  public byte[] write(BigDecimal value) {
    return Bytes.toBytes(value);
  }

  @Override
  public boolean canHold(BigDecimal value) {
    return value.unscaledValue().bitLength() / Byte.SIZE < MAX_UNSCALED_BYTES;
  }

  @Override
  public String expected() {
    return "a number of digits that fit " + MAX_UNSCALED_BYTES + " bytes";
  }
}
