package io.spyhop.server.index.local.column;

import io.spyhop.core.wire.CorruptFrameException;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;

/** A bit for each of some rows: row i at bit i % 64 of word i / 64. Stateless. */
public final class RowBits {
  private static final int NONE = 0;
  private static final int ALL = 1;
  private static final int SOME = 2;

  /** Of whole blocks, most of which have all rows, or none. */
  private static final long[] ALL_OF_BLOCK = all(ColumnBlock.MAX_ROWS);

  private static final long[] NONE_OF_BLOCK = none(ColumnBlock.MAX_ROWS);

  private RowBits() {}

  /** None of them set. */
  public static long[] none(int rows) {
    return new long[BitSlices.words(rows)];
  }

  /** All of them set. */
  static long[] all(int rows) {
    long[] bits = new long[BitSlices.words(rows)];
    Arrays.fill(bits, -1L);
    int last = rows % Long.SIZE;
    if (last != 0) {
      bits[bits.length - 1] = (1L << last) - 1;
    }
    return bits;
  }

  /** Sets one. */
  public static void set(long[] bits, int row) {
    bits[row / Long.SIZE] |= 1L << row % Long.SIZE;
  }

  /** Whether one is set. */
  public static boolean get(long[] bits, int row) {
    return (bits[row / Long.SIZE] >>> row % Long.SIZE & 1) == 1;
  }

  /** Whether none is set. */
  public static boolean isEmpty(long[] bits) {
    for (long word : bits) {
      if (word != 0) {
        return false;
      }
    }
    return true;
  }

  /** How many are set. */
  public static long count(long[] bits) {
    long count = 0;
    for (long word : bits) {
      count += Long.bitCount(word);
    }
    return count;
  }

  /** Sets those that are set in another. */
  public static void or(long[] into, long[] other) {
    for (int w = 0; w < into.length; w++) {
      into[w] |= other[w];
    }
  }

  /** Unsets those that are not set in another. */
  public static void and(long[] into, long[] other) {
    for (int w = 0; w < into.length; w++) {
      into[w] &= other[w];
    }
  }

  /** Unsets those that are set in another. */
  public static void andNot(long[] into, long[] other) {
    for (int w = 0; w < into.length; w++) {
      into[w] &= ~other[w];
    }
  }

  /** Whether all that are set in others are set in some. */
  public static boolean contain(long[] some, long[] others) {
    for (int w = 0; w < some.length; w++) {
      if ((others[w] & ~some[w]) != 0) {
        return false;
      }
    }
    return true;
  }

  /** Whether a bit is set in both. */
  public static boolean intersect(long[] some, long[] others) {
    for (int w = Math.min(some.length, others.length) - 1; w >= 0; w--) {
      if ((some[w] & others[w]) != 0) {
        return true;
      }
    }
    return false;
  }

  /** The last set bit, or -1. */
  public static int last(long[] bits) {
    int w = bits.length - 1;
    while (w >= 0 && bits[w] == 0) {
      w--;
    }
    return w < 0 ? -1 : (w + 1) * Long.SIZE - 1 - Long.numberOfLeadingZeros(bits[w]);
  }

  /** The first set bit from there on, or -1. */
  public static int next(long[] bits, int from) {
    int w = from / Long.SIZE;
    if (w >= bits.length) {
      return -1;
    }
    long word = bits[w] & -1L << from % Long.SIZE;
    while (word == 0) {
      if (++w == bits.length) {
        return -1;
      }
      word = bits[w];
    }
    return w * Long.SIZE + Long.numberOfTrailingZeros(word);
  }

  /** The numbers of those that are set, which are so many. */
  public static char[] numbers(long[] bits, int count) {
    char[] numbers = new char[count];
    int i = 0;
    for (int w = 0; w < bits.length; w++) {
      for (long left = bits[w]; left != 0; left &= left - 1) {
        numbers[i++] = (char) (w * Long.SIZE + Long.numberOfTrailingZeros(left));
      }
    }
    return numbers;
  }

  /** Writes what {@link #read} reads. */
  static void write(DataOutputStream out, long[] bits, int rows) throws IOException {
    if (isEmpty(bits)) {
      out.writeByte(NONE);
    } else if (Arrays.equals(bits, all(rows))) {
      out.writeByte(ALL);
    } else {
      out.writeByte(SOME);
      for (long word : bits) {
        out.writeLong(word);
      }
    }
  }

  /**
   * Reads what {@link #write} wrote; never a bit of a row that there is not.
   *
   * @return not to be modified
   */
  static long[] read(DataInputStream in, int rows) throws IOException {
    int form = in.readUnsignedByte();
    boolean whole = rows == ColumnBlock.MAX_ROWS;
    return switch (form) {
      case ALL -> whole ? ALL_OF_BLOCK : all(rows);
      case NONE -> whole ? NONE_OF_BLOCK : none(rows);
      case SOME -> readSome(in, rows);
      default -> throw new CorruptFrameException("rows' bits in form " + form);
    };
  }

  private static long[] readSome(DataInputStream in, int rows) throws IOException {
    long[] bits = none(rows);
    for (int w = 0; w < bits.length; w++) {
      bits[w] = in.readLong();
    }
    and(bits, all(rows));
    return bits;
  }
}
