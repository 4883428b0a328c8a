package io.spyhop.server.global.repair;

import io.spyhop.core.global.EntryTicket;
import java.io.IOException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * What is known of deleting entries of one open region's rows. Thread-safe.
 *
 * <p>It counts how often some were deleted, for {@link EntryTicket}: at the beginning and at the
 * end, so that a ticket which is given in between does not count either. And while somebody holds
 * it, entries go only whose cells are not stored: what cannot be seen may be uncovered soon.
 */
public final class Removals {
  private final long opening = ThreadLocalRandom.current().nextLong();
  private final AtomicLong count = new AtomicLong();
  private final ReadWriteLock gate = new ReentrantReadWriteLock();
  private final AtomicInteger holds = new AtomicInteger();

  /** Deletes entries. */
  @FunctionalInterface
  interface Removal {
    void run() throws IOException;
  }

  /** Looks at entries and deletes some. */
  @FunctionalInterface
  interface Look {
    /**
     * @param held whether all whose cells are stored must stay
     * @return how many have no cell that counts
     */
    int run(boolean held) throws IOException;
  }

  /** When it returns, nobody deletes entries of stored cells, until {@link #release}. */
  public void hold() {
    holds.incrementAndGet();
    gate.writeLock().lock();
    gate.writeLock().unlock();
  }

  /** Ends one {@link #hold}. */
  public void release() {
    holds.decrementAndGet();
  }

  /** Runs what looks at entries and deletes some; {@link #hold} waits for its end. */
  int look(Look look) throws IOException {
    gate.readLock().lock();
    try {
      return look.run(holds.get() > 0);
    } finally {
      gate.readLock().unlock();
    }
  }

  /** Runs a removal, the rows locked. */
  void during(Removal removal) throws IOException {
    count.incrementAndGet();
    try {
      removal.run();
    } finally {
      count.incrementAndGet();
    }
  }

  /** A ticket that counts until the next removal. */
  public EntryTicket ticket(long incarnation) {
    return new EntryTicket(incarnation, opening, count.get());
  }

  /** Whether no entry has been deleted since a ticket was given; the row of the put is locked. */
  public boolean isGood(EntryTicket ticket) {
    return ticket.opening() == opening && ticket.removals() == count.get();
  }
}
