package io.spyhop.server.runtime;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;

/**
 * Warnings of failures that come again and again, and in many regions at once: for each cause and
 * subject the first one, and from then on one line a minute with how many came since. Thread-safe.
 */
public final class Complaints {
  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

  /** With more causes and subjects than this, all begin anew. */
  private static final int MOST = 1_000;

  private final LongSupplier nanos;
  private final Map<Key, Told> told = new HashMap<>();

  /**
   * @param cause the kind of it: messages differ from region to region
   */
  private record Key(String what, String effect, String subject, Class<?> cause) {}

  /** The last line of a failure, and how many came since; guarded by the complaints. */
  private static final class Told {
    private long at;
    private long since;

    Told(long at) {
      this.at = at;
    }
  }

  /**
   * @param nanos a clock that only goes forwards
   */
  public Complaints(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /**
   * Warns, now or later. There is a stack only of what no one has foreseen.
   *
   * @param what failed, as the beginning of a line
   * @param subject that it shares with others, such as a table
   * @param where it failed this time, such as in a region
   */
  public void warn(Logger log, String what, Object subject, Object where, Throwable why) {
    warn(log, what, "it is tried again", subject, where, why);
  }

  /**
   * The same of what is not tried again as such.
   *
   * @param effect what follows from it
   */
  public void warn(
      Logger log, String what, String effect, Object subject, Object where, Throwable why) {
    Throwable root = why;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    long since = due(new Key(what, effect, subject.toString(), root.getClass()));
    if (since < 0) {
      log.debug("{} of {} failed at {}", what, subject, where, why);
    } else if (why instanceof IOException) {
      log.warn(
          "{} of {} failed, {}; at {}: {} ({}); {} times since it was last said",
          what,
          subject,
          effect,
          where,
          firstLine(why),
          firstLine(root),
          since);
    } else {
      log.warn(
          "{} of {} failed, {}; at {}; {} times since it was last said",
          what,
          subject,
          effect,
          where,
          since,
          why);
    }
  }

  /** Messages of HBase's client go on with those of all tries. */
  private static String firstLine(Throwable why) {
    return why.toString().lines().findFirst().orElse("");
  }

  /** How many came since it was written last; -1 if it is too soon. */
  private synchronized long due(Key key) {
    long now = nanos.getAsLong();
    Told last = told.get(key);
    if (last == null) {
      if (told.size() >= MOST) {
        told.clear();
      }
      told.put(key, new Told(now));
      return 0;
    }
    if (now - last.at < MINUTE) {
      last.since++;
      return -1;
    }
    long since = last.since;
    last.at = now;
    last.since = 0;
    return since;
  }
}
