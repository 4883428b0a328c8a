package io.spyhop.server.index.local.column;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Codes of rows as bit slices: slice k has bit k of every code, that of row i at bit i % 64 of word
 * i / 64. Ranges of codes are found 64 rows at a time (BitWeaving/V). Not thread-safe: the room for
 * what is computed is its own.
 */
final class BitSlices {
  /** The most bits of a code, so that codes are positive and one more is, too. */
  static final int MAX_BITS = 62;

  /** The bits of codes that do not tell all values apart. */
  static final int CUT_BITS = Integer.SIZE;

  private static final int WORD = Long.SIZE;

  /** The codes of fewer rows of a word are gathered bit by bit. */
  private static final int FEW = 12;

  /** After so many slices it is asked whether any row is still undecided. */
  private static final int CHECK = 4;

  private final ByteBuffer stored;
  private final int bits;
  private final int words;
  private final long[] slices;
  private final long[] equal;
  private final long[] below;
  private final long[] atMost;

  /** A bit for each slice that has been read. */
  private long read;

  /**
   * Memory of the slices of one block after the other, as clearing it takes longer than reading.
   */
  static final class Room {
    private final long[] equal = new long[ColumnBlock.MAX_ROWS / WORD];
    private final long[] below = new long[equal.length];
    private final long[] atMost = new long[equal.length];
    private long[] slices = {};

    private long[] slices(int length) {
      slices = slices.length < length ? new long[length] : slices;
      return slices;
    }
  }

  /**
   * @param stored the slices, the lowest first, each of {@code words} words, little-endian; each is
   *     read when it is needed
   * @param room is used by these slices alone from now on
   */
  BitSlices(ByteBuffer stored, int bits, int words, Room room) {
    this.stored = stored.order(ByteOrder.LITTLE_ENDIAN);
    this.bits = bits;
    this.words = words;
    this.slices = room.slices(bits * words);
    this.equal = room.equal;
    this.below = room.below;
    this.atMost = room.atMost;
  }

  /** How many words a bit of each row takes. */
  static int words(int rows) {
    return (rows + WORD - 1) / WORD;
  }

  /**
   * Slices of codes.
   *
   * @param bits of a code, at most {@link #MAX_BITS}
   */
  static long[] slice(long[] codes, int rows, int bits) {
    int words = words(rows);
    long[] slices = new long[bits * words];
    long[] square = new long[WORD];
    for (int w = 0; w < words; w++) {
      int first = w * WORD;
      for (int i = 0; i < WORD; i++) {
        square[i] = first + i < rows ? codes[first + i] : 0;
      }
      transpose(square);
      for (int k = 0; k < bits; k++) {
        slices[k * words + w] = square[k];
      }
    }
    return slices;
  }

  private void read(int slice) {
    if ((read >>> slice & 1) == 0) {
      int from = slice * words;
      stored.position(stored.limit() - (bits * words - from) * Long.BYTES);
      stored.asLongBuffer().get(slices, from, words);
      read |= 1L << slice;
    }
  }

  /** The codes of some rows again; those of others mean nothing. */
  long[] codes(long[] some) {
    for (int k = 0; k < bits; k++) {
      read(k);
    }
    long[] codes = new long[words * WORD];
    long[] square = new long[WORD];
    for (int w = 0; w < words; w++) {
      if (Long.bitCount(some[w]) < FEW) {
        for (long left = some[w]; left != 0; left &= left - 1) {
          int row = Long.numberOfTrailingZeros(left);
          codes[w * WORD + row] = code(w, row);
        }
      } else {
        Arrays.fill(square, 0);
        for (int k = 0; k < bits; k++) {
          square[k] = slices[k * words + w];
        }
        transpose(square);
        System.arraycopy(square, 0, codes, w * WORD, WORD);
      }
    }
    return codes;
  }

  private long code(int word, int row) {
    long code = 0;
    for (int k = 0; k < bits; k++) {
      code |= (slices[k * words + word] >>> row & 1) << k;
    }
    return code;
  }

  /** Mirrors a square of bits: row i's bit k becomes row k's bit i (Hacker's Delight, 7-3). */
  private static void transpose(long[] square) {
    long mask = 0x00000000FFFFFFFFL;
    for (int j = WORD / 2; j != 0; j >>= 1, mask ^= mask << j) {
      for (int k = 0; k < WORD; k = (k | j) + 1 & ~j) {
        long swapped = (square[k] >>> j ^ square[k | j]) & mask;
        square[k] ^= swapped << j;
        square[k | j] ^= swapped;
      }
    }
  }

  /**
   * Adds those of some rows whose codes lie between two, both included; others may be among them.
   *
   * @param out a bit for each row
   */
  void addBetween(long least, long most, long[] among, long[] out) {
    compare(most, among);
    for (int w = 0; w < words; w++) {
      atMost[w] = below[w] | equal[w];
    }
    if (least == 0) {
      Arrays.fill(below, 0, words, 0);
    } else {
      compare(least, among);
    }
    for (int w = 0; w < words; w++) {
      out[w] |= atMost[w] & ~below[w];
    }
  }

  /** Adds those of some rows that have a code. */
  void addEqual(long code, long[] among, long[] out) {
    compare(code, among);
    for (int w = 0; w < words; w++) {
      out[w] |= equal[w];
    }
  }

  /** Finds those of some rows that are below and at a bound. */
  private void compare(long bound, long[] among) {
    System.arraycopy(among, 0, equal, 0, words);
    Arrays.fill(below, 0, words, 0);
    for (int k = bits - 1; k >= 0; k--) {
      read(k);
      int slice = k * words;
      if ((bound >>> k & 1) == 0) {
        for (int w = 0; w < words; w++) {
          equal[w] &= ~slices[slice + w];
        }
      } else {
        for (int w = 0; w < words; w++) {
          below[w] |= equal[w] & ~slices[slice + w];
          equal[w] &= slices[slice + w];
        }
      }
      if (k % CHECK == 0 && isEmpty(equal)) {
        return;
      }
    }
  }

  /**
   * Adds the rows with the least codes, or the greatest.
   *
   * @param wanted at least so many, if there are as many
   * @param whole whether all rows of the last code are added; otherwise the first of them, so that
   *     there are not more than wanted
   */
  void addFirst(int wanted, boolean greatest, boolean whole, long[] among, long[] out) {
    System.arraycopy(among, 0, equal, 0, words);
    long before = 0;
    for (int k = bits - 1; k >= 0; k--) {
      read(k);
      int slice = k * words;
      long nearer = 0;
      for (int w = 0; w < words; w++) {
        below[w] = equal[w] & (greatest ? slices[slice + w] : ~slices[slice + w]);
        nearer += Long.bitCount(below[w]);
      }
      boolean enough = before + nearer >= wanted;
      for (int w = 0; w < words; w++) {
        out[w] |= enough ? 0 : below[w];
        equal[w] = enough ? below[w] : equal[w] & ~below[w];
      }
      before += enough ? 0 : nearer;
    }
    long left = whole ? Long.MAX_VALUE : wanted - before;
    for (int w = 0; w < words && left > 0; w++) {
      long word = equal[w];
      for (int more = Long.bitCount(word); more > left; more--) {
        word &= ~Long.highestOneBit(word);
      }
      out[w] |= word;
      left -= Long.bitCount(word);
    }
  }

  private boolean isEmpty(long[] bitmap) {
    long any = 0;
    for (int w = 0; w < words; w++) {
      any |= bitmap[w];
    }
    return any == 0;
  }
}
