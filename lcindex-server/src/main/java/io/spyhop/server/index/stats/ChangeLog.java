package io.spyhop.server.index.stats;

import io.spyhop.core.stats.SummaryChange;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The statistics log of one region (paper, section 5.2): what writes changed since the epoch began,
 * as far back as its bound and the server's memory allow. Its monitor is the lock under which
 * statistics change. Thread-safe.
 */
final class ChangeLog {
  private final int bound;
  private final StatisticsMemory memory;
  private final Deque<SummaryChange> changes = new ArrayDeque<>();
  private long bytes;
  private long epoch;
  private long version;

  /**
   * @param bound how many bytes of changes are kept
   * @param memory for changes, and for what they change
   */
  ChangeLog(int bound, StatisticsMemory memory) {
    this.bound = bound;
    this.memory = memory;
    newEpoch();
  }

  StatisticsMemory memory() {
    return memory;
  }

  /** Makes a change, which is in the log before the write that makes it is seen by anyone. */
  synchronized void append(SummaryChange change, Runnable effect) {
    effect.run();
    version++;
    int size = change.heapSize();
    while (!changes.isEmpty() && bytes + size > bound) {
      drop(changes.remove().heapSize());
    }
    if (memory.take(size)) {
      changes.add(change);
      bytes += size;
    } else {
      clear();
    }
  }

  private void drop(long dropped) {
    bytes -= dropped;
    memory.give(dropped);
  }

  /** Keeps no change: who asks is told everything. */
  synchronized void clear() {
    changes.clear();
    drop(bytes);
  }

  /** What was said before no longer holds. */
  synchronized void newEpoch() {
    clear();
    version = 0;
    do {
      epoch = ThreadLocalRandom.current().nextLong();
    } while (epoch == 0);
  }

  synchronized long epoch() {
    return epoch;
  }

  synchronized long version() {
    return version;
  }

  /** The changes after a version; empty if they do not reach back to it. */
  synchronized Optional<List<SummaryChange>> since(long from) {
    long missing = version - from;
    if (from < 0 || missing < 0 || missing > changes.size()) {
      return Optional.empty();
    }
    List<SummaryChange> some = new ArrayList<>((int) missing);
    Iterator<SummaryChange> newestFirst = changes.descendingIterator();
    for (long i = 0; i < missing; i++) {
      some.add(newestFirst.next());
    }
    Collections.reverse(some);
    return Optional.of(some);
  }
}
