package io.spyhop.server.index.local.column;

import io.spyhop.core.value.ValueKey;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Gathers the values of a column in the rows of one {@link ColumnBlock}, and gives them codes in
 * the form that takes the fewest bits. Not thread-safe.
 */
public final class ColumnBlockBuilder {
  private static final int SLOT_BITS = 10;
  private static final int SLOTS = 1 << SLOT_BITS;

  private final byte[][] keys = new byte[ColumnBlock.MAX_ROWS][];
  private final long[] numbers = new long[ColumnBlock.MAX_ROWS];
  private final double[] floating = new double[ColumnBlock.MAX_ROWS];
  private final long[] has = new long[BitSlices.words(ColumnBlock.MAX_ROWS)];
  private final long[] unsure = new long[has.length];
  private final long[] complex = new long[has.length];
  private boolean exact = true;
  private int longest;
  private long keyBytes;
  private int rows;

  /**
   * Adds the next row.
   *
   * @param key of its value; null if it has none, or several
   * @param several whether it has several values, or one without a key
   * @param isComplex whether a value alone says nothing of the row
   */
  public void add(ValueKey key, boolean several, boolean isComplex) {
    keys[rows] = null;
    if (several) {
      RowBits.set(unsure, rows);
    } else if (key != null) {
      RowBits.set(has, rows);
      keys[rows] = key.bytes();
      exact &= key.isExact();
      longest = Math.max(longest, key.bytes().length);
      keyBytes += key.bytes().length;
    }
    if (isComplex) {
      RowBits.set(complex, rows);
    }
    rows++;
  }

  /** Bytes of the block's keys. */
  public long heapSize() {
    return keyBytes;
  }

  /** Ends the block, which has a row at least, and begins the next one. */
  public byte[] finish() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeByte(ColumnBlock.VERSION);
    out.writeShort(rows);
    RowBits.write(out, rowsOf(has), rows);
    RowBits.write(out, rowsOf(unsure), rows);
    RowBits.write(out, rowsOf(complex), rows);
    KeyCodes codes = code();
    out.writeByte(codes.form());
    codes.writeTo(out);
    writeSlices(out, codes.bits());
    Arrays.fill(has, 0);
    Arrays.fill(unsure, 0);
    Arrays.fill(complex, 0);
    Arrays.fill(keys, null);
    exact = true;
    longest = 0;
    keyBytes = 0;
    rows = 0;
    return bytes.toByteArray();
  }

  private long[] rowsOf(long[] bits) {
    return Arrays.copyOf(bits, BitSlices.words(rows));
  }

  private void writeSlices(DataOutputStream out, int bits) throws IOException {
    long[] slices = BitSlices.slice(numbers, rows, bits);
    ByteBuffer buffer =
        ByteBuffer.allocate(slices.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    buffer.asLongBuffer().put(slices);
    out.write(buffer.array());
  }

  /** Leaves a code of each row in its number. */
  private KeyCodes code() {
    KeyPrefix prefix = prefix();
    for (int i = 0; i < rows; i++) {
      numbers[i] = keys[i] == null ? 0 : prefix.number(keys[i]);
    }
    boolean whole = longest <= prefix.bytes().length + Long.BYTES;
    Differences differences = differences(prefix, whole);
    ListedKeys listed = listed(whole);
    if (listed != null && bytes(listed) < bytes(differences)) {
      for (int i = 0; i < rows; i++) {
        numbers[i] = keys[i] == null ? 0 : listed.least(keys[i]);
      }
      return listed;
    }
    Decimals decimals = decimals();
    if (decimals != null && decimals.bits() < differences.bits()) {
      for (int i = 0; i < rows; i++) {
        numbers[i] = keys[i] == null ? 0 : decimals.code(floating[i]);
      }
      return decimals;
    }
    for (int i = 0; i < rows; i++) {
      numbers[i] = keys[i] == null ? 0 : differences.code(numbers[i]);
    }
    return differences;
  }

  private int bytes(ListedKeys listed) {
    return listed.length() + bytes((KeyCodes) listed);
  }

  private int bytes(KeyCodes codes) {
    return codes.bits() * BitSlices.words(rows) * Long.BYTES;
  }

  private KeyPrefix prefix() {
    byte[] first = null;
    int shared = 0;
    for (int i = 0; i < rows; i++) {
      if (keys[i] == null) {
        continue;
      }
      if (first == null) {
        first = keys[i];
        shared = first.length;
      } else {
        int differs =
            Arrays.mismatch(first, 0, shared, keys[i], 0, Math.min(shared, keys[i].length));
        shared = differs < 0 ? shared : differs;
      }
    }
    return new KeyPrefix(first == null ? new byte[0] : Arrays.copyOf(first, shared));
  }

  /**
   * All bits of the numbers that tell keys apart, or if they do not, or are too many, the upper
   * ones.
   *
   * @param whole whether the numbers are all that keys have behind the prefix
   */
  private Differences differences(KeyPrefix prefix, boolean whole) {
    long base = -1L;
    for (int i = 0; i < rows; i++) {
      base = keys[i] != null && Long.compareUnsigned(numbers[i], base) < 0 ? numbers[i] : base;
    }
    long all = 0;
    long range = 0;
    for (int i = 0; i < rows; i++) {
      long difference = keys[i] == null ? 0 : numbers[i] - base;
      all |= difference;
      range = Long.compareUnsigned(difference, range) > 0 ? difference : range;
    }
    int zeros = all == 0 ? 0 : Long.numberOfTrailingZeros(all);
    int width = Long.SIZE - Long.numberOfLeadingZeros(range >>> zeros);
    boolean tells = whole && width <= BitSlices.MAX_BITS;
    int bits = tells ? width : Math.min(width, BitSlices.CUT_BITS);
    return new Differences(prefix, base, zeros + width - bits, bits, tells && exact);
  }

  /** Null if they are no numbers that have few decimal places. */
  private Decimals decimals() {
    int places = 0;
    double least = Double.POSITIVE_INFINITY;
    double most = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < rows; i++) {
      if (keys[i] == null) {
        continue;
      }
      if (!Decimals.isNumber(keys[i])) {
        return null;
      }
      floating[i] = Decimals.number(keys[i]);
      while (!Decimals.fits(floating[i], places)) {
        if (++places > Decimals.MOST_PLACES) {
          return null;
        }
      }
      least = Math.min(least, floating[i]);
      most = Math.max(most, floating[i]);
    }
    for (int i = 0; i < rows; i++) {
      if (keys[i] != null && !Decimals.fits(floating[i], places)) {
        return null; // too large for so many places
      }
    }
    return least > most ? null : Decimals.between(least, most, places);
  }

  /** The different keys; null if there are none or more than are listed. */
  private ListedKeys listed(boolean whole) {
    byte[][] slots = new byte[SLOTS][];
    long[] ofSlot = new long[SLOTS];
    int count = 0;
    for (int i = 0; i < rows; i++) {
      if (keys[i] == null) {
        continue;
      }
      int slot = (int) (numbers[i] * 0x9E3779B97F4A7C15L >>> Long.SIZE - SLOT_BITS);
      while (slots[slot] != null
          && (ofSlot[slot] != numbers[i] || !whole && !Arrays.equals(slots[slot], keys[i]))) {
        slot = slot + 1 & SLOTS - 1;
      }
      if (slots[slot] == null) {
        if (++count > ListedKeys.MOST) {
          return null;
        }
        slots[slot] = keys[i];
        ofSlot[slot] = numbers[i];
      }
    }
    byte[][] distinct = Arrays.stream(slots).filter(k -> k != null).toArray(byte[][]::new);
    Arrays.sort(distinct, Arrays::compareUnsigned);
    return count == 0 ? null : new ListedKeys(distinct, exact);
  }
}
