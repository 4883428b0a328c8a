package io.spyhop.client.internal.global;

import org.apache.hadoop.conf.Configuration;

/**
 * The costs of a client's way through a global index, in nanoseconds; only the ratios to a cell of
 * a plain scan matter (docs/decisions/0037).
 *
 * @param cell a cell that a plain scan reads and filters
 * @param entry an entry that is read
 * @param get a row that is read by its key
 * @param call a question to a server and its answer
 */
public record EntryCosts(double cell, double entry, double get, double call) {
  /** What the settings begin with. */
  public static final String PREFIX = "spyhop.cost.";

  /** As measured beside plain scans, all blocks in the cache. */
  public static final EntryCosts DEFAULT = new EntryCosts(100, 1_000, 20_000, 150_000);

  /**
   * As the settings {@code spyhop.cost.cell}, {@code .entry}, {@code .get} and {@code .call} of a
   * client's configuration say, in nanoseconds.
   *
   * @throws IllegalArgumentException if one is below 0 or no number
   */
  public static EntryCosts of(Configuration conf) {
    return new EntryCosts(
        nanos(conf, "cell", DEFAULT.cell),
        nanos(conf, "entry", DEFAULT.entry),
        nanos(conf, "get", DEFAULT.get),
        nanos(conf, "call", DEFAULT.call));
  }

  private static double nanos(Configuration conf, String name, double otherwise) {
    String text = conf.getTrimmed(PREFIX + name);
    if (text == null) {
      return otherwise;
    }
    try {
      double nanos = Double.parseDouble(text);
      if (nanos >= 0 && !Double.isInfinite(nanos)) {
        return nanos;
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(wrong(name, text), e);
    }
    throw new IllegalArgumentException(wrong(name, text));
  }

  private static String wrong(String name, String text) {
    return PREFIX + name + " is '" + text + "': set nanoseconds, 0 or more";
  }
}
