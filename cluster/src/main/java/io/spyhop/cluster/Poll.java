package io.spyhop.cluster;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;

/** Waits for conditions. Stateless. */
final class Poll {
  private static final Duration STEP = Duration.ofMillis(50);

  private Poll() {}

  /** Something that becomes true in time. */
  @FunctionalInterface
  interface Condition {
    /**
     * Whether it is.
     *
     * @throws IOException if it never will be
     */
    boolean isMet() throws IOException;
  }

  /**
   * Returns when a condition is met.
   *
   * @param what is waited for, as in "waited 60 s for ..."
   * @throws IOException if it takes longer than the limit, or as the condition throws it
   */
  static void until(String what, Duration limit, Condition condition) throws IOException {
    if (!isMetWithin(limit, condition)) {
      throw new IOException("waited " + limit.toSeconds() + " s in vain for " + what);
    }
  }

  /** Whether a condition is met within a time; returns as soon as it is. */
  static boolean isMetWithin(Duration limit, Condition condition) throws IOException {
    long deadline = System.nanoTime() + limit.toNanos();
    while (!condition.isMet()) {
      if (System.nanoTime() > deadline) {
        return false;
      }
      pause();
    }
    return true;
  }

  private static void pause() throws InterruptedIOException {
    try {
      Thread.sleep(STEP.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException io = new InterruptedIOException("interrupted while waiting");
      io.initCause(e);
      throw io;
    }
  }
}
