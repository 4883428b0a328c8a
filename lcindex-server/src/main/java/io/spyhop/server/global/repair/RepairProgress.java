package io.spyhop.server.global.repair;

import java.util.TreeMap;

/** Up to when everything that was found in a region has been repaired. Thread-safe. */
final class RepairProgress {
  private final TreeMap<Long, Integer> outstanding = new TreeMap<>();
  private long finished;
  private long upTo;

  synchronized void found(long at) {
    outstanding.merge(at, 1, Integer::sum);
  }

  /** What was found then turned out to be nothing. */
  synchronized void discarded(long at) {
    outstanding.computeIfPresent(at, (t, n) -> n == 1 ? null : n - 1);
  }

  synchronized void repaired(long at) {
    discarded(at);
    finished = Math.max(finished, at);
    long reached =
        outstanding.isEmpty() ? finished : Math.min(finished, outstanding.firstKey() - 1);
    upTo = Math.max(upTo, reached);
  }

  synchronized long upTo() {
    return upTo;
  }
}
