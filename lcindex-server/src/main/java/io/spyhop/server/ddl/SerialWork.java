package io.spyhop.server.ddl;

import com.google.common.util.concurrent.ThreadFactoryBuilder;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thread that makes and drops index tables, one after the other. Whoever waits for it waits for
 * a bounded time: the work itself asks this master, whose threads must not all be waiting.
 * Thread-safe.
 */
final class SerialWork implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(SerialWork.class);
  private static final int MAX_WAITING = 1_000;
  private static final long IDLE_SECONDS = 60;

  private final ThreadPoolExecutor executor;

  /** What is done. */
  @FunctionalInterface
  interface Work {
    void run() throws IOException;
  }

  SerialWork() {
    executor =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(MAX_WAITING),
            new ThreadFactoryBuilder().setDaemon(true).setNameFormat("spyhop-ddl-%d").build());
    executor.allowCoreThreadTimeOut(true);
  }

  /**
   * Does work and waits for its end.
   *
   * @throws IOException what the work throws, or if it takes longer; it then goes on
   */
  void run(String what, Duration limit, Work work) throws IOException {
    Future<?> done = submit(what, work);
    try {
      done.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException io ? io : new IOException(what + ": " + e, e);
    } catch (TimeoutException e) {
      throw new IOException(
          what + " takes longer than " + limit.toSeconds() + " s; it goes on in the background", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (InterruptedIOException) new InterruptedIOException(what).initCause(e);
    }
  }

  /** Has work done some time; its failure is logged. */
  void later(String what, Work work) throws IOException {
    submit(what, () -> quietly(what, work));
  }

  private static void quietly(String what, Work work) {
    try {
      work.run();
    } catch (IOException | RuntimeException | Error e) {
      LOG.warn("{} failed", what, e);
    }
  }

  private Future<?> submit(String what, Work work) throws IOException {
    try {
      return executor.submit(
          () -> {
            work.run();
            return null;
          });
    } catch (RejectedExecutionException e) {
      throw new IOException(what + ": this master stops or has too much to do", e);
    }
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
