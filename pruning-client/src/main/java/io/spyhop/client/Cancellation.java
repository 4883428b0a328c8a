package io.spyhop.client;

import io.spyhop.client.internal.exec.RowStream;
import io.spyhop.client.internal.exec.ScanPool;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/**
 * Ends what the reader of a query waits for, when its time is up or another thread says so: the
 * reader is interrupted, again and again until it returns. Its flag of interruption is then clear.
 * Thread-safe; one thread reads.
 */
final class Cancellation {
  /** Reading that may be interrupted. */
  @FunctionalInterface
  interface Reading<T> {
    T read() throws IOException;
  }

  /** Something below may have taken an interruption for its own. */
  private static final Duration AGAIN = Duration.ofMillis(100);

  private final ScanPool pool;
  private final Optional<Duration> limit;

  /** Guarded by this: why the query is ended; null if it is not. */
  private String reason;

  /** Guarded by this: the thread that reads; null between rows. */
  private Thread reader;

  /** Guarded by this: whether that was interrupted. */
  private boolean interrupted;

  /** Guarded by this: interrupts later; null before the first reading. */
  private Future<?> timer;

  /** Guarded by this. */
  private boolean closed;

  /** Guarded by this: is told when the time is up. */
  private Consumer<QueryCancelledException> late = e -> {};

  /**
   * @param limit the time from the first reading until the query is ended
   */
  Cancellation(ScanPool pool, Optional<Duration> limit) {
    this.pool = pool;
    this.limit = limit;
  }

  /**
   * Reads something.
   *
   * @throws QueryCancelledException if the query was ended before, or meanwhile
   */
  <T> T read(Reading<T> reading) throws IOException {
    begin();
    try {
      T read = reading.read();
      if (end()) {
        throw cancelled(); // it may be less than there is
      }
      return read;
    } catch (IOException | RuntimeException | AssertionError e) {
      // HBase's client asserts what an interruption may make wrong.
      if (!end()) {
        throw e;
      }
      QueryCancelledException cancelled = cancelled();
      cancelled.initCause(e);
      throw cancelled;
    } finally {
      end();
    }
  }

  private synchronized void begin() throws QueryCancelledException {
    if (reason != null) {
      throw cancelled();
    }
    if (timer == null && limit.isPresent()) {
      String why = "it was not answered within " + limit.get().toMillis() + " ms";
      timer = pool.after(limit.get(), () -> timeIsUp(why));
    }
    reader = Thread.currentThread();
  }

  /** Whether the reader was interrupted; it is not any more. */
  private synchronized boolean end() {
    reader = null;
    boolean was = interrupted;
    if (was) {
      Thread.interrupted();
    }
    interrupted = false;
    return was;
  }

  private synchronized QueryCancelledException cancelled() {
    return new QueryCancelledException(reason);
  }

  /**
   * Has a listener told, once and by a thread of the pool, when the time has ended the query: while
   * nothing is read, nothing else notices. If it has ended already, the next reading notices.
   */
  synchronized void whenLate(Consumer<QueryCancelledException> told) {
    late = told;
  }

  private void timeIsUp(String why) {
    if (ends(why)) {
      Runnable telling = told();
      if (!pool.offer(telling)) {
        telling.run();
      }
    }
  }

  private synchronized Runnable told() {
    Consumer<QueryCancelledException> told = late;
    return () -> told.accept(cancelled());
  }

  /** Ends the query, unless it has ended; the first reason counts. */
  void cancel(String why) {
    ends(why);
  }

  private synchronized boolean ends(String why) {
    boolean now = !closed && reason == null;
    if (now) {
      reason = why;
      interrupt();
    }
    return now;
  }

  private synchronized void interrupt() {
    if (reader != null && !closed) {
      interrupted = true;
      reader.interrupt();
      endTimer();
      timer = pool.after(AGAIN, this::interrupt);
    }
  }

  private synchronized void endTimer() {
    if (timer != null) {
      timer.cancel(false);
    }
  }

  /**
   * The query ends, and what it read from is closed: by another thread if it was cancelled, as
   * servers that do not answer may be the reason. Harmless when repeated.
   */
  void close(RowStream rows) {
    boolean elsewhere;
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      elsewhere = reason != null;
      endTimer();
    }
    if (!elsewhere || !pool.offer(rows::close)) {
      rows.close();
    }
  }
}
