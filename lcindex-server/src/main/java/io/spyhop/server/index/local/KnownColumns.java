package io.spyhop.server.index.local;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;

/**
 * Recognises the columns of the cells of one family, row by row. Most rows have the same columns in
 * the same order, so that a cell mostly takes one comparison, with the column that is expected
 * next. Not thread-safe.
 *
 * @param <T> what a column means to its user
 */
final class KnownColumns<T> {
  /** When there are more it begins anew. */
  static final int MOST = 64;

  /**
   * A column.
   *
   * @param qualifier not to be changed
   * @param meaning as its user said
   */
  record Known<T>(byte[] qualifier, T meaning) {
    private boolean isOf(Cell cell) {
      return CellUtil.matchingQualifier(cell, qualifier, 0, qualifier.length);
    }

    private int compareTo(Cell cell) {
      int offset = cell.getQualifierOffset();
      return Arrays.compareUnsigned(
          qualifier,
          0,
          qualifier.length,
          cell.getQualifierArray(),
          offset,
          offset + cell.getQualifierLength());
    }
  }

  private final Function<byte[], T> meanings;

  /** By qualifier. */
  private final List<Known<T>> known = new ArrayList<>();

  private int expected;
  private Known<T> last;
  private boolean repeated;

  /**
   * @param meanings asked for a qualifier when it turns up, and perhaps again later
   */
  KnownColumns(Function<byte[], T> meanings) {
    this.meanings = meanings;
  }

  /** A new row begins. */
  void begin() {
    expected = 0;
    last = null;
  }

  /**
   * What the column of the row's next cell means; cells come in HBase's order, and some may be left
   * out.
   */
  T of(Cell cell) {
    repeated = false;
    if (expected < known.size() && known.get(expected).isOf(cell)) {
      last = known.get(expected++);
    } else if (last != null && last.isOf(cell)) {
      repeated = true;
    } else {
      last = find(cell);
    }
    return last.meaning();
  }

  /** Whether the last cell is of the same column as the one before it in the row. */
  boolean isRepeated() {
    return repeated;
  }

  private Known<T> find(Cell cell) {
    int order = -1;
    while (expected < known.size() && (order = known.get(expected).compareTo(cell)) < 0) {
      expected++;
    }
    if (expected == known.size() || order != 0) {
      if (known.size() == MOST) {
        known.clear();
        expected = 0;
      }
      byte[] qualifier = CellUtil.cloneQualifier(cell);
      known.add(expected, new Known<>(qualifier, meanings.apply(qualifier)));
    }
    return known.get(expected++);
  }
}
