package io.spyhop.client;

import java.time.Duration;
import java.util.Locale;
import java.util.Objects;

/**
 * The writes that a query is sure to see although it leaves out regions (partition pruning paper,
 * section 5). Regions that a query reads answer with what they have when they are read, at every
 * level; the levels differ in how old the statistics may be that leave a region out. Immutable,
 * thread-safe.
 *
 * <p>"Begins" means that the query's first row is asked for: nothing is asked of servers before.
 */
public final class Consistency {
  /**
   * Sees every write that was acknowledged, to any client, before the query began: a region is left
   * out only if its statistics answer a request that was sent after that moment. Concurrent queries
   * share requests. The default.
   */
  public static final Consistency STRICT = new Consistency(Level.STRICT, Duration.ZERO);

  /**
   * Sees what {@link #STRICT} sees, but requests are sent at most once per synchronisation interval
   * (6 ms unless set), so that many queries cost few requests, and a query may wait so much longer.
   */
  public static final Consistency BATCHED = new Consistency(Level.BATCHED, Duration.ZERO);

  /** The levels. */
  public enum Level {
    /** {@link Consistency#STRICT}. */
    STRICT,
    /** {@link Consistency#BATCHED}. */
    BATCHED,
    /** {@link Consistency#bounded}. */
    BOUNDED
  }

  private final Level level;
  private final Duration staleness;

  private Consistency(Level level, Duration staleness) {
    this.level = level;
    this.staleness = staleness;
  }

  /**
   * Sees every write that was acknowledged so long before the query began; younger writes may be
   * missing where a region was left out. Costs no request as long as statistics are young enough.
   *
   * @param staleness zero or more
   * @throws InvalidQueryException if it is negative
   */
  public static Consistency bounded(Duration staleness) {
    Objects.requireNonNull(staleness, "the staleness is null");
    if (staleness.isNegative()) {
      throw new InvalidQueryException("staleness " + staleness + " is negative");
    }
    return new Consistency(Level.BOUNDED, staleness);
  }

  /**
   * Reads what {@link #toString} writes, in any case: {@code strict}, {@code batched}, or {@code
   * bounded:N} with N in milliseconds.
   *
   * @throws InvalidQueryException if the text is none of these
   */
  public static Consistency parse(String text) {
    String lower = Objects.requireNonNull(text, "the consistency is null").toLowerCase(Locale.ROOT);
    if (lower.equals("strict")) {
      return STRICT;
    }
    if (lower.equals("batched")) {
      return BATCHED;
    }
    String prefix = "bounded:";
    try {
      if (lower.startsWith(prefix)) {
        return bounded(Duration.ofMillis(Long.parseLong(lower.substring(prefix.length()))));
      }
    } catch (NumberFormatException e) {
      throw unknown(text, e);
    }
    throw unknown(text, null);
  }

  private static InvalidQueryException unknown(String text, Exception cause) {
    InvalidQueryException e =
        new InvalidQueryException(
            "consistency '" + text + "' is none of strict, batched and bounded:MILLISECONDS");
    e.initCause(cause);
    return e;
  }

  /** The level. */
  public Level level() {
    return level;
  }

  /** How old statistics may be when the query begins; zero except for {@link Level#BOUNDED}. */
  public Duration staleness() {
    return staleness;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Consistency other
        && level == other.level
        && staleness.equals(other.staleness);
  }

  @Override
  public int hashCode() {
    return Objects.hash(level, staleness);
  }

  @Override
  public String toString() {
    String name = level.name().toLowerCase(Locale.ROOT);
    return level == Level.BOUNDED ? name + ":" + staleness.toMillis() : name;
  }
}
