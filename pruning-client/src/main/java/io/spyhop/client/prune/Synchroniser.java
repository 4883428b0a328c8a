package io.spyhop.client.prune;

import io.spyhop.client.exec.RowRange;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Sends the requests for statistics of one table and client (partition pruning paper, sections 5.2
 * and 5.3). At most one request is under way and at most one waits to be sent; who needs statistics
 * joins the one that waits, and when it may be sent, one of those who wait for it sends it. So
 * queries share requests, nobody sends for queries that do not exist, and no thread is needed.
 *
 * <p>Rounds of requests are numbered in the order in which they are sent. A round proves writes
 * only for queries that began before it was <em>sent</em>: between a region's answer and the
 * answer's arrival a write can be acknowledged that the answer does not contain (correctness rule
 * 19). Therefore a query remembers {@link #lastSent} when it begins, and what it may rely on are
 * rounds with greater numbers; {@link #next} always joins such a one, never the one under way.
 *
 * <p>Thread-safe.
 */
public final class Synchroniser {
  /** One exchange with the regions. */
  @FunctionalInterface
  public interface Exchange {
    /**
     * Asks the regions of some ranges and records what they answer. A failure leaves regions
     * unknown and is not thrown.
     *
     * @param round the round's number
     */
    void run(List<RowRange> ranges, long round) throws InterruptedIOException;
  }

  private final Exchange exchange;
  private final long intervalNanos;
  private final LongSupplier nanoTime;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** Guarded by the lock: the round that is not yet sent, if there is one. */
  private Round waiting;

  /** Guarded by the lock: whether a round is sent and not yet answered. */
  private boolean underWay;

  /** Guarded by the lock: when the last round was sent. */
  private long lastSentAt;

  /** The number of the last round that was sent, of whatever table. */
  private final AtomicLong rounds;

  private static final class Round {
    private final List<RowRange> ranges = new ArrayList<>();
    private int queries;
    private long number;
    private long due;
    private boolean done;

    private Round(long due) {
      this.due = due;
    }
  }

  /**
   * @param interval the least time between two rounds that nobody needs earlier
   * @param rounds numbers the rounds of all synchronisers whose answers go to the same cache
   * @param nanoTime a clock in nanoseconds from any origin
   */
  public Synchroniser(
      Exchange exchange, Duration interval, AtomicLong rounds, LongSupplier nanoTime) {
    this.exchange = exchange;
    this.rounds = rounds;
    this.intervalNanos = interval.toNanos();
    this.nanoTime = nanoTime;
    this.lastSentAt = nanoTime.getAsLong() - intervalNanos;
  }

  /** A number that all rounds exceed which are sent from now on. */
  public long lastSent() {
    return rounds.get();
  }

  /** How many queries have joined the round that is not yet sent. */
  int waitingQueries() {
    lock.lock();
    try {
      return waiting == null ? 0 : waiting.queries;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until a round has been answered that was sent after this call began.
   *
   * @param ranges whose regions are asked, others' may be, too
   * @param atOnce whether the round is sent as soon as none is under way, or else not before the
   *     interval since the last one has passed
   * @throws InterruptedIOException if the thread was interrupted; somebody else sends the round
   */
  public void next(List<RowRange> ranges, boolean atOnce) throws InterruptedIOException {
    Round mine;
    lock.lock();
    try {
      mine = join(ranges, atOnce);
      if (!awaitTurn(mine)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (InterruptedIOException)
          new InterruptedIOException("interrupted while waiting for statistics").initCause(e);
    } finally {
      lock.unlock();
    }
    send(mine);
  }

  private Round join(List<RowRange> ranges, boolean atOnce) {
    long now = nanoTime.getAsLong();
    long due = atOnce ? now : lastSentAt + intervalNanos;
    if (waiting == null) {
      waiting = new Round(due);
    } else if (due - waiting.due < 0) {
      waiting.due = due;
      changed.signalAll();
    }
    waiting.ranges.addAll(ranges);
    waiting.queries++;
    return waiting;
  }

  /** Waits until the round is answered (false), or claims it for this thread (true). */
  private boolean awaitTurn(Round mine) throws InterruptedException {
    while (!mine.done) {
      long early = mine.due - nanoTime.getAsLong();
      if (mine != waiting || underWay) {
        changed.await();
      } else if (early > 0) {
        changed.await(early, TimeUnit.NANOSECONDS);
      } else {
        waiting = null;
        underWay = true;
        lastSentAt = nanoTime.getAsLong();
        mine.number = rounds.incrementAndGet();
        return true;
      }
    }
    return false;
  }

  private void send(Round mine) throws InterruptedIOException {
    try {
      exchange.run(List.copyOf(mine.ranges), mine.number);
    } finally {
      lock.lock();
      try {
        underWay = false;
        mine.done = true;
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }
}
