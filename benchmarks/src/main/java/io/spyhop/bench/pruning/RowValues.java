package io.spyhop.bench.pruning;

import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;

/**
 * Compares answers that were given while rows were written again as they are: only timestamps may
 * differ. Stateless.
 */
final class RowValues {
  private RowValues() {}

  /** Whether both have the same rows in the same order, with the same columns and values. */
  static boolean areEqual(List<Result> a, List<Result> b) {
    if (a.size() != b.size()) {
      return false;
    }
    for (int i = 0; i < a.size(); i++) {
      if (!areEqual(a.get(i).rawCells(), b.get(i).rawCells())) {
        return false;
      }
    }
    return true;
  }

  private static boolean areEqual(Cell[] a, Cell[] b) {
    if (a.length != b.length) {
      return false;
    }
    for (int i = 0; i < a.length; i++) {
      boolean same =
          CellUtil.matchingRows(a[i], b[i])
              && CellUtil.matchingColumn(a[i], b[i])
              && CellUtil.matchingValue(a[i], b[i]);
      if (!same) {
        return false;
      }
    }
    return true;
  }
}
