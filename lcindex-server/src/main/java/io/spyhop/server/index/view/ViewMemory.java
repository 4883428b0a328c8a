package io.spyhop.server.index.view;

import java.util.concurrent.atomic.AtomicLong;

/** The memory that all views of a server may take together. Thread-safe. */
final class ViewMemory {
  private final long bound;
  private final AtomicLong used = new AtomicLong();

  ViewMemory(long bound) {
    this.bound = bound;
  }

  /** Takes some in place of what was taken before, if there is as much; or changes nothing. */
  boolean replace(long before, long bytes) {
    long now = used.addAndGet(bytes - before);
    if (bytes > before && now > bound) {
      used.addAndGet(before - bytes);
      return false;
    }
    return true;
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
