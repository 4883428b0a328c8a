package io.spyhop.server.index.stats;

import io.spyhop.core.stats.SourceSummary;
import io.spyhop.server.memory.MemoryBudget;
import java.util.TreeMap;

/**
 * The memory of all statistics of a server, and of their logs. What has no room is kept coarser,
 * and leaves out less. Thread-safe.
 *
 * @param budget the bytes that they may take together
 * @param refused told of each time that something had no room
 */
public record StatisticsMemory(MemoryBudget budget, Runnable refused) {
  private static final SourceSummary UNKNOWN = new SourceSummary(true, true, new TreeMap<>());

  /** Takes bytes; false if there is no room. */
  boolean take(long bytes) {
    boolean taken = budget.tryReserve(bytes);
    if (!taken) {
      refused.run();
    }
    return taken;
  }

  /** Gives bytes back. */
  void give(long bytes) {
    budget.release(bytes);
  }

  /**
   * A summary that is kept.
   *
   * @param summary as it was, with bounds alone, or of no column
   * @param bytes what it takes, to be given back
   */
  record Kept(SourceSummary summary, long bytes) {}

  /** Takes room for a summary, and for the union of which it is a part. */
  Kept keep(SourceSummary summary) {
    long whole = 2L * summary.heapSize();
    if (take(whole)) {
      return new Kept(summary, whole);
    }
    SourceSummary bounds = summary.bounds();
    long little = 2L * bounds.heapSize();
    return budget.tryReserve(little) ? new Kept(bounds, little) : new Kept(UNKNOWN, 0);
  }
}
