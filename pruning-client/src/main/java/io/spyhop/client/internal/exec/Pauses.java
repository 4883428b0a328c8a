package io.spyhop.client.internal.exec;

import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;

/** Pauses while regions are on their way. Stateless. */
public final class Pauses {
  private static final long FIRST_MS = 20;
  private static final int MOST_DOUBLINGS = 6;

  private Pauses() {}

  /**
   * Waits, twice as long each time.
   *
   * @param times how often a part was asked in vain, 1 or more
   * @throws InterruptedIOException if the thread is interrupted; its flag stays set
   */
  public static void growing(int times) throws InterruptedIOException {
    try {
      TimeUnit.MILLISECONDS.sleep(FIRST_MS << Math.min(times, MOST_DOUBLINGS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (InterruptedIOException)
          new InterruptedIOException("interrupted while regions were on their way").initCause(e);
    }
  }
}
