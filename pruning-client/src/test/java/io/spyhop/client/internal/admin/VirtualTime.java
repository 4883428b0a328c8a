package io.spyhop.client.internal.admin;

import java.time.Duration;

/** Time that passes only when a thread sleeps. */
public final class VirtualTime {
  private long nanos;

  /** A poll in this time. */
  public Poll poll() {
    return new Poll(this::nanos, this::pass);
  }

  /** The time now. */
  public long nanos() {
    return nanos;
  }

  /** Lets time pass. */
  public void pass(Duration time) {
    nanos += time.toNanos();
  }
}
