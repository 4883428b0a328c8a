package io.spyhop.bench;

import io.spyhop.core.io.IoRunnable;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/** Numbers as reports have them. Stateless. */
public final class Numbers {
  private static final int DECIMALS = 3;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double NANOS_PER_MILLI = 1e6;

  private Numbers() {}

  /** Without digits that mean nothing. */
  public static double rounded(double value) {
    return BigDecimal.valueOf(value).setScale(DECIMALS, RoundingMode.HALF_UP).doubleValue();
  }

  /** How many times as much; 0 where there is nothing to compare with. */
  public static double ratio(double value, double base) {
    return base == 0 ? 0 : rounded(value / base);
  }

  /** How many milliseconds something takes. */
  public static double millis(IoRunnable timed) throws IOException {
    long start = System.nanoTime();
    timed.run();
    return (System.nanoTime() - start) / NANOS_PER_MILLI;
  }

  /** The median of the milliseconds that something takes, after some times that do not count. */
  public static double medianMillis(int warmups, int rounds, IoRunnable timed) throws IOException {
    List<Double> taken = new ArrayList<>();
    for (int i = -warmups; i < rounds; i++) {
      double millis = millis(timed);
      if (i >= 0) {
        taken.add(millis);
      }
    }
    return median(taken);
  }

  /** The time since a {@code System.nanoTime()}. */
  public static double secondsSince(long start) {
    return seconds(start, System.nanoTime());
  }

  /** The time between two {@code System.nanoTime()}s. */
  public static double seconds(long start, long end) {
    return (end - start) / NANOS_PER_SECOND;
  }

  /** As a number of seconds. */
  public static double seconds(Duration time) {
    return time.toNanos() / NANOS_PER_SECOND;
  }

  /** The middle one, of an even number the mean of the two in the middle; 0 of none. */
  public static double median(Collection<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
    if (sorted.length == 0) {
      return 0;
    }
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    double median =
        sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    return rounded(median);
  }
}
