package io.spyhop.client.internal.global;

import io.spyhop.core.conf.CheckedSettings;
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
   * client's configuration say, in nanoseconds, 0 or more.
   */
  public static EntryCosts of(Configuration conf) {
    CheckedSettings set = new CheckedSettings(conf);
    return new EntryCosts(
        nanos(set, "cell", DEFAULT.cell),
        nanos(set, "entry", DEFAULT.entry),
        nanos(set, "get", DEFAULT.get),
        nanos(set, "call", DEFAULT.call));
  }

  private static double nanos(CheckedSettings set, String name, double otherwise) {
    return set.decimal(PREFIX + name, otherwise, 0, Double.MAX_VALUE);
  }
}
