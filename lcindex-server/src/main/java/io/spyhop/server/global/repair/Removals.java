package io.spyhop.server.global.repair;

import io.spyhop.core.global.EntryTicket;
import java.io.IOException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts how often entries of one open region's rows were deleted, for {@link EntryTicket}: at the
 * beginning and at the end, so that a ticket which is given in between does not count either.
 * Thread-safe.
 */
public final class Removals {
  private final long opening = ThreadLocalRandom.current().nextLong();
  private final AtomicLong count = new AtomicLong();

  /** Deletes entries. */
  @FunctionalInterface
  interface Removal {
    void run() throws IOException;
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
