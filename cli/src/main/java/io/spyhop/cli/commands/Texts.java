package io.spyhop.cli.commands;

import io.spyhop.bench.Progress;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;

/** Numbers and times as people read them, the same in every locale. */
final class Texts {
  private static final double MILLIS_PER_SECOND = 1e3;
  private static final double BYTES_PER_MEGABYTE = 1e6;

  private Texts() {}

  static String seconds(Duration time) {
    return String.format(Locale.ROOT, "%.1f s", time.toMillis() / MILLIS_PER_SECOND);
  }

  /** The time since a {@code System.nanoTime()}. */
  static String since(long start) {
    return seconds(Duration.ofNanos(System.nanoTime() - start));
  }

  static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  static String millis(double millis) {
    return String.format(Locale.ROOT, "%,.1f", millis);
  }

  static String ratio(double ratio) {
    return String.format(Locale.ROOT, "%.2f", ratio);
  }

  static String megabytes(long bytes) {
    return String.format(Locale.ROOT, "%,.1f MB", bytes / BYTES_PER_MEGABYTE);
  }

  /** Bars for who watches, lines for who reads the output later. */
  static Progress.Factory steps(Progress.Factory bars, PrintWriter out, long start) {
    return (task, total) -> {
      out.printf("After %s: %s%n", since(start), task);
      out.flush();
      return bars.start(task, total);
    };
  }
}
