package io.spyhop.client.internal.admin;

import com.google.common.base.Throwables;
import io.spyhop.core.io.Interruption;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers an answer. When it is old, it is asked for again in another thread, and callers go on
 * with what is known: none waits twice for something that may be out of reach. For answers that may
 * be old without harm.
 *
 * <p>Of the threads that do wait for an answer one asks, and the others take its answer or its
 * failure, if it began to ask after they came. Thread-safe.
 */
public final class LastKnown<T> {
  private static final Logger LOG = LoggerFactory.getLogger(LastKnown.class);

  private final Source<T> source;
  private final long maxAgeNanos;
  private final LongSupplier nanoTime;
  private final Executor beside;
  private final AtomicBoolean asking = new AtomicBoolean();

  /** Held by who asks while others wait. */
  private final ReentrantLock turn = new ReentrantLock();

  /** The number of attempts that a caller waits for, or has waited. Written under the lock. */
  private volatile long begun;

  /** The last attempt. Guarded by the lock. */
  private Attempt<T> last;

  /** Null if nothing is. */
  private volatile Known<T> known;

  private volatile long lookAgainAt;

  /** When what was known was forgotten last, if it was. Guarded by this. */
  private long notBefore;

  private boolean isBounded;

  /** Gets the answer. */
  @FunctionalInterface
  public interface Source<T> {
    /**
     * The answer, never null.
     *
     * @param asker who asks
     * @param sending run each time before the question is sent to a server: the answer is as old as
     *     the last sending, or as the call if there is none
     */
    T ask(Asker asker, Runnable sending) throws IOException;
  }

  /** Kinds of callers, and what they ask for. */
  public enum Asker {
    /** A caller waits, and nothing is known. */
    FIRST,
    /** A caller waits, and what is known seems to lack something. */
    AGAIN,
    /** No caller waits, and what is known goes on being used meanwhile. */
    BESIDE
  }

  private record Known<T>(T answer, long askedAt) {}

  /**
   * The answer to one thread while others may have waited.
   *
   * @param answer null if it failed
   * @param failure null if it did not fail, or in a way that is the asker's alone
   */
  private record Attempt<T>(long number, boolean again, T answer, Exception failure) {
    boolean serves(long begunBefore, boolean askAgain) {
      return number > begunBefore && (again || !askAgain) && (answer != null || failure != null);
    }

    T result() throws IOException {
      if (failure != null) {
        Throwables.throwIfInstanceOf(failure, IOException.class);
        Throwables.throwIfUnchecked(failure);
      }
      return answer;
    }
  }

  /**
   * @param source whose answer is remembered
   * @param maxAge after which it is asked again
   * @param nanoTime a clock in nanoseconds from any origin
   * @param beside runs what nobody waits for; it may refuse
   */
  public LastKnown(Source<T> source, Duration maxAge, LongSupplier nanoTime, Executor beside) {
    this.source = source;
    this.maxAgeNanos = maxAge.toNanos();
    this.nanoTime = nanoTime;
    this.beside = beside;
  }

  /** What is known; the first thread that needs it asks, and others wait for it. */
  public T get() throws IOException {
    Known<T> now = known;
    if (now == null) {
      return await(false, Long.MAX_VALUE);
    }
    if (nanoTime.getAsLong() - lookAgainAt > 0 && asking.compareAndSet(false, true)) {
      refreshBeside();
    }
    return now.answer;
  }

  /** What is known if it is not old, and else a new answer, by a question as the first one's. */
  public T recent() throws IOException {
    Known<T> now = known;
    return isWithin(now, maxAgeNanos) ? now.answer : await(false, maxAgeNanos);
  }

  /**
   * What is known if it is not old, and else a new answer: for what must not go by an old one.
   * Where nothing is known nothing can be lacking, and the question is the first.
   */
  public T fresh() throws IOException {
    Known<T> now = known;
    return isWithin(now, maxAgeNanos) ? now.answer : await(now != null, maxAgeNanos);
  }

  /**
   * As {@link #get}, but a new answer, as by {@link #fresh}, if what is known is older than that.
   */
  public T within(Duration age) throws IOException {
    Known<T> now = known;
    return isWithin(now, age.toNanos()) ? get() : await(now != null, age.toNanos());
  }

  /** A new answer, as what is known seems to lack something. */
  public T refresh() throws IOException {
    return await(true, -1);
  }

  /** A new answer, by a question as the first one's. */
  public T anew() throws IOException {
    return await(false, -1);
  }

  /** What is known is to be asked for again by the caller that needs it next. */
  public void outdate() {
    lookAgainAt = nanoTime.getAsLong() - 1;
  }

  /** Nothing is known any more, nor will be by an answer to a question that was sent before. */
  public synchronized void forget() {
    notBefore = nanoTime.getAsLong();
    isBounded = true;
    known = null;
  }

  private boolean isWithin(Known<T> some, long ageNanos) {
    return some != null && nanoTime.getAsLong() - some.askedAt <= ageNanos;
  }

  /**
   * What is known if it is young enough when the turn comes, or what one is told who began to ask
   * after this call.
   *
   * @param ageNanos less than 0 if no age is young enough
   */
  private T await(boolean again, long ageNanos) throws IOException {
    long before = begun;
    lockTurn();
    try {
      if (last != null && last.serves(before, again)) {
        return last.result();
      }
      Known<T> now = known;
      return isWithin(now, ageNanos) ? now.answer : askForAll(again);
    } finally {
      turn.unlock();
    }
  }

  private void lockTurn() throws InterruptedIOException {
    try {
      turn.lockInterruptibly();
    } catch (InterruptedException e) {
      throw Interruption.of("interrupted while another thread asks", e);
    }
  }

  private T askForAll(boolean again) throws IOException {
    long number = begun + 1;
    begun = number;
    try {
      T answer = ask(again ? Asker.AGAIN : Asker.FIRST);
      last = new Attempt<>(number, again, answer, null);
      return answer;
    } catch (IOException | RuntimeException e) {
      last = new Attempt<>(number, again, null, isInterruption(e) ? null : e);
      throw e;
    }
  }

  /** Timeouts are InterruptedIOExceptions, too. */
  private static boolean isInterruption(Exception e) {
    return Thread.currentThread().isInterrupted()
        || (e instanceof InterruptedIOException && !(e instanceof SocketTimeoutException));
  }

  private void refreshBeside() {
    lookAgainAt = nanoTime.getAsLong() + maxAgeNanos;
    try {
      beside.execute(
          () -> {
            try {
              ask(Asker.BESIDE);
            } catch (IOException | RuntimeException e) {
              LOG.debug("What is known stays as it is", e);
            } finally {
              asking.set(false);
            }
          });
    } catch (RejectedExecutionException e) {
      LOG.debug("Nobody can ask now; what is known stays as it is", e);
      asking.set(false);
    }
  }

  private T ask(Asker asker) throws IOException {
    long[] askedAt = {nanoTime.getAsLong()};
    T answer = source.ask(asker, () -> askedAt[0] = nanoTime.getAsLong());
    synchronized (this) {
      boolean outdated = isBounded && askedAt[0] - notBefore < 0;
      if (!outdated && (known == null || askedAt[0] - known.askedAt >= 0)) {
        known = new Known<>(answer, askedAt[0]);
        lookAgainAt = askedAt[0] + maxAgeNanos;
      }
    }
    return answer;
  }
}
