package io.spyhop.client.internal.global;

import com.google.common.base.Throwables;
import io.spyhop.client.internal.exec.ScanPool;
import io.spyhop.core.io.Interruption;
import io.spyhop.core.io.IoRunnable;
import io.spyhop.core.io.IoSupplier;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Calls that end in time: HBase's calls of coprocessors are repeated for as long as its connection
 * is configured to, which may be many minutes. Stateless.
 */
public final class Bounded {
  private Bounded() {}

  /** How long a call may go where a region was before that is forgotten. */
  private static final Duration HURRY = Duration.ofSeconds(1);

  /**
   * Calls in this thread, which is interrupted when the time is up.
   *
   * @param forget forgets where the regions were, when an answer takes long; HBase's client then
   *     looks them up before it tries again, which it may not for minutes of itself
   *     (docs/decisions/0007)
   * @throws IOException what the calls throw, or if the time is up
   */
  static <T> T call(ScanPool pool, Duration limit, IoSupplier<T> call, IoRunnable forget)
      throws IOException {
    Alarm alarm = new Alarm(pool, limit, forget);
    try {
      return call.get();
    } catch (IOException | RuntimeException e) {
      if (alarm.end()) {
        throw new IOException("no answer within " + limit.toMillis() + " ms", e);
      }
      if (isInterruption(e)) {
        Thread.currentThread().interrupt();
      }
      throw e;
    } finally {
      if (alarm.end()) {
        Thread.interrupted();
      }
    }
  }

  /** HBase's client throws when its thread is interrupted, and forgets that it is. */
  private static boolean isInterruption(Exception failure) {
    return Throwables.getCausalChain(failure).stream()
        .anyMatch(
            t ->
                t instanceof InterruptedException
                    || t instanceof InterruptedIOException
                        && !(t instanceof SocketTimeoutException));
  }

  /**
   * Calls in a thread of its own, which is interrupted when the time is up.
   *
   * @param forget as the other method has it
   * @throws IOException what the calls throw, or if the time is up
   */
  public static <T> T apart(Duration limit, IoSupplier<T> call, IoRunnable forget)
      throws IOException {
    FutureTask<T> task = new FutureTask<>(call::get);
    Thread thread = new Thread(task, "spyhop-apart");
    thread.setDaemon(true);
    thread.start();
    return await(task, limit, forget);
  }

  private static <T> T await(FutureTask<T> task, Duration limit, IoRunnable forget)
      throws IOException {
    try {
      Duration first = limit.compareTo(HURRY) < 0 ? limit : HURRY;
      if (!isDone(task, first)) {
        forget.run();
      }
      return task.get(limit.minus(first).toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw asIo(e.getCause());
    } catch (TimeoutException | CancellationException e) {
      throw new IOException("no answer within " + limit.toMillis() + " ms", e);
    } catch (InterruptedException e) {
      throw Interruption.of("interrupted while waiting for an index", e);
    } finally {
      task.cancel(true);
    }
  }

  private static boolean isDone(FutureTask<?> task, Duration within)
      throws ExecutionException, InterruptedException {
    try {
      task.get(within.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    }
  }

  private static IOException asIo(Throwable failure) {
    return failure instanceof IOException io ? io : new IOException(failure.toString(), failure);
  }

  /** Lets a call that does several things end when its time is up. */
  static void requireTime() throws InterruptedIOException {
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException("the time is up");
    }
  }

  /** Throws if it is the caller's thread that shall end, and not the call that failed. */
  public static void requireNotInterrupted(Exception failure) throws InterruptedIOException {
    if (Thread.currentThread().isInterrupted()) {
      throw (InterruptedIOException)
          new InterruptedIOException("interrupted while asking an index").initCause(failure);
    }
  }
}
