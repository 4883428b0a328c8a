package io.spyhop.bench.mdrq;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.client.Result;

/**
 * Takes the times of several ways to answer one query. They take turns, so that whatever else
 * happens on the machine hits all of them.
 *
 * @param warmups rounds that do not count
 * @param repetitions rounds that count
 */
public record Trial(int warmups, int repetitions) {
  private static final double NANOS_PER_MILLI = 1e6;

  /** Checks the numbers. */
  public Trial {
    if (warmups < 0 || repetitions < 1) {
      throw new IllegalArgumentException(
          "a trial of " + warmups + " warm-ups and " + repetitions + " repetitions");
    }
  }

  /**
   * The median time of each side in milliseconds, until the last row is in the client's memory.
   *
   * @param rows how many rows each answer has
   * @throws IOException if a side fails or answers with another number of rows
   */
  public double[] medians(int rows, List<Side> sides) throws IOException {
    double[][] times = new double[sides.size()][repetitions];
    for (int round = -warmups; round < repetitions; round++) {
      for (int side = 0; side < sides.size(); side++) {
        double millis = time(rows, sides.get(side));
        if (round >= 0) {
          times[side][round] = millis;
        }
      }
    }
    return Arrays.stream(times).mapToDouble(Trial::median).toArray();
  }

  private static double time(int rows, Side side) throws IOException {
    long start = System.nanoTime();
    List<Result> answer = side.ask();
    double millis = (System.nanoTime() - start) / NANOS_PER_MILLI;
    if (answer.size() != rows) {
      throw new IOException(
          "a repeated query found " + answer.size() + " rows, the first time " + rows);
    }
    return millis;
  }

  static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
