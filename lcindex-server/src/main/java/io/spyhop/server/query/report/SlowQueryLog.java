package io.spyhop.server.query.report;

import io.spyhop.core.protocol.SlowQuery;
import io.spyhop.server.access.Audience;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;

/**
 * The slow queries of a server that ended last, up to a number, each with those who may be told of
 * it. Thread-safe.
 */
public final class SlowQueryLog {
  private final int capacity;
  private final Deque<Kept> kept = new ArrayDeque<>();

  private record Kept(SlowQuery query, Audience audience) {}

  /**
   * An empty log.
   *
   * @param capacity how many it keeps; the oldest go
   */
  public SlowQueryLog(int capacity) {
    this.capacity = capacity;
  }

  synchronized void add(SlowQuery query, Audience audience) {
    if (kept.size() == capacity) {
      kept.removeFirst();
    }
    kept.addLast(new Kept(query, audience));
  }

  /** Those that may be told, the oldest first. */
  public synchronized List<SlowQuery> told(Predicate<Audience> to) {
    List<SlowQuery> told = new ArrayList<>();
    for (Kept k : kept) {
      if (to.test(k.audience)) {
        told.add(k.query);
      }
    }
    return told;
  }
}
