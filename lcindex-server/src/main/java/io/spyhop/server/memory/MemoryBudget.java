package io.spyhop.server.memory;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes that all queries of a server may hold together (correctness rule 7), or all logs of
 * writes. Thread-safe; never blocks: who gets nothing does without.
 */
public final class MemoryBudget {
  private final long limit;
  private final AtomicLong used = new AtomicLong();

  /** A budget of that many bytes. */
  public MemoryBudget(long limit) {
    this.limit = limit;
  }

  /** Takes bytes; false, and nothing taken, if they are not there. */
  public boolean tryReserve(long bytes) {
    if (used.addAndGet(bytes) <= limit) {
      return true;
    }
    used.addAndGet(-bytes);
    return false;
  }

  /** Gives bytes back. */
  public void release(long bytes) {
    used.addAndGet(-bytes);
  }

  /** Bytes taken now. */
  public long used() {
    return used.get();
  }
}
