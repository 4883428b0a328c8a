package io.spyhop.server.index.global;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Work that many ask for and that is done for all of them: one run waits at most, however often it
 * is asked for, and begins after everybody's time has come. Thread-safe.
 */
final class Coalesced {
  private static final Logger LOG = LoggerFactory.getLogger(Coalesced.class);

  private final ScheduledExecutorService by;
  private final Runnable work;
  private final int atOnce;
  private boolean owed;
  private boolean waits;
  private int running;

  /** When the last one who asked wants a run to begin, by {@link System#nanoTime}. */
  private long wanted;

  /**
   * @param work must not throw
   * @param atOnce how many runs there may be at the same time
   */
  Coalesced(ScheduledExecutorService by, Runnable work, int atOnce) {
    this.by = by;
    this.work = work;
    this.atOnce = atOnce;
  }

  /**
   * Has a run begin, at the earliest after some milliseconds. It may wait for a later run that was
   * asked for before.
   */
  synchronized void soon(long millis) {
    long at = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    wanted = owed && wanted - at > 0 ? wanted : at;
    owed = true;
    begin();
  }

  @SuppressWarnings("FutureReturnValueIgnored") // What fails is told where it happens.
  private void begin() {
    if (!owed || waits || running >= atOnce) {
      return;
    }
    try {
      by.schedule(this::run, Math.max(0, wanted - System.nanoTime()), TimeUnit.NANOSECONDS);
      waits = true;
    } catch (RejectedExecutionException e) {
      LOG.debug("Nothing is built or looked at any more: the server stops", e);
    }
  }

  private void run() {
    begun();
    try {
      work.run();
    } finally {
      ended();
    }
  }

  private synchronized void begun() {
    waits = false;
    running++;
    owed = wanted - System.nanoTime() > 0;
    begin();
  }

  private synchronized void ended() {
    running--;
    begin();
  }
}
