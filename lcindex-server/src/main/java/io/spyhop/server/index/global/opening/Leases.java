package io.spyhop.server.index.global.opening;

import io.spyhop.core.protocol.BuiltLease;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hbase.thirdparty.com.google.common.util.concurrent.Uninterruptibles;

/**
 * Answers of one index table's first region that other servers may go on believing for a moment.
 * What takes rows out of them is not acknowledged before all of these have ended
 * (docs/decisions/0072). Thread-safe.
 */
public final class Leases {
  /** How long an answer may be believed, by the clock of the server that asked, since it did. */
  public static final Duration TERM = Duration.ofMillis(50);

  /** By how much clocks may differ in that time, and more. */
  private static final Duration MARGIN = Duration.ofMillis(10);

  private final WatchedMarks marks;
  private final LongSupplier nanos;
  private long until;
  private boolean ended;

  /**
   * @param nanos a clock that only goes forwards
   */
  public Leases(WatchedMarks marks, LongSupplier nanos) {
    this.marks = marks;
    this.nanos = nanos;
    this.until = nanos.getAsLong();
  }

  /**
   * What is built now. The lease is noted before that is looked at: what changes later waits for
   * its end, and what changed before is seen. Where nothing can be leased, as regions are in
   * motion, none is noted: who notes that they have come does not wait.
   *
   * @throws NotServingRegionException if the region closes
   */
  public BuiltLease grant() throws IOException {
    BuiltLease now = marks.leased(TERM);
    if (now.nanos() == 0) {
      return now;
    }
    note();
    return marks.leased(TERM);
  }

  private synchronized void note() throws NotServingRegionException {
    if (ended) {
      throw new NotServingRegionException("the first region of an index table closes");
    }
    long end = nanos.getAsLong() + TERM.plus(MARGIN).toNanos();
    until = end - until > 0 ? end : until;
  }

  /** Waits until nobody believes an answer that was given before. */
  public void await() {
    for (long left = left(); left > 0; left = left()) {
      Uninterruptibles.sleepUninterruptibly(left, TimeUnit.NANOSECONDS);
    }
  }

  private synchronized long left() {
    return until - nanos.getAsLong();
  }

  /** No more are granted; returns when there are none. */
  public void end() {
    synchronized (this) {
      ended = true;
    }
    await();
  }
}
