package io.spyhop.core.predicate;

/**
 * Evaluates a {@link BoundPredicate} on one row after another, value by value. Not thread-safe.
 *
 * <p>For each row: {@link #reset()}, then {@link #offer} the newest visible value of each column
 * that the row has, then {@link #matches()}. Filter and index reading share this one evaluation.
 */
public final class RowJudge {
  private final BoundPredicate predicate;
  private final Leaf[] leaves;
  private final int[][] leavesOf;
  private final boolean[] initial;
  private final boolean[] state;

  /** The row, counted from 1 on, in which each column was last offered; 0 for none. */
  private final long[] seenIn;

  /** HBase does not reset a filter before its first row. */
  private long row = 1;

  RowJudge(BoundPredicate predicate, int only) {
    this.predicate = predicate;
    this.leaves = predicate.leaves();
    int columns = predicate.columns().size();
    this.leavesOf = new int[columns][];
    for (int c = 0; c < columns; c++) {
      int column = c;
      leavesOf[c] =
          java.util.stream.IntStream.range(0, leaves.length)
              .filter(i -> leaves[i].column() == column)
              .toArray();
    }
    this.initial = new boolean[leaves.length];
    for (int i = 0; i < leaves.length; i++) {
      initial[i] = only >= 0 && leaves[i].column() != only || leaves[i].whenAbsent();
    }
    this.state = initial.clone();
    this.seenIn = new long[columns];
  }

  /** Forgets the row. */
  public void reset() {
    System.arraycopy(initial, 0, state, 0, state.length);
    row++;
  }

  /**
   * Takes the newest visible value of a column; later calls for the same column are ignored, as
   * versions come newest first.
   *
   * @param column position in {@link BoundPredicate#columns()}
   * @return false if the row cannot match any more, whatever its other columns hold
   */
  public boolean offer(int column, byte[] b, int off, int len) {
    if (seenIn[column] == row) {
      return true;
    }
    seenIn[column] = row;
    boolean possible = true;
    for (int i : leavesOf[column]) {
      state[i] = leaves[i].test(b, off, len);
      possible &= state[i] || !predicate.isRequired(i);
    }
    return possible;
  }

  /** Whether the predicate is true of what was offered since the last reset. */
  public boolean matches() {
    return predicate.root().isTrue(state);
  }
}
