package io.spyhop.client.internal.exec;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.hbase.client.Result;

/**
 * One range's rows on their way to the reader: a source, a buffer that {@link CursorMemory} bounds,
 * and the task that moves rows from one to the other.
 *
 * <p>The task never waits for the reader. It runs until the buffer is full or the source ends, then
 * leaves its thread; the reader, having emptied the buffer, schedules it again. {@link State} says
 * who may touch the source: only the thread that moved the feed to {@code RUNNING}. The lock guards
 * everything else and is never held during a call to the source.
 */
final class RangeFeed implements Runnable {
  /** States of the source. */
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
    /**
     * Called once, by the thread that ended it, without locks held and before the reader knows.
     *
     * @param rows how many rows it had
     */
    void ended(long rows);
  }

  /** How long the reader waits for a thread of the pool before it does the work itself. */
  private static final long HELP_AFTER_MILLIS = 5;

  private final RowRange range;
  private final RowSource.Opener opener;
  private final ScanPool pool;
  private final CursorMemory memory;
  private final Listener listener;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private Queue<Result> buffer = new ArrayDeque<>();
  private long bufferedBytes;

  /** What the source may hold of rows that it was not asked for: the rest of a page. */
  private long pageBytes;

  /** The longest row so far. */
  private long longest;

  /** What the cursor's memory knows of. */
  private long counted;

  private State state = State.IDLE;
  private boolean cancelled;
  private long rows;
  private Throwable failure;
  private RowSource source;

  /**
   * Rows that leave the buffer.
   *
   * @param bytes what they take; from now on the taker holds it
   */
  record Batch(Queue<Result> rows, long bytes) {}

  RangeFeed(
      RowRange range,
      RowSource.Opener opener,
      ScanPool pool,
      CursorMemory memory,
      Listener listener) {
    this.range = range;
    this.opener = opener;
    this.pool = pool;
    this.memory = memory;
    this.listener = listener;
  }

  /** Lets a thread of the pool fill the buffer, if there is room and a thread can be had. */
  void schedule() {
    if (hasRoom(false) && moveFrom(State.IDLE, State.SCHEDULED) && !pool.offer(this)) {
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
      pump(false);
    }
  }

  /**
   * Moves rows; the caller has set the state to RUNNING.
   *
   * @param awaited whether the reader waits for them
   */
  private void pump(boolean awaited) {
    boolean exhausted = false;
    Throwable thrown = null;
    try {
      exhausted = fill(awaited);
    } catch (Throwable t) {
      thrown = t;
    }
    rest(exhausted, thrown);
  }

  private boolean fill(boolean awaited) throws IOException {
    boolean room = hasRoom(awaited);
    if (room && source == null) {
      source = open();
    }
    while (room) {
      Result row = source.next();
      if (row == null) {
        return true;
      }
      room = add(row, awaited);
    }
    return false;
  }

  private RowSource open() throws IOException {
    lock.lock();
    try {
      pageBytes = memory.pageBytes();
      count();
    } finally {
      lock.unlock();
    }
    return opener.open(range);
  }

  /** Tells what is held here. */
  private void count() {
    long now = bufferedBytes + pageBytes;
    memory.add(now - counted);
    counted = now;
  }

  /** A reader that waits for rows gets some, whatever is held. */
  private boolean hasRoom(boolean awaited) {
    lock.lock();
    try {
      boolean least =
          awaited && buffer.size() < memory.leastRows() && bufferedBytes < memory.pageBytes();
      return !cancelled && (least || hasRoomAhead());
    } finally {
      lock.unlock();
    }
  }

  private boolean hasRoomAhead() {
    return buffer.size() < memory.rows() && bufferedBytes < memory.feedBytes() && memory.hasRoom();
  }

  /** Buffers a row and says whether there is room for another. */
  private boolean add(Result row, boolean awaited) {
    long size = Result.getTotalSizeOfCells(row);
    lock.lock();
    try {
      if (!cancelled) {
        buffer.add(row);
        bufferedBytes += size;
        rows += row.mayHaveMoreCellsInRow() ? 0 : 1;
      }
      longest = Math.max(longest, size);
      pageBytes = Math.min(memory.pageBytes(), longest * memory.leastRows());
      count();
      changed.signalAll();
      return hasRoom(awaited);
    } finally {
      lock.unlock();
    }
  }

  /** Leaves the source, for now or for good. */
  private void rest(boolean exhausted, Throwable thrown) {
    long had;
    lock.lock();
    try {
      had = rows;
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
      listener.ended(had);
    } finally {
      end(thrown);
    }
  }

  private void end(Throwable thrown) {
    lock.lock();
    try {
      state = State.ENDED;
      failure = thrown;
      pageBytes = 0;
      count();
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
  Batch take() throws IOException {
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
        pump(true);
      }
    }
  }

  private Batch drain() {
    Batch batch = new Batch(buffer, bufferedBytes);
    buffer = new ArrayDeque<>();
    bufferedBytes = 0;
    count();
    return batch;
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
      bufferedBytes = 0;
      count();
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
