package io.spyhop.bench.mdrq;

import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
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
    return difference(expected, actual, Answers::same);
  }

  /**
   * Compares answers that were given while rows were written again as they are: timestamps may
   * differ.
   *
   * @return whether both have the same rows in the same order, with the same columns and values
   */
  public static boolean haveSameValues(List<Result> expected, List<Result> actual) {
    return difference(expected, actual, Answers::sameValue).isEmpty();
  }

  private static Optional<String> difference(
      List<Result> expected, List<Result> actual, BiPredicate<Cell, Cell> same) {
    int common = Math.min(expected.size(), actual.size());
    for (int i = 0; i < common; i++) {
      Optional<String> difference = difference(i, expected.get(i), actual.get(i), same);
      if (difference.isPresent()) {
        return difference;
      }
    }
    return expected.size() == actual.size()
        ? Optional.empty()
        : Optional.of(expected.size() + " rows expected, " + actual.size() + " found");
  }

  private static Optional<String> difference(
      int position, Result expected, Result actual, BiPredicate<Cell, Cell> same) {
    Cell[] e = expected.rawCells();
    Cell[] a = actual.rawCells();
    int common = Math.min(e.length, a.length);
    for (int i = 0; i < common; i++) {
      if (!same.test(e[i], a[i])) {
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
    return sameValue(a, b) && a.getTimestamp() == b.getTimestamp() && a.getType() == b.getType();
  }

  private static boolean sameValue(Cell a, Cell b) {
    return CellUtil.matchingRows(a, b)
        && CellUtil.matchingColumn(a, b)
        && CellUtil.matchingValue(a, b);
  }
}
