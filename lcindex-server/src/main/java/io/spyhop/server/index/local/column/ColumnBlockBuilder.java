package io.spyhop.server.index.local.column;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Gathers the values of a column in the rows of one {@link ColumnBlock}. Not thread-safe. */
public final class ColumnBlockBuilder {
  private static final int SLOTS = 4 * ColumnBlock.MAX_LISTED;

  private final byte[][] keys = new byte[ColumnBlock.MAX_ROWS][];
  private final long[] values = new long[ColumnBlock.MAX_ROWS];
  private final long[] has = new long[BitSlices.words(ColumnBlock.MAX_ROWS)];
  private final long[] unsure = new long[has.length];
  private final long[] complex = new long[has.length];
  private int rows;

  /**
   * Adds the next row.
   *
   * @param key of its value; null if it has none, or several
   * @param several whether it has several values, or one without a key
   * @param isComplex whether a value alone says nothing of the row
   */
  public void add(byte[] key, boolean several, boolean isComplex) {
    if (several) {
      RowBits.set(unsure, rows);
    } else if (key != null) {
      RowBits.set(has, rows);
    }
    if (isComplex) {
      RowBits.set(complex, rows);
    }
    keys[rows++] = several ? null : key;
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
    writeValues(out);
    Arrays.fill(has, 0);
    Arrays.fill(unsure, 0);
    Arrays.fill(complex, 0);
    Arrays.fill(keys, null);
    rows = 0;
    return bytes.toByteArray();
  }

  private long[] rowsOf(long[] bits) {
    return Arrays.copyOf(bits, BitSlices.words(rows));
  }

  private void writeValues(DataOutputStream out) throws IOException {
    byte[] prefix = commonPrefix();
    long base = -1L;
    for (int i = 0; i < rows; i++) {
      if (keys[i] != null) {
        values[i] = ColumnBlock.value(keys[i], prefix.length);
        base = Long.compareUnsigned(values[i], base) < 0 ? values[i] : base;
      }
    }
    long differences = 0;
    long range = 0;
    for (int i = 0; i < rows; i++) {
      values[i] = keys[i] == null ? 0 : values[i] - base;
      differences |= values[i];
      range = Long.compareUnsigned(values[i], range) > 0 ? values[i] : range;
    }
    int zeros = differences == 0 ? 0 : Long.numberOfTrailingZeros(differences);
    int width = Long.SIZE - Long.numberOfLeadingZeros(range >>> zeros);
    int bits = Math.min(width, BitSlices.MAX_BITS);
    int shift = zeros + width - bits;
    out.writeShort(prefix.length);
    out.write(prefix);
    out.writeLong(base);
    long[] listed = listed();
    int listedBits = listed == null ? bits : bitsOf(listed.length);
    if (listedBits < bits && isShorter(listed.length, listedBits, bits)) {
      writeListed(out, base, listed, listedBits);
      return;
    }
    for (int i = 0; i < rows; i++) {
      values[i] >>>= shift;
    }
    out.writeByte(shift);
    out.writeByte(bits);
    out.writeShort(0);
    writeSlices(out, bits);
  }

  private static int bitsOf(int count) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(count - 1);
  }

  private boolean isShorter(int count, int listedBits, int bits) {
    return count + listedBits * BitSlices.words(rows) < bits * BitSlices.words(rows);
  }

  private void writeListed(DataOutputStream out, long base, long[] listed, int bits)
      throws IOException {
    for (int i = 0; i < rows; i++) {
      values[i] = keys[i] == null ? 0 : Arrays.binarySearch(listed, values[i] ^ Long.MIN_VALUE);
    }
    out.writeByte(0);
    out.writeByte(bits);
    out.writeShort(listed.length);
    for (long difference : listed) {
      out.writeLong((difference ^ Long.MIN_VALUE) + base);
    }
    writeSlices(out, bits);
  }

  private void writeSlices(DataOutputStream out, int bits) throws IOException {
    long[] slices = BitSlices.slice(values, rows, bits);
    ByteBuffer buffer =
        ByteBuffer.allocate(slices.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    buffer.asLongBuffer().put(slices);
    out.write(buffer.array());
  }

  /** What all keys of the block begin with. */
  private byte[] commonPrefix() {
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
    return first == null ? new byte[0] : Arrays.copyOf(first, shared);
  }

  /**
   * The different values, as numbers that order as signed ones do; null if there are none or more
   * than are listed.
   */
  private long[] listed() {
    long[] slots = new long[SLOTS];
    boolean[] taken = new boolean[SLOTS];
    int count = 0;
    for (int i = 0; i < rows; i++) {
      if (keys[i] == null) {
        continue;
      }
      int slot = (int) (values[i] * 0x9E3779B97F4A7C15L >>> 54);
      while (taken[slot] && slots[slot] != values[i]) {
        slot = slot + 1 & SLOTS - 1;
      }
      if (!taken[slot]) {
        if (++count > ColumnBlock.MAX_LISTED) {
          return null;
        }
        taken[slot] = true;
        slots[slot] = values[i];
      }
    }
    long[] distinct = new long[count];
    int n = 0;
    for (int slot = 0; slot < SLOTS; slot++) {
      if (taken[slot]) {
        distinct[n++] = slots[slot] ^ Long.MIN_VALUE;
      }
    }
    Arrays.sort(distinct);
    return count == 0 ? null : distinct;
  }
}
