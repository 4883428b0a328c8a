package io.spyhop.bench;

import io.spyhop.core.io.IoSupplier;
import java.io.IOException;
import java.time.Duration;
import org.apache.hadoop.hbase.exceptions.TimeoutIOException;

/** Waits for what comes of itself, and looks for it again and again. Stateless. */
public final class Await {
  private static final Duration LIMIT = Duration.ofMinutes(10);

  private Await() {}

  /**
   * Returns when a condition has held several times on end.
   *
   * @param what happens meanwhile
   * @param step the time between two looks
   * @param looks that are needed
   * @return the {@code System.nanoTime()} since which it has held
   * @throws IOException if that takes longer than ten minutes
   */
  public static long until(String what, Duration step, int looks, IoSupplier<Boolean> condition)
      throws IOException {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    long since = System.nanoTime();
    int held = 0;
    while (true) {
      if (condition.get()) {
        held++;
      } else {
        held = 0;
        since = System.nanoTime();
      }
      if (held == looks) {
        return since;
      }
      if (System.nanoTime() > deadline) {
        throw new TimeoutIOException("after " + LIMIT + " it is still so that " + what);
      }
      Pause.of(step, what);
    }
  }
}
