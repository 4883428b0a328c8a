package io.spyhop.client.global;

import io.spyhop.client.exec.ScanPool;
import java.io.IOException;
import java.io.InterruptedIOException;
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

  /** What is called. */
  @FunctionalInterface
  public interface Call<T> {
    /** What it gives. */
    T call() throws IOException;
  }

  /**
   * Calls in a thread of the pool, which is interrupted when the time is up.
   *
   * @throws IOException what the call throws, or if the time is up or no thread can be had
   */
  static <T> T call(ScanPool pool, Duration limit, Call<T> call) throws IOException {
    FutureTask<T> task = new FutureTask<>(call::call);
    if (!pool.offer(task)) {
      throw new IOException("the client has too much to do");
    }
    return await(task, limit);
  }

  /**
   * Calls in a thread of its own, which is interrupted when the time is up.
   *
   * @throws IOException what the call throws, or if the time is up
   */
  public static <T> T apart(Duration limit, Call<T> call) throws IOException {
    FutureTask<T> task = new FutureTask<>(call::call);
    Thread thread = new Thread(task, "spyhop-apart");
    thread.setDaemon(true);
    thread.start();
    return await(task, limit);
  }

  private static <T> T await(FutureTask<T> task, Duration limit) throws IOException {
    try {
      return task.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw asIo(e.getCause());
    } catch (TimeoutException | CancellationException e) {
      throw new IOException("no answer within " + limit.toMillis() + " ms", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (InterruptedIOException)
          new InterruptedIOException("interrupted while waiting for an index").initCause(e);
    } finally {
      task.cancel(true);
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
