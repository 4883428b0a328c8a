package io.spyhop.client.internal.global;

import io.spyhop.client.internal.exec.ScanPool;
import io.spyhop.core.io.IoRunnable;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Interrupts the thread that made it when a time is up, unless it was ended before. Another thread
 * rings it; the one that made it ends it.
 */
final class Alarm {
  /** How long a call may go where a region was before that is forgotten. */
  private static final Duration HURRY = Duration.ofSeconds(1);

  private static final Logger LOG = LoggerFactory.getLogger(Alarm.class);

  private final Thread thread = Thread.currentThread();
  private final ScanPool pool;
  private Future<?> next;
  private boolean rung;
  private boolean ended;

  /**
   * @param forget runs once, when a second has passed
   */
  Alarm(ScanPool pool, Duration limit, IoRunnable forget) {
    this.pool = pool;
    Duration first = limit.compareTo(HURRY) < 0 ? limit : HURRY;
    next = pool.after(first, () -> hurry(limit.minus(first), forget));
  }

  private void hurry(Duration left, IoRunnable forget) {
    if (goesOn(left)) {
      try {
        forget.run();
      } catch (IOException | RuntimeException e) {
        LOG.debug("Regions are not forgotten", e);
      }
    }
  }

  private synchronized boolean goesOn(Duration left) {
    if (!ended) {
      next = pool.after(left, this::ring);
    }
    return !ended;
  }

  private synchronized void ring() {
    if (!ended) {
      rung = true;
      thread.interrupt();
    }
  }

  /**
   * Ends it: the thread is not interrupted any more.
   *
   * @return whether it was
   */
  synchronized boolean end() {
    ended = true;
    next.cancel(false);
    return rung;
  }
}
