package io.spyhop.server.index.local;

import io.spyhop.server.memory.MemoryBudget;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** The rows that HFiles of a region have in common, by HFile. Thread-safe. */
public final class RegionPairs {
  /** A region counts as asked for so long. */
  private static final long ASKED_MILLIS = TimeUnit.MINUTES.toMillis(10);

  private final MemoryBudget memory;
  private final LongSupplier clock;
  private final Map<String, SharedRows> files = new ConcurrentHashMap<>();
  private volatile long lastAsked = Long.MIN_VALUE / 2;
  private volatile boolean closed;

  /**
   * @param memory for all pairs of the server
   * @param clock milliseconds
   */
  public RegionPairs(MemoryBudget memory, LongSupplier clock) {
    this.memory = memory;
    this.clock = clock;
  }

  MemoryBudget memory() {
    return memory;
  }

  /** Those of an HFile. */
  public SharedRows of(String hfile) {
    SharedRows rows = files.computeIfAbsent(hfile, h -> new SharedRows(this));
    if (closed) {
      rows.forget();
    }
    return rows;
  }

  /** A query reads rows by them, if there are several HFiles. */
  void asked() {
    lastAsked = clock.getAsLong();
  }

  /** Whether queries have read rows by them lately, so that work for the next one is worthwhile. */
  public boolean areAsked() {
    return clock.getAsLong() - lastAsked < ASKED_MILLIS;
  }

  /** Forgets those of other HFiles. */
  void retainOnly(Set<String> hfiles) {
    files.forEach(
        (hfile, rows) -> {
          if (!hfiles.contains(hfile) && files.remove(hfile, rows)) {
            rows.forget();
          }
        });
  }

  /** Forgets all, for good. */
  void close() {
    closed = true;
    retainOnly(Set.of());
  }
}
