package io.spyhop.client.exec;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.hbase.client.Result;

/**
 * One range's rows on their way to the reader: a source, a bounded buffer, and the task that moves
 * rows from one to the other.
 *
 * <p>The task never waits for the reader. It runs until the buffer is full or the source ends, then
 * leaves its thread; the reader, having emptied the buffer, schedules it again. {@link State} says
 * who may touch the source: only the thread that moved the feed to {@code RUNNING}. The lock guards
 * everything else and is never held during a call to the source.
 */
final class RangeFeed implements Runnable {
  /** What is going on with the source. */
  private enum State {
    /** Nobody reads it. */
    IDLE,
    /** A task for it waits in the pool. */
    SCHEDULED,
    /** A thread reads it. */
    RUNNING,
    /** It is closed, or is never opened. */
    ENDED
  }

  /** Learns that a feed's source has ended, by itself, by failure or by being cancelled. */
  interface Listener {
    /** Called once, by the thread that ended it, without locks held and before the reader knows. */
    void ended();
  }

  /** How long the reader waits for a thread of the pool before it does the work itself. */
  private static final long HELP_AFTER_MILLIS = 5;

  private final RowRange range;
  private final RowSource.Opener opener;
  private final ScanPool pool;
  private final Limits limits;
  private final Listener listener;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private Queue<Result> buffer = new ArrayDeque<>();
  private long bufferedBytes;
  private State state = State.IDLE;
  private boolean cancelled;
  private Throwable failure;
  private RowSource source;

  /**
   * How much a feed may be ahead of the reader.
   *
   * @param rows rows in the buffer
   * @param bytes bytes of cells in the buffer, exceeded by at most one row
   */
  record Limits(int rows, long bytes) {}

  RangeFeed(
      RowRange range, RowSource.Opener opener, ScanPool pool, Limits limits, Listener listener) {
    this.range = range;
    this.opener = opener;
    this.pool = pool;
    this.limits = limits;
    this.listener = listener;
  }

  /** Lets a thread of the pool fill the buffer, if one can be had. */
  void schedule() {
    if (moveFrom(State.IDLE, State.SCHEDULED) && !pool.offer(this)) {
      moveFrom(State.SCHEDULED, State.IDLE);
    }
  }

  private boolean moveFrom(State from, State to) {
    lock.lock();
    try {
      if (state != from) {
        return false;
      }
      state = to;
      changed.signalAll();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** The pool's way to the source. */
  @Override
  public void run() {
    if (moveFrom(State.SCHEDULED, State.RUNNING)) {
      pump();
    }
  }

  /** Moves rows; the caller has set the state to RUNNING. */
  private void pump() {
    boolean exhausted = false;
    Throwable thrown = null;
    try {
      exhausted = fill();
    } catch (Throwable t) {
      thrown = t;
    }
    rest(exhausted, thrown);
  }

  private boolean fill() throws IOException {
    if (source == null) {
      source = opener.open(range);
    }
    boolean room = hasRoom();
    while (room) {
      Result row = source.next();
      if (row == null) {
        return true;
      }
      room = add(row);
    }
    return false;
  }

  private boolean hasRoom() {
    lock.lock();
    try {
      return !cancelled && buffer.size() < limits.rows() && bufferedBytes < limits.bytes();
    } finally {
      lock.unlock();
    }
  }

  /** Buffers a row and says whether there is room for another. */
  private boolean add(Result row) {
    long size = Result.getTotalSizeOfCells(row);
    lock.lock();
    try {
      buffer.add(row);
      bufferedBytes += size;
      changed.signalAll();
      return hasRoom();
    } finally {
      lock.unlock();
    }
  }

  /** Leaves the source, for now or for good. */
  private void rest(boolean exhausted, Throwable thrown) {
    lock.lock();
    try {
      if (!exhausted && thrown == null && !cancelled) {
        state = State.IDLE;
        changed.signalAll();
        return;
      }
    } finally {
      lock.unlock();
    }
    try {
      Sources.close(source, range);
      listener.ended();
    } finally {
      end(thrown);
    }
  }

  private void end(Throwable thrown) {
    lock.lock();
    try {
      state = State.ENDED;
      failure = thrown;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * All buffered rows; waits until there are some, and where no thread of the pool is free, reads
   * them in this thread. Called by the reader only.
   *
   * @return null if there are no more
   */
  Queue<Result> take() throws IOException {
    while (true) {
      boolean help;
      lock.lock();
      try {
        if (!buffer.isEmpty()) {
          return drain();
        }
        if (state == State.ENDED) {
          throwFailure();
          return null;
        }
        help = awaitChange();
      } finally {
        lock.unlock();
      }
      if (help) {
        pump();
      }
    }
  }

  private Queue<Result> drain() {
    Queue<Result> rows = buffer;
    buffer = new ArrayDeque<>();
    bufferedBytes = 0;
    return rows;
  }

  private void throwFailure() throws IOException {
    if (failure instanceof IOException e) {
      throw e;
    }
    if (failure != null) {
      throw new IOException("the scan of rows " + range + " failed: " + failure, failure);
    }
  }

  /** Waits for news, or claims the source for this thread: then it answers true. */
  @SuppressWarnings("WaitNotInLoop") // The loop is in take().
  private boolean awaitChange() throws InterruptedIOException {
    try {
      boolean woken = true;
      if (state == State.SCHEDULED) {
        woken = changed.await(HELP_AFTER_MILLIS, TimeUnit.MILLISECONDS);
      } else if (state == State.RUNNING) {
        changed.await();
      }
      if (state == State.IDLE || (state == State.SCHEDULED && !woken)) {
        state = State.RUNNING;
        return true;
      }
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (InterruptedIOException)
          new InterruptedIOException("interrupted while waiting for rows " + range).initCause(e);
    }
  }

  /**
   * Stops reading and closes the source: at once, or if a thread is reading, as soon as that thread
   * has the row it waits for. The thread is not interrupted: a scan whose opening is interrupted
   * would stay open on its server until its lease ends.
   */
  void cancel() {
    lock.lock();
    try {
      cancelled = true;
      buffer.clear();
      if (state == State.RUNNING || state == State.ENDED) {
        return;
      }
      state = State.RUNNING;
    } finally {
      lock.unlock();
    }
    rest(false, null);
  }
}
