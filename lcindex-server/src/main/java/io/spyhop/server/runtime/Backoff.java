package io.spyhop.server.runtime;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * The delays of failed work: 1 s, then twice as long each time, up to a minute. Thread-safe; the
 * clock gives milliseconds.
 */
public final class Backoff {
  private static final long FIRST = 1_000;
  private static final long LONGEST = 60_000;

  private record Failure(int count, long retryAt, String message) {}

  private final Map<String, Failure> failures = new ConcurrentHashMap<>();
  private final LongSupplier clock;

  public Backoff(LongSupplier clock) {
    this.clock = clock;
  }

  public boolean mayTry(String work) {
    Failure f = failures.get(work);
    return f == null || clock.getAsLong() >= f.retryAt;
  }

  public void failed(String work, String message) {
    failures.compute(
        work,
        (w, f) -> {
          int count = f == null ? 1 : f.count + 1;
          long wait = Math.min(LONGEST, FIRST << Math.min(count - 1, 6));
          return new Failure(count, clock.getAsLong() + wait, message);
        });
  }

  public void succeeded(String work) {
    failures.remove(work);
  }

  /** Forgets work that is no longer wanted. */
  public void retainOnly(java.util.Set<String> wanted) {
    failures.keySet().retainAll(wanted);
  }

  /** A failure not yet followed by a success, or empty. */
  public String lastError() {
    return failures.values().stream()
        .max(java.util.Comparator.comparingLong(Failure::retryAt))
        .map(f -> f.message + " (failed " + f.count + " times, is retried)")
        .orElse("");
  }
}
