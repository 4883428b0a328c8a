package io.spyhop.bench;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** Percentiles of the time that calls took. Thread-safe. */
public final class Latency {
  private static final long MAX_MICROS = TimeUnit.MINUTES.toMicros(10);
  private static final int DIGITS = 3;
  private static final double MICROS_PER_MILLI = 1e3;
  private static final double MEDIAN = 50;
  private static final double P99 = 99;

  private final Histogram micros = new ConcurrentHistogram(MAX_MICROS, DIGITS);

  /** A call began at that {@code System.nanoTime()} and ends now. */
  public void since(long start) {
    long taken = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - start);
    micros.recordValue(Math.min(MAX_MICROS, taken));
  }

  public double medianMillis() {
    return Numbers.rounded(micros.getValueAtPercentile(MEDIAN) / MICROS_PER_MILLI);
  }

  /** The longest. */
  public double maxMillis() {
    return Numbers.rounded(micros.getMaxValue() / MICROS_PER_MILLI);
  }

  public double p99Millis() {
    return Numbers.rounded(micros.getValueAtPercentile(P99) / MICROS_PER_MILLI);
  }
}
