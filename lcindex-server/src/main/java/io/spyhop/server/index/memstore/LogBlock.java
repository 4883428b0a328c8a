package io.spyhop.server.index.memstore;

import io.spyhop.server.index.local.column.RowBits;

/**
 * Some rows of a log one after the other, up to a number and a size that are fixed. What was
 * appended does not change. Not thread-safe: the log's lock is held to append.
 */
final class LogBlock {
  private final byte[] keys;
  private final int[] ends;

  /** By column and row. */
  private final long[][] codes;

  private int rows;

  /**
   * @param rows how many fit
   * @param bytes of all keys
   */
  LogBlock(int columns, int rows, int bytes) {
    this.keys = new byte[bytes];
    this.ends = new int[rows];
    this.codes = new long[columns][rows];
  }

  /** Bytes on the heap of such a block, about. */
  static long heapSize(int columns, int rows, int bytes) {
    return bytes + (long) rows * (Integer.BYTES + (long) columns * Long.BYTES);
  }

  /** Appends a row. */
  boolean tryAppend(byte[] row, int off, int len, long[] values) {
    int at = keysEnd();
    if (rows == ends.length || at + len > keys.length) {
      return false;
    }
    System.arraycopy(row, off, keys, at, len);
    ends[rows] = at + len;
    for (int c = 0; c < codes.length; c++) {
      codes[c][rows] = values[c];
    }
    rows++;
    return true;
  }

  private int keysEnd() {
    return rows == 0 ? 0 : ends[rows - 1];
  }

  /** How many rows there are now. */
  int rows() {
    return rows;
  }

  /** The keys of all rows. */
  byte[] keys() {
    return keys;
  }

  /** Where a row's key begins. */
  int start(int row) {
    return row == 0 ? 0 : ends[row - 1];
  }

  /** Where a row's key ends. */
  int end(int row) {
    return ends[row];
  }

  /** Sets the bits of rows among the first ones that may have a value in the ranges. */
  void addMatching(int column, ValueCodes wanted, int first, long[] bits) {
    long[] values = codes[column];
    for (int i = 0; i < first; i++) {
      if (wanted.mayContain(values[i])) {
        RowBits.set(bits, i);
      }
    }
  }

  /** Sets the bits of rows among the first ones that have no value. */
  void addAbsent(int column, int first, long[] bits) {
    long[] values = codes[column];
    for (int i = 0; i < first; i++) {
      if (values[i] == ValueCodes.NONE) {
        RowBits.set(bits, i);
      }
    }
  }
}
