package io.spyhop.server.view;

import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;

/**
 * The byte that a view has for each key: the rank of the key's run in the lower six bits, and in
 * the upper two how the key relates to the one before it. A delete marker has no bit: HBase's
 * matcher reads the type of the cell that it is given anyhow. Stateless.
 */
final class Selectors {
  /** How many runs a view can have. */
  static final int MAX_RUNS = 63;

  /** The key is of another row than the one before. */
  static final int NEW_ROW = 0;

  /** The key is of the same row and of another column. */
  static final int SAME_ROW = 1;

  /** The key is of the same row and column. */
  static final int SAME_COLUMN = 2;

  /** The key is the same but for its sequence id. */
  static final int SAME_KEY = 3;

  private static final int RUN_BITS = 6;
  private static final int RUN_MASK = (1 << RUN_BITS) - 1;

  private Selectors() {}

  static byte of(int run, int relation) {
    return (byte) (relation << RUN_BITS | run);
  }

  static int run(byte selector) {
    return selector & RUN_MASK;
  }

  static int relation(byte selector) {
    return (selector & 0xff) >>> RUN_BITS;
  }

  /** How a key relates to the one before it, of which there may be none. */
  static int relation(CellComparator comparator, Cell before, Cell key) {
    if (before == null || comparator.compareRows(before, key) != 0) {
      return NEW_ROW;
    }
    if (!CellUtil.matchingColumn(before, key)) {
      return SAME_ROW;
    }
    boolean same =
        before.getTimestamp() == key.getTimestamp() && before.getTypeByte() == key.getTypeByte();
    return same ? SAME_KEY : SAME_COLUMN;
  }
}
