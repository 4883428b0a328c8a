package io.spyhop.bench.mdrq;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;

/** Numbers as reports have them. */
final class Figures {
  private static final int DECIMALS = 3;
  private static final double NANOS_PER_SECOND = 1e9;

  private Figures() {}

  /** Without digits that mean nothing. */
  static double rounded(double value) {
    return BigDecimal.valueOf(value).setScale(DECIMALS, RoundingMode.HALF_UP).doubleValue();
  }

  /** How many times as much; 0 where there is nothing to compare with. */
  static double ratio(double value, double base) {
    return base == 0 ? 0 : rounded(value / base);
  }

  static double seconds(Duration duration) {
    return duration.toNanos() / NANOS_PER_SECOND;
  }
}
