package io.spyhop.server.index.local.column;

import io.spyhop.core.wire.CorruptFrameException;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.apache.hadoop.hbase.util.Order;
import org.apache.hadoop.hbase.util.OrderedBytes;
import org.apache.hadoop.hbase.util.SimplePositionedByteRange;
import org.apache.hadoop.hbase.util.SimplePositionedMutableByteRange;

/**
 * Doubles that are whole numbers divided by a power of ten, such as prices: the nearest doubles of
 * decimals with few places (Afroozeh, Kuffo, Boncz, "ALP: Adaptive Lossless floating-Point
 * Compression", SIGMOD 2023). Each has a code of its own, in the order of the numbers.
 *
 * @param base the whole number with code 0
 * @param places of the power of ten
 */
record Decimals(long base, int places, int bits) implements KeyCodes {
  static final int FORM = 2;

  /** The most places; powers of ten up to 10^22 are doubles. */
  static final int MOST_PLACES = 14;

  /** Whole numbers up to there are doubles, so that dividing them rounds once. */
  private static final double MOST = 1L << 53;

  private static final double[] POWERS = new double[MOST_PLACES + 1];
  private static final int KEY_BYTES = 1 + Double.BYTES;
  private static final byte HEADER = keyOf(0)[0];

  static {
    POWERS[0] = 1;
    for (int i = 1; i < POWERS.length; i++) {
      POWERS[i] = 10 * POWERS[i - 1];
    }
  }

  private static final int MOST_BITS = 54;

  static Decimals read(DataInputStream in) throws IOException {
    long base = in.readLong();
    int places = in.readUnsignedByte();
    int bits = in.readUnsignedByte();
    if (places > MOST_PLACES || bits > MOST_BITS || base < -MOST || base > MOST) {
      throw new CorruptFrameException(
          "decimals of " + bits + " bits and " + places + " places from " + base + " on");
    }
    return new Decimals(base, places, bits);
  }

  @Override
  public void writeTo(DataOutputStream out) throws IOException {
    out.writeLong(base);
    out.writeByte(places);
    out.writeByte(bits);
  }

  @Override
  public int form() {
    return FORM;
  }

  /** Whether a key is that of a floating point number. */
  static boolean isNumber(byte[] key) {
    return key.length == KEY_BYTES && key[0] == HEADER;
  }

  /** The number of a key that {@link #isNumber}. */
  static double number(byte[] key) {
    return OrderedBytes.decodeFloat64(new SimplePositionedByteRange(key));
  }

  private static byte[] keyOf(double number) {
    SimplePositionedMutableByteRange key = new SimplePositionedMutableByteRange(KEY_BYTES);
    OrderedBytes.encodeFloat64(key, number, Order.ASCENDING);
    return key.getBytes();
  }

  /** Whether a number is a whole one divided by ten to the power of some places. */
  static boolean fits(double number, int places) {
    double whole = Math.rint(number * POWERS[places]);
    return Math.abs(whole) <= MOST && whole / POWERS[places] == number;
  }

  /** For numbers between two that {@link #fits}. */
  static Decimals between(double least, double most, int places) {
    long base = whole(least, places);
    long range = whole(most, places) - base;
    return new Decimals(base, places, Long.SIZE - Long.numberOfLeadingZeros(range));
  }

  private static long whole(double number, int places) {
    return (long) Math.rint(number * POWERS[places]);
  }

  /** The code of a number that {@link #fits}. */
  long code(double number) {
    return whole(number, places) - base;
  }

  @Override
  public boolean isExact() {
    return true;
  }

  @Override
  public boolean isEachValue() {
    return true;
  }

  /** The number that a code stands for. */
  double value(long code) {
    return (double) (base + code) / POWERS[places];
  }

  @Override
  public byte[] key(long code) {
    return keyOf(value(code));
  }

  @Override
  public long least(byte[] key) {
    if (!isNumber(key)) {
      return key.length == 0 || Byte.compareUnsigned(key[0], HEADER) < 0 ? 0 : ABOVE;
    }
    double bound = number(key);
    long from = about(bound);
    while (from > 0 && value(from - 1) >= bound) {
      from--;
    }
    while (from <= max() && !(value(from) >= bound)) {
      from++;
    }
    return from > max() ? ABOVE : from;
  }

  @Override
  public long most(byte[] key) {
    if (!isNumber(key)) {
      return key.length == 0 || Byte.compareUnsigned(key[0], HEADER) < 0 ? BELOW : max();
    }
    double bound = number(key);
    long to = Double.isNaN(bound) ? max() : about(bound);
    while (to < max() && value(to + 1) <= bound) {
      to++;
    }
    while (to >= 0 && value(to) > bound) {
      to--;
    }
    return to;
  }

  /** A code near which the bound lies, within those that there are. */
  private long about(double bound) {
    double code = Math.rint(bound * POWERS[places]) - base;
    return Double.isNaN(code) ? max() : (long) Math.max(0, Math.min((double) max(), code));
  }
}
