package io.spyhop.server.index.view;

import java.util.concurrent.atomic.AtomicLong;

/** What all views of a server may take together. Thread-safe. */
final class ViewMemory {
  private final long bound;
  private final AtomicLong used = new AtomicLong();

  ViewMemory(long bound) {
    this.bound = bound;
  }

  /** Takes some, if there is as much. */
  boolean take(long bytes) {
    long now = used.addAndGet(bytes);
    if (now > bound) {
      used.addAndGet(-bytes);
      return false;
    }
    return true;
  }

  void give(long bytes) {
    used.addAndGet(-bytes);
  }

  long used() {
    return used.get();
  }

  long bound() {
    return bound;
  }

  /** How much could be taken now. */
  long room() {
    return Math.max(0, bound - used.get());
  }
}
