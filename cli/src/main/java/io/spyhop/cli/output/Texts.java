package io.spyhop.cli.output;

import java.time.Duration;
import java.util.Locale;

/** Numbers and times as people read them, the same in every locale. */
public final class Texts {
  private static final double MILLIS_PER_SECOND = 1e3;
  private static final double BYTES_PER_MEGABYTE = 1e6;

  private Texts() {}

  /** Whether answers are equal, as tables show it. */
  public static String answer(boolean equal) {
    return equal ? "yes" : "NO";
  }

  /** Such as {@code 12.3 s}. */
  public static String seconds(Duration time) {
    return String.format(Locale.ROOT, "%.1f s", time.toMillis() / MILLIS_PER_SECOND);
  }

  /** The time since a {@code System.nanoTime()}. */
  public static String since(long start) {
    return seconds(Duration.ofNanos(System.nanoTime() - start));
  }

  /** With commas. */
  public static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** The nearest whole number, with commas. */
  public static String count(double number) {
    return count(Math.round(number));
  }

  /** With one decimal. */
  public static String millis(double millis) {
    return String.format(Locale.ROOT, "%,.1f", millis);
  }

  /** With two decimals. */
  public static String ratio(double ratio) {
    return String.format(Locale.ROOT, "%,.2f", ratio);
  }

  /** Such as {@code 1,234.5 MB}. */
  public static String megabytes(long bytes) {
    return megabytes((double) bytes);
  }

  /** Such as {@code 1,234.5 MB}. */
  public static String megabytes(double bytes) {
    return String.format(Locale.ROOT, "%,.1f MB", bytes / BYTES_PER_MEGABYTE);
  }
}
