package io.spyhop.core.order;

import java.util.Arrays;

/**
 * Merges sorted runs by a tree of losers over offset-value codes (Conner 1977; Do and Graefe 2022).
 * A run's code says at which byte the key of its next row differs from the key that was first last,
 * and what is there: of two codes the lower one is of the key that comes first, and keys are looked
 * at only where codes are equal, behind the bytes that they stand for. So a row costs one
 * comparison with the row before it in its run, whose bytes are near, and comparisons of numbers.
 * Of equal keys that of the run with the lower number comes first. Not thread-safe.
 *
 * @param <T> what a run has at a key
 */
public final class LoserTree<T> {
  /** More than any offset: keys have 32,767 bytes at most. */
  private static final long OFFSETS = 1L << 16;

  /** Bits for a byte, or for a key's end in its place. */
  private static final int VALUE_BITS = 9;

  /** What a key has at its end, and before all bytes. */
  private static final int END = 0;

  private static final int ABOVE_ALL = 257;

  /** The same key as the one before. */
  private static final long SAME = 0;

  private static final long EXHAUSTED = Long.MAX_VALUE;

  private final boolean descending;
  private final Object[] heads;
  private final byte[][] arrays;
  private final int[] offsets;
  private final int[] lengths;
  private final long[] codes;

  /** The losers of each inner node; runs are the leaves, from as many as there are runs on. */
  private final int[] losers;

  private int winner = -1;

  /**
   * Of runs that have nothing yet.
   *
   * @param runs how many
   * @param descending whether the greatest key comes first
   */
  public LoserTree(int runs, boolean descending) {
    this.descending = descending;
    this.heads = new Object[runs];
    this.arrays = new byte[runs][];
    this.offsets = new int[runs];
    this.lengths = new int[runs];
    this.codes = new long[runs];
    this.losers = new int[runs];
    Arrays.fill(codes, EXHAUSTED);
  }

  /**
   * Sets a run's first row, before {@link #begin}.
   *
   * @param array has the key, and must not change until the run's next row is set
   */
  public void set(int run, T head, byte[] array, int offset, int length) {
    hold(run, head, array, offset, length);
    codes[run] = code(run, 0);
  }

  private void hold(int run, T head, byte[] array, int offset, int length) {
    heads[run] = head;
    arrays[run] = array;
    offsets[run] = offset;
    lengths[run] = length;
  }

  /** All runs have been set that have a row. */
  public void begin() {
    winner = codes.length == 0 ? -1 : play(1);
  }

  private int play(int node) {
    if (node >= losers.length) {
      return node - losers.length;
    }
    int left = play(2 * node);
    int right = play(2 * node + 1);
    boolean leftWins = wins(left, right);
    losers[node] = leftWins ? right : left;
    return leftWins ? left : right;
  }

  /** The run with the row that comes first; -1 if no run has one. */
  public int first() {
    return winner < 0 || codes[winner] == EXHAUSTED ? -1 : winner;
  }

  /** That row. */
  @SuppressWarnings("unchecked")
  public T head() {
    return (T) heads[winner];
  }

  /** Puts the next row of its run in place of the one that was first. */
  public void replace(T next, byte[] array, int offset, int length) {
    int run = winner;
    byte[] before = arrays[run];
    int from = offsets[run];
    int end = from + lengths[run];
    hold(run, next, array, offset, length);
    int differ = Arrays.mismatch(before, from, end, array, offset, offset + length);
    codes[run] = differ < 0 ? SAME : code(run, differ);
    replay(run);
  }

  /** The run of the row that was first has ended. */
  public void end() {
    int run = winner;
    hold(run, null, null, 0, 0);
    codes[run] = EXHAUSTED;
    replay(run);
  }

  private void replay(int leaf) {
    int run = leaf;
    for (int node = (run + losers.length) / 2; node > 0; node /= 2) {
      int other = losers[node];
      if (!wins(run, other)) {
        losers[node] = run;
        run = other;
      }
    }
    winner = run;
  }

  /** The loser's code is that behind the winner from then on. */
  private boolean wins(int one, int other) {
    long a = codes[one];
    long b = codes[other];
    if (a != b) {
      return a < b;
    }
    if (a == EXHAUSTED || a == SAME) {
      return one < other;
    }
    int same = (int) (OFFSETS - (a >>> VALUE_BITS)) + 1;
    int differ = differ(one, other, same);
    if (differ < 0) {
      boolean first = one < other;
      codes[first ? other : one] = SAME;
      return first;
    }
    long codeOfOne = code(one, differ);
    long codeOfOther = code(other, differ);
    boolean first = codeOfOne < codeOfOther;
    codes[first ? other : one] = first ? codeOfOther : codeOfOne;
    return first;
  }

  /** Where two keys differ that are the same in so many bytes; -1 if nowhere. */
  private int differ(int one, int other, int same) {
    int from = Math.min(same, Math.min(lengths[one], lengths[other]));
    int differ =
        Arrays.mismatch(
            arrays[one],
            offsets[one] + from,
            offsets[one] + lengths[one],
            arrays[other],
            offsets[other] + from,
            offsets[other] + lengths[other]);
    return differ < 0 ? -1 : from + differ;
  }

  private long code(int run, int offset) {
    int value = offset < lengths[run] ? (arrays[run][offsets[run] + offset] & 0xFF) + 1 : END;
    return (OFFSETS - offset) << VALUE_BITS | (descending ? ABOVE_ALL - value : value);
  }
}
