package io.spyhop.server.index.global.repair;

import java.util.TreeMap;

/** Up to when everything that was found in a region has been repaired. Thread-safe. */
final class RepairProgress {
  private final TreeMap<Long, Integer> outstanding = new TreeMap<>();
  private long upTo;

  synchronized void found(long at) {
    outstanding.merge(at, 1, Integer::sum);
  }

  /** What was found then has been repaired, or turned out to be nothing. */
  synchronized void done(long at) {
    outstanding.computeIfPresent(at, (t, n) -> n == 1 ? null : n - 1);
  }

  /**
   * Up to when; never goes back.
   *
   * @param now up to when everything that was found is known here
   */
  synchronized long upTo(long now) {
    long reached = outstanding.isEmpty() ? now : Math.min(now, outstanding.firstKey() - 1);
    upTo = Math.max(upTo, reached);
    return upTo;
  }
}
