package io.spyhop.server.runtime;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Lets foreground work go first: while requests wait for a handler, background work pauses for as
 * long as it has worked since the last pause, so that it takes half of a core at the most and still
 * gets on. Used by one thread.
 */
public final class Pacer {
  private static final long LONGEST = TimeUnit.MILLISECONDS.toNanos(50);

  private final BooleanSupplier isBusy;
  private final LongSupplier nanos;
  private long since;

  /**
   * @param isBusy whether requests wait
   */
  public Pacer(BooleanSupplier isBusy, LongSupplier nanos) {
    this.isBusy = isBusy;
    this.nanos = nanos;
    this.since = nanos.getAsLong();
  }

  /** Called now and then by the work. */
  public void pace() {
    long now = nanos.getAsLong();
    if (isBusy.getAsBoolean()) {
      LockSupport.parkNanos(this, Math.min(LONGEST, now - since));
    }
    since = nanos.getAsLong();
  }
}
