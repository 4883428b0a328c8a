package io.spyhop.server.index.global.repair;

import io.spyhop.core.io.Interruption;
import io.spyhop.core.io.IoRunnable;
import io.spyhop.core.io.IoSupplier;
import io.spyhop.core.protocol.EntryTicket;
import io.spyhop.core.schema.IndexDefinition;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * The deletions of entries of one open region's rows, begun and done. Thread-safe.
 *
 * <p>It counts how often some were deleted, for {@link EntryTicket}: at the beginning and at the
 * end, so that a ticket which is given in between does not count either. While an index is held no
 * entry of it goes: its cell may be on its way. Nor does one whose cell may be in the log alone
 * ({@link LoggedCells}). And once something was written that is not in the log, entries go only
 * whose cells are not stored: a server that is lost takes away what hides a cell, and leaves the
 * cell.
 */
public final class EntryDeletionGate {
  private static final long HOLD_WAIT_SECONDS = 30;

  private final long opening = ThreadLocalRandom.current().nextLong();
  private final AtomicLong count = new AtomicLong();
  private final ReadWriteLock gate = new ReentrantReadWriteLock();
  private final Set<Hold> holds = ConcurrentHashMap.newKeySet();
  private final LoggedCells logged = new LoggedCells();
  private volatile boolean unlogged;

  /** The claim of a caller that needs the entries of some indexes. */
  public final class Hold {
    private final Set<String> indexes;
    private final WeakReference<Object> reason;

    private Hold(Set<String> indexes, Object reason) {
      this.indexes = indexes;
      this.reason = new WeakReference<>(reason);
    }

    private boolean isOver() {
      return reason.refersTo(null);
    }

    /** Ends it. */
    public void release() {
      holds.remove(this);
    }
  }

  /**
   * When it returns, nobody deletes entries of these indexes, until the hold is released.
   *
   * @param indexes names
   * @param reason ends the hold as well, when nobody refers to it any more
   * @throws IOException if a removal that is under way does not end soon
   */
  public Hold hold(Collection<String> indexes, Object reason) throws IOException {
    Hold hold = new Hold(Set.copyOf(indexes), reason);
    holds.add(hold);
    boolean done = false;
    try {
      awaitLooks();
      done = true;
      return hold;
    } finally {
      if (!done) {
        hold.release();
      }
    }
  }

  private void awaitLooks() throws IOException {
    try {
      if (!gate.writeLock().tryLock(HOLD_WAIT_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException("a repair of the region has not ended, try again");
      }
      gate.writeLock().unlock();
    } catch (InterruptedException e) {
      throw Interruption.of("waiting for a repair", e);
    }
  }

  /** Whether an index is held. */
  boolean isHeld(IndexDefinition index) {
    holds.removeIf(Hold::isOver);
    return holds.stream().anyMatch(h -> h.indexes.contains(index.name()));
  }

  /** The cells that only the log may have. */
  LoggedCells logged() {
    return logged;
  }

  /** Something is about to be written that is not in the log; its row is locked. */
  public void unlogged() {
    unlogged = true;
  }

  /** Whether all entries whose cells are stored must stay; to be asked with their rows locked. */
  boolean keepsStored() {
    return unlogged;
  }

  /**
   * Runs what looks at entries and deletes some; {@link #hold} waits for its end.
   *
   * @throws RepairHeldException if the index is held: nothing was looked at
   */
  int look(IndexDefinition index, IoSupplier<Integer> look) throws IOException {
    gate.readLock().lock();
    try {
      if (isHeld(index)) {
        throw new RepairHeldException(
            "HFiles with cells of index '" + index.name() + "' are being loaded");
      }
      return look.get();
    } finally {
      gate.readLock().unlock();
    }
  }

  /** Runs a removal, the rows locked. */
  void during(IoRunnable removal) throws IOException {
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
