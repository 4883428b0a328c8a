package io.spyhop.bench.mdrq;

import java.time.Duration;
import java.util.Arrays;

/**
 * The cost of a query.
 *
 * @param millis the median
 * @param p99Millis the 99th percentile; of less than a hundred times the longest
 * @param perSecond how many were answered a second
 * @param cpuMillis processor time of servers and client, the mean
 */
record Cost(double millis, double p99Millis, double perSecond, double cpuMillis) {
  /** Of what was not measured. */
  static final Cost NONE = new Cost(0, 0, 0, 0);

  private static final double NANOS_PER_MILLI = 1e6;
  private static final double MILLIS_PER_SECOND = 1e3;
  private static final double P99 = 0.99;

  /**
   * What was measured.
   *
   * @param times of the queries in milliseconds, 1 or more
   * @param elapsed while they were asked
   * @param cpu that was used meanwhile
   */
  static Cost of(double[] times, Duration elapsed, Duration cpu) {
    double[] sorted = times.clone();
    Arrays.sort(sorted);
    return new Cost(
        median(sorted),
        sorted[(int) Math.ceil(P99 * sorted.length) - 1],
        times.length * MILLIS_PER_SECOND * NANOS_PER_MILLI / elapsed.toNanos(),
        cpu.toNanos() / NANOS_PER_MILLI / times.length);
  }

  private static double median(double[] sorted) {
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
