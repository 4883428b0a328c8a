package io.spyhop.core.conf;

import java.math.BigDecimal;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads Spyhop's settings. A value that is not allowed never stops anything: one line of the log
 * names setting, value, what is allowed, and the default, which is used. Immutable, thread-safe.
 *
 * @param conf has them
 */
public record CheckedSettings(Configuration conf) {
  private static final Logger LOG = LoggerFactory.getLogger(CheckedSettings.class);

  /** The longest time that a setting may say. */
  private static final long YEAR_MILLIS = 31_536_000_000L;

  /** A whole number, from the least to the greatest that is allowed. */
  public int integer(String key, int otherwise, int least, int most) {
    return (int) number(key, otherwise, least, most);
  }

  /** Bytes of memory: at most the heap. */
  public long memory(String key, long otherwise, long least) {
    return number(key, otherwise, least, Runtime.getRuntime().maxMemory());
  }

  /** Milliseconds: at most a year. */
  public long millis(String key, long otherwise, long least) {
    return number(key, otherwise, least, YEAR_MILLIS);
  }

  private long number(String key, long otherwise, long least, long most) {
    String allowed = least + " to " + most;
    return value(key, otherwise, allowed, () -> conf.getLong(key, otherwise), isIn(least, most));
  }

  /** A number with or without a fraction, from the least to the greatest that is allowed. */
  public double decimal(String key, double otherwise, double least, double most) {
    String allowed = plain(least) + " to " + plain(most);
    return value(key, otherwise, allowed, () -> conf.getDouble(key, otherwise), isIn(least, most));
  }

  /** Compares as {@link Double#compare} does: NaN is in no range. */
  private static <T extends Comparable<T>> Predicate<T> isIn(T least, T most) {
    return value -> value.compareTo(least) >= 0 && value.compareTo(most) <= 0;
  }

  private static String plain(double number) {
    return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
  }

  /** True or false, in letters of either case. */
  public boolean flag(String key, boolean otherwise) {
    String text =
        text(
            key,
            Boolean.toString(otherwise),
            "true or false",
            t -> t.equalsIgnoreCase("true") || t.equalsIgnoreCase("false"));
    return Boolean.parseBoolean(text);
  }

  /**
   * A text.
   *
   * @param allowed says in the log which texts are allowed
   */
  public String text(String key, String otherwise, String allowed, Predicate<String> isAllowed) {
    return value(key, otherwise, allowed, () -> conf.getTrimmed(key), isAllowed);
  }

  private <T> T value(
      String key, T otherwise, String allowed, Supplier<T> read, Predicate<T> isAllowed) {
    if (conf.get(key) == null) {
      return otherwise;
    }
    try {
      T value = read.get();
      if (isAllowed.test(value)) {
        return value;
      }
    } catch (NumberFormatException e) {
      LOG.debug("{} is no number", key, e);
    }
    LOG.warn(
        "Setting {} is '{}', but must be {}: its default {} is used",
        key,
        conf.get(key),
        allowed,
        otherwise);
    return otherwise;
  }
}
