package io.spyhop.server.bucket;

import io.spyhop.core.protocol.RebalanceClaim;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;

/**
 * Who rebalances which table: one at a time. A claim is made anew before each bucket moves; one
 * that is not for {@link #LEASE} is forgotten, as its holder has died. In the memory of a master:
 * the next one takes the first that claims. Thread-safe.
 */
public final class RebalanceClaims {
  /** How long a claim holds: longer than it takes to move one bucket. */
  static final Duration LEASE = Duration.ofMinutes(3);

  /** More rebalances at once are no cluster's. */
  static final int MOST = 1_000;

  private final Clock clock;
  private final Map<TableName, Held> held = new HashMap<>();

  private record Held(UUID holder, String user, Instant since, Instant until) {}

  /** None is held at first. */
  public RebalanceClaims(Clock clock) {
    this.clock = clock;
  }

  /**
   * Takes a table for who asks, or keeps it for him.
   *
   * @param user who that is, for others
   * @throws DoNotRetryIOException if somebody else has it, or if too many are held
   */
  public synchronized void claim(RebalanceClaim asked, String user) throws DoNotRetryIOException {
    Instant now = clock.instant();
    held.values().removeIf(h -> !now.isBefore(h.until));
    Held before = held.get(asked.table());
    if (before != null && !before.holder.equals(asked.holder())) {
      throw taken(asked.table(), before, now);
    }
    if (before == null && held.size() >= MOST) {
      throw new DoNotRetryIOException(
          "table '" + asked.table() + "': " + MOST + " tables are being rebalanced; try later");
    }
    Instant since = before == null ? now : before.since;
    held.put(asked.table(), new Held(asked.holder(), user, since, now.plus(LEASE)));
  }

  private static DoNotRetryIOException taken(TableName table, Held by, Instant now) {
    return new DoNotRetryIOException(
        "table '"
            + table
            + "' is being rebalanced, by user '"
            + by.user
            + "' since "
            + by.since.truncatedTo(ChronoUnit.SECONDS)
            + ", and one rebalance of a table runs at a time: wait until it has ended; if whoever"
            + " runs it has died, it is forgotten in "
            + (Duration.between(now, by.until).toSeconds() + 1)
            + " s");
  }

  /** Gives a table back, if who asks has it. */
  public synchronized void end(RebalanceClaim asked) {
    held.computeIfPresent(asked.table(), (table, h) -> h.holder.equals(asked.holder()) ? null : h);
  }
}
