package io.spyhop.server.index.stats;

import io.spyhop.core.protocol.DigestAnswer;
import io.spyhop.core.protocol.DigestRequest;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The states of one table's regions on this server, and since when they are. Each answer looks at
 * every region as if it were asked itself, so that whatever changes a region's answer changes this
 * one, and writes need not tell. Thread-safe.
 */
final class TableDigest {
  private final Map<RegionStatistics, Seen> regions = new IdentityHashMap<>();
  private long life = newLife();
  private long version;

  /** A region as it was seen last. */
  private static final class Seen {
    private final long name;
    private long state;
    private long since;

    private Seen(long name) {
      this.name = name;
    }
  }

  private static long newLife() {
    long life = DigestRequest.NOTHING;
    while (life == DigestRequest.NOTHING) {
      life = ThreadLocalRandom.current().nextLong();
    }
    return life;
  }

  /** A region has opened. */
  synchronized void add(RegionStatistics region) {
    regions.put(region, new Seen(DigestAnswer.region(region.name())));
  }

  /** A region has closed: what was said of it does not hold any more. */
  synchronized void remove(RegionStatistics region) {
    if (regions.remove(region) != null) {
      life = newLife();
    }
  }

  /** Whether there is no region. */
  synchronized boolean isEmpty() {
    return regions.isEmpty();
  }

  /** What has changed since what a client has. */
  synchronized DigestAnswer answer(DigestRequest request) {
    if (regions.keySet().removeIf(RegionStatistics::isGone)) {
      life = newLife();
    }
    regions.forEach(this::look);
    boolean all = request.life() != life || request.version() > version;
    Seen[] told =
        regions.values().stream()
            .filter(r -> all || r.since > request.version())
            .toArray(Seen[]::new);
    return new DigestAnswer(
        life,
        version,
        all,
        Arrays.stream(told).mapToLong(r -> r.name).toArray(),
        Arrays.stream(told).mapToLong(r -> r.state).toArray());
  }

  private void look(RegionStatistics region, Seen seen) {
    long state = region.digest();
    if (seen.since == 0 || state != seen.state) {
      seen.state = state;
      version++;
      seen.since = version;
    }
  }
}
