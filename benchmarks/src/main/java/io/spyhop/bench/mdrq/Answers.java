package io.spyhop.bench.mdrq;

import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/** Compares complete answers. */
public final class Answers {
  private Answers() {}

  /**
   * Where two answers differ: they are equal if they have the same rows in the same order, and each
   * row the same cells in the same order, by row, family, qualifier, timestamp, type and value.
   *
   * @return the first difference in words, or empty
   */
  public static Optional<String> difference(List<Result> expected, List<Result> actual) {
    int common = Math.min(expected.size(), actual.size());
    for (int i = 0; i < common; i++) {
      Optional<String> difference = difference(i, expected.get(i), actual.get(i));
      if (difference.isPresent()) {
        return difference;
      }
    }
    return expected.size() == actual.size()
        ? Optional.empty()
        : Optional.of(expected.size() + " rows expected, " + actual.size() + " found");
  }

  private static Optional<String> difference(int position, Result expected, Result actual) {
    Cell[] e = expected.rawCells();
    Cell[] a = actual.rawCells();
    int common = Math.min(e.length, a.length);
    for (int i = 0; i < common; i++) {
      if (!same(e[i], a[i])) {
        return at(position, expected, "cell " + e[i] + " expected, " + a[i] + " found");
      }
    }
    return e.length == a.length
        ? Optional.empty()
        : at(position, expected, e.length + " cells expected, " + a.length + " found");
  }

  private static Optional<String> at(int position, Result row, String what) {
    String key = row.isEmpty() ? "(empty)" : Bytes.toStringBinary(row.getRow());
    return Optional.of("row " + key + " at position " + position + ": " + what);
  }

  private static boolean same(Cell a, Cell b) {
    return CellUtil.matchingRows(a, b)
        && CellUtil.matchingColumn(a, b)
        && a.getTimestamp() == b.getTimestamp()
        && a.getType() == b.getType()
        && CellUtil.matchingValue(a, b);
  }
}
