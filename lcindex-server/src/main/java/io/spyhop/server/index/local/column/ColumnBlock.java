package io.spyhop.server.index.local.column;

import io.spyhop.core.predicate.KeyRanges;
import io.spyhop.core.value.KeyRange;
import io.spyhop.core.wire.CorruptFrameException;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/**
 * One column of up to {@link #MAX_ROWS} rows of an HFile that follow each other ({@code
 * docs/formats/columns.md}). A value is a code in as few bits as the block's values need, in the
 * order of the values' keys; values may share a code, so a block finds all rows that match, and
 * perhaps others. Not thread-safe.
 */
public final class ColumnBlock {
  /** The most rows of a block. */
  public static final int MAX_ROWS = 4096;

  static final int VERSION = 1;

  /** The most different codes that are listed. */
  static final int MAX_LISTED = 256;

  /** The longest common beginning of keys: a key is never longer. */
  private static final int MAX_PREFIX = 1 << 15;

  /** With more ranges than this each code is looked up in them. */
  private static final int FEW_RANGES = 8;

  private final int rows;
  private final long[] has;
  private final long[] unsure;
  private final long[] complex;
  private final byte[] prefix;
  private final long base;
  private final int shift;
  private final int bits;

  /** The values of the codes, ascending; null if a code is a difference from the base. */
  private final long[] listed;

  private final BitSlices slices;

  private ColumnBlock(byte[] bytes, int offset, int length) throws IOException {
    ByteArrayInputStream buffer = new ByteArrayInputStream(bytes, offset, length);
    DataInputStream in = new DataInputStream(buffer);
    int version = in.readUnsignedByte();
    if (version != VERSION) {
      throw new CorruptFrameException("a block of columns of version " + version);
    }
    rows = in.readUnsignedShort();
    if (rows == 0 || rows > MAX_ROWS) {
      throw new CorruptFrameException("a block of " + rows + " rows");
    }
    has = RowBits.read(in, rows);
    unsure = RowBits.read(in, rows);
    complex = RowBits.read(in, rows);
    int shared = in.readUnsignedShort();
    if (shared > MAX_PREFIX || shared > in.available()) {
      throw new CorruptFrameException("keys with " + shared + " bytes in common");
    }
    prefix = new byte[shared];
    in.readFully(prefix);
    base = in.readLong();
    shift = in.readUnsignedByte();
    bits = in.readUnsignedByte();
    int listedCount = in.readUnsignedShort();
    if (shift >= Long.SIZE || bits > BitSlices.MAX_BITS || listedCount > MAX_LISTED) {
      throw new CorruptFrameException(
          "codes of " + bits + " bits, cut by " + shift + ", " + listedCount + " listed");
    }
    listed = listedCount == 0 ? null : list(in, listedCount);
    int words = bits * BitSlices.words(rows);
    if (in.available() != words * Long.BYTES) {
      throw new CorruptFrameException(
          in.available() + " bytes of slices in place of " + words * Long.BYTES);
    }
    long[] read = new long[words];
    ByteBuffer.wrap(bytes, offset + length - in.available(), in.available())
        .order(ByteOrder.LITTLE_ENDIAN)
        .asLongBuffer()
        .get(read);
    slices = new BitSlices(read, bits, BitSlices.words(rows));
  }

  private static long[] list(DataInputStream in, int count) throws IOException {
    long[] values = new long[count];
    for (int i = 0; i < count; i++) {
      values[i] = in.readLong();
      if (i > 0 && Long.compareUnsigned(values[i - 1], values[i]) >= 0) {
        throw new CorruptFrameException("listed values that do not ascend");
      }
    }
    return values;
  }

  /**
   * Reads a block.
   *
   * @throws CorruptFrameException if it is none
   */
  public static ColumnBlock decode(byte[] bytes, int offset, int length)
      throws CorruptFrameException {
    try {
      return new ColumnBlock(bytes, offset, length);
    } catch (CorruptFrameException e) {
      throw e;
    } catch (IOException e) {
      throw new CorruptFrameException("a block of columns that ends early", e);
    }
  }

  /** How many rows there are. */
  public int rows() {
    return rows;
  }

  /**
   * Adds the rows that have a value with a key in the ranges, or of which it cannot be told, and
   * perhaps others with the column.
   */
  public void addMatching(KeyRanges keys, long[] out) {
    long[] found = new long[out.length];
    List<KeyRange> ranges = keys.ranges();
    if (ranges.size() <= FEW_RANGES) {
      for (KeyRange r : ranges) {
        addBetween(r, found);
      }
    } else {
      addAmong(ranges, found);
    }
    RowBits.and(found, has);
    RowBits.or(found, unsure);
    RowBits.or(out, found);
  }

  private void addBetween(KeyRange range, long[] found) {
    long least = least(range);
    long most = most(range);
    if (least <= most) {
      slices.addBetween(least, most, found);
    }
  }

  private void addAmong(List<KeyRange> ranges, long[] found) {
    long[] least = new long[ranges.size()];
    long[] most = new long[ranges.size()];
    int count = 0;
    for (KeyRange r : ranges) {
      least[count] = least(r);
      most[count] = most(r);
      count += least[count] <= most[count] ? 1 : 0;
    }
    long[] codes = slices.codes();
    for (int row = RowBits.next(has, 0); row >= 0; row = RowBits.next(has, row + 1)) {
      int at = Arrays.binarySearch(least, 0, count, codes[row]);
      int last = at >= 0 ? at : -at - 2;
      // Ranges of keys are disjoint, but may begin with the same code.
      while (last + 1 < count && least[last + 1] == codes[row]) {
        last++;
      }
      if (last >= 0 && codes[row] <= most[last]) {
        RowBits.set(found, row);
      }
    }
  }

  /** Adds the rows that have a put of the column. */
  public void addPresent(long[] out) {
    RowBits.or(out, has);
    RowBits.or(out, unsure);
  }

  /** Whether a row has a put of the column. */
  public boolean isPresent(int row) {
    return RowBits.get(has, row) || RowBits.get(unsure, row);
  }

  /** Whether a value alone says nothing of a row, see {@link #addComplex}. */
  public boolean isComplex(int row) {
    return RowBits.get(complex, row);
  }

  /** Adds the rows that a value alone says nothing of: several versions, delete markers, tags. */
  public void addComplex(long[] out) {
    RowBits.or(out, complex);
  }

  /** The code below which no key of a range has its own; above all codes if no key can. */
  private long least(KeyRange range) {
    if (range.lower() == null) {
      return 0;
    }
    byte[] key = range.lower().bytes();
    int c = comparePrefix(key);
    if (c != 0) {
      return c < 0 ? 0 : Long.MAX_VALUE;
    }
    long value = value(key, prefix.length);
    if (listed != null) {
      int at = search(value);
      int first = at >= 0 ? at : -at - 1;
      return first < listed.length ? first : Long.MAX_VALUE;
    }
    if (Long.compareUnsigned(value, base) <= 0) {
      return 0;
    }
    long code = value - base >>> shift;
    return code > maxCode() || code < 0 ? Long.MAX_VALUE : code;
  }

  /** The code above which no key of a range has its own; -1 if no key can. */
  private long most(KeyRange range) {
    if (range.upper() == null) {
      return maxCode();
    }
    byte[] key = range.upper().bytes();
    int c = comparePrefix(key);
    if (c != 0) {
      return c < 0 ? -1 : maxCode();
    }
    long value = value(key, prefix.length);
    if (listed != null) {
      int at = search(value);
      return at >= 0 ? at : -at - 2;
    }
    if (Long.compareUnsigned(value, base) < 0) {
      return -1;
    }
    long code = value - base >>> shift;
    return code > maxCode() || code < 0 ? maxCode() : code;
  }

  private long maxCode() {
    return (1L << bits) - 1;
  }

  /** Where a key lies against those that begin as all of the block do; 0 if it does, too. */
  private int comparePrefix(byte[] key) {
    int length = Math.min(key.length, prefix.length);
    int c = Arrays.compareUnsigned(key, 0, length, prefix, 0, length);
    return c != 0 ? c : key.length < prefix.length ? -1 : 0;
  }

  private int search(long value) {
    int from = 0;
    int to = listed.length - 1;
    while (from <= to) {
      int middle = from + to >>> 1;
      int c = Long.compareUnsigned(listed[middle], value);
      if (c == 0) {
        return middle;
      }
      if (c < 0) {
        from = middle + 1;
      } else {
        to = middle - 1;
      }
    }
    return -from - 1;
  }

  /** The eight bytes of a key from there on, which order as keys do that are equal before. */
  static long value(byte[] key, int from) {
    long value = 0;
    for (int i = from; i < from + Long.BYTES; i++) {
      value = value << Byte.SIZE | (i < key.length ? key[i] & 0xff : 0);
    }
    return value;
  }
}
