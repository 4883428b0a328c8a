package io.spyhop.client.internal.exec;

import java.util.Arrays;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Which of several sorted runs has the next row: a tree of losers over offset-value codes (Conner
 * 1977; Do and Graefe 2022). A run's code says at which byte the key of its next row differs from
 * the key that was first last, and what is there: of two codes the lower one is of the key that
 * comes first, and keys are looked at only where codes are equal, behind the bytes that they stand
 * for. So a row costs one comparison with the row before it in its run, whose bytes are near, and
 * comparisons of numbers. Not thread-safe.
 */
final class LoserTree {
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
  private final Result[] heads;
  private final Cell[] keys;
  private final long[] codes;

  /** The losers of each inner node; runs are the leaves, from as many as there are runs on. */
  private final int[] losers;

  private int winner = -1;

  /**
   * @param runs how many
   * @param descending whether the greatest key comes first
   */
  LoserTree(int runs, boolean descending) {
    this.descending = descending;
    this.heads = new Result[runs];
    this.keys = new Cell[runs];
    this.codes = new long[runs];
    this.losers = new int[runs];
  }

  /**
   * Sets the first rows, one of each run, before anything else.
   *
   * @param first null where a run has none
   */
  void begin(Result[] first) {
    for (int run = 0; run < first.length; run++) {
      Cell key = key(first[run]);
      heads[run] = first[run];
      keys[run] = key;
      codes[run] = key == null ? EXHAUSTED : code(key, 0);
    }
    winner = first.length == 0 ? -1 : play(1);
  }

  private static Cell key(Result row) {
    return row == null ? null : row.rawCells()[0];
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
  int first() {
    return winner < 0 || heads[winner] == null ? -1 : winner;
  }

  /** That row. */
  Result head() {
    return heads[winner];
  }

  /**
   * Puts the next row of the run in place of the one that was first.
   *
   * @param next null at the run's end
   */
  void replace(Result next) {
    int run = winner;
    Cell key = key(next);
    codes[run] = key == null ? EXHAUSTED : codeBehind(keys[run], key, 0);
    heads[run] = next;
    keys[run] = key;
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
    int compared = compare(one, other, same);
    boolean first = descending ? compared >= 0 : compared <= 0;
    int loser = first ? other : one;
    codes[loser] = codeBehind(keys[first ? one : other], keys[loser], same);
    return first;
  }

  private int compare(int one, int other, int from) {
    Cell a = keys[one];
    Cell b = keys[other];
    return Bytes.compareTo(
        a.getRowArray(),
        a.getRowOffset() + Math.min(from, a.getRowLength()),
        Math.max(0, a.getRowLength() - from),
        b.getRowArray(),
        b.getRowOffset() + Math.min(from, b.getRowLength()),
        Math.max(0, b.getRowLength() - from));
  }

  /** The code of a key behind another; both are the same in so many bytes. */
  private long codeBehind(Cell before, Cell key, int same) {
    int endBefore = before.getRowOffset() + before.getRowLength();
    int end = key.getRowOffset() + key.getRowLength();
    int from = Math.min(same, Math.min(before.getRowLength(), key.getRowLength()));
    int differ =
        Arrays.mismatch(
            before.getRowArray(),
            before.getRowOffset() + from,
            endBefore,
            key.getRowArray(),
            key.getRowOffset() + from,
            end);
    return differ < 0 ? SAME : code(key, from + differ);
  }

  private long code(Cell key, int offset) {
    int value =
        offset < key.getRowLength()
            ? (key.getRowArray()[key.getRowOffset() + offset] & 0xFF) + 1
            : END;
    return (OFFSETS - offset) << VALUE_BITS | (descending ? ABOVE_ALL - value : value);
  }
}
