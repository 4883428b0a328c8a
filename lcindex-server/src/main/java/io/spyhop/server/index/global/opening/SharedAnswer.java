package io.spyhop.server.index.global.opening;

import io.spyhop.core.io.Interruption;
import io.spyhop.core.io.IoSupplier;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * One answer for all that ask at the same time. Looking for it begins after they have asked, so
 * that each is told of now, and as many looks are made as can follow each other. After a failure
 * nobody looks for a while. Thread-safe.
 *
 * @param <T> the answer
 */
public final class SharedAnswer<T> {
  private final Lock looking = new ReentrantLock();
  private final Duration patience;
  private final Duration silence;
  private final LongSupplier nanos;
  private volatile Failure failure;

  /** A look that failed, and until when no other one is made. */
  private record Failure(IOException why, long until) {}

  /** Guarded by the lock. */
  private T last;

  /** When looking for it began. Guarded by the lock. */
  private long begun;

  /**
   * @param patience how long a caller waits for another one's look: it holds a handler
   * @param silence how long nobody looks after a look has failed
   * @param nanos a clock that only goes forwards
   */
  public SharedAnswer(Duration patience, Duration silence, LongSupplier nanos) {
    this.patience = patience;
    this.silence = silence;
    this.nanos = nanos;
  }

  /**
   * Looks, or takes what another caller's look has found that began meanwhile.
   *
   * @throws IOException if the look fails, or another one's takes too long
   */
  public T get(IoSupplier<T> look) throws IOException {
    long asked = nanos.getAsLong();
    requireNoFailure();
    if (!hasTurn()) {
      throw new IOException("the same is being asked, and not known yet");
    }
    try {
      if (last == null || begun - asked <= 0) {
        requireNoFailure();
        long now = nanos.getAsLong();
        last = found(look);
        begun = now;
      }
      return last;
    } finally {
      looking.unlock();
    }
  }

  private void requireNoFailure() throws IOException {
    Failure before = failure;
    if (before != null && nanos.getAsLong() - before.until < 0) {
      throw new IOException("it could not be told a moment ago: " + before.why, before.why);
    }
  }

  private T found(IoSupplier<T> look) throws IOException {
    try {
      return look.get();
    } catch (IOException e) {
      failure = new Failure(e, nanos.getAsLong() + silence.toNanos());
      throw e;
    }
  }

  private boolean hasTurn() throws IOException {
    try {
      return looking.tryLock(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw Interruption.of("interrupted while another one asks", e);
    }
  }
}
