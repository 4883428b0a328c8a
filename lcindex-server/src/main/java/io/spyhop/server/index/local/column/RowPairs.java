package io.spyhop.server.index.local.column;

import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;

/**
 * The rows that two HFiles both have, as bits of each: both are in the order of rows, so that the
 * k-th row set in one is the k-th in the other. Immutable, thread-safe.
 */
public final class RowPairs {
  private final Side here;
  private final Side there;

  /** Takes a row that both files have. */
  @FunctionalInterface
  public interface Pair {
    /**
     * @param row in the block asked about
     * @param block of the other file
     * @param otherRow in that block
     */
    void take(int row, int block, int otherRow) throws IOException;
  }

  /** One file's rows, by block; a block without any is null, or missing at the end. */
  private static final class Side {
    private long[][] rows = {};

    /** How many rows come before a block. */
    private int[] before = {};

    private int count;
    private int last;

    void add(int block, int row) {
      if (block >= rows.length) {
        int length = Math.max(2 * rows.length, block + 1);
        rows = Arrays.copyOf(rows, length);
        before = Arrays.copyOf(before, length);
      }
      Arrays.fill(before, Math.min(last + 1, block + 1), block + 1, count);
      last = block;
      if (rows[block] == null) {
        rows[block] = RowBits.none(ColumnBlock.MAX_ROWS);
      }
      RowBits.set(rows[block], row);
      count++;
    }

    void end() {
      rows = Arrays.copyOf(rows, count == 0 ? 0 : last + 1);
      before = Arrays.copyOf(before, rows.length);
    }

    long heapSize() {
      long blocks = Arrays.stream(rows).filter(Objects::nonNull).count();
      long ofBlock = 16 + ColumnBlock.MAX_ROWS / Byte.SIZE;
      return blocks * ofBlock + rows.length * (long) (Long.BYTES + Integer.BYTES);
    }

    long[] of(int block) {
      return block < rows.length ? rows[block] : null;
    }

    /** The block of the k-th row. */
    int blockOf(int k) {
      int at = Arrays.binarySearch(before, k);
      int block = at >= 0 ? at : -at - 2;
      while (block + 1 < before.length && before[block + 1] <= k) {
        block++;
      }
      return block;
    }

    /** The place of the k-th row in its block. */
    int rowOf(int k, int block) {
      int rest = k - before[block];
      int w = 0;
      while (rest >= Long.bitCount(rows[block][w])) {
        rest -= Long.bitCount(rows[block][w++]);
      }
      long word = rows[block][w];
      for (; rest > 0; rest--) {
        word &= word - 1;
      }
      return w * Long.SIZE + Long.numberOfTrailingZeros(word);
    }

    /** How many rows come before one. */
    int countBefore(int block, int row) {
      long[] bits = rows[block];
      int word = row / Long.SIZE;
      int count = before[block];
      for (int w = 0; w < word; w++) {
        count += Long.bitCount(bits[w]);
      }
      return count + Long.bitCount(bits[word] & (1L << row % Long.SIZE) - 1);
    }
  }

  private RowPairs(Side here, Side there) {
    this.here = here;
    this.there = there;
  }

  /** The same, seen from the other file. */
  public RowPairs mirrored() {
    return new RowPairs(/* here= */ there, /* there= */ here);
  }

  /** Bytes on the heap of these and their {@link #mirrored} together, about. */
  public long heapSize() {
    return here.heapSize() + there.heapSize();
  }

  /** How many there are. */
  public int count() {
    return here.count;
  }

  /** A bit for each shared row of a block; null if there is none. Not to be changed. */
  public long[] rows(int block) {
    return here.of(block);
  }

  /**
   * Hands over one row.
   *
   * @return whether both files have it
   */
  public boolean find(int block, int row, Pair to) throws IOException {
    long[] rows = here.of(block);
    if (rows == null || !RowBits.get(rows, row)) {
      return false;
    }
    int k = here.countBefore(block, row);
    int otherBlock = there.blockOf(k);
    to.take(row, otherBlock, there.rowOf(k, otherBlock));
    return true;
  }

  /**
   * Hands over the shared rows of a block, in their order.
   *
   * @param among rows that are wanted
   */
  public void forEach(int block, long[] among, Pair to) throws IOException {
    long[] rows = here.of(block);
    if (rows == null || !RowBits.intersect(rows, among)) {
      return;
    }
    int k = here.before[block];
    Walk other = new Walk(there, k);
    for (int w = 0; w < Math.min(rows.length, among.length); w++) {
      long word = rows[w];
      for (long left = word & among[w]; left != 0; left &= left - 1) {
        int bit = Long.numberOfTrailingZeros(left);
        other.goTo(k + Long.bitCount(word & (1L << bit) - 1));
        to.take(w * Long.SIZE + bit, other.block, other.row());
      }
      k += Long.bitCount(word);
    }
  }

  /** A walk over rows by their number among all, forwards. */
  private static final class Walk {
    private final Side side;
    private int block;
    private int word;

    /** Those of the word that were not passed by, and the number of the first of them. */
    private long left;

    private int number;

    Walk(Side side, int number) {
      this.side = side;
      this.block = side.blockOf(number);
      this.number = side.before[block];
      this.left = side.rows[block][0];
    }

    /** Goes to the k-th row. */
    void goTo(int k) {
      int more = Long.bitCount(left);
      while (k - number >= more) {
        number += more;
        nextWord();
        more = Long.bitCount(left);
      }
      for (; number < k; number++) {
        left &= left - 1;
      }
    }

    private void nextWord() {
      if (++word == side.rows[block].length) {
        word = 0;
        do {
          block++;
        } while (side.rows[block] == null);
      }
      left = side.rows[block][word];
    }

    /** The row's place in its block. */
    int row() {
      return word * Long.SIZE + Long.numberOfTrailingZeros(left);
    }
  }

  /** Gathers pairs in the order of rows. Not thread-safe. */
  public static final class Builder {
    private final Side one = new Side();
    private final Side other = new Side();

    /** Adds the next row that both have. */
    public void add(int block, int row, int otherBlock, int otherRow) {
      one.add(block, row);
      other.add(otherBlock, otherRow);
    }

    /** Ends. */
    public RowPairs build() {
      one.end();
      other.end();
      return new RowPairs(one, other);
    }
  }
}
