package io.spyhop.client.internal.exec;

import com.google.common.util.concurrent.ThreadFactoryBuilder;
import java.io.Closeable;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A few daemon threads for what no query waits for and what may hang, as a server that is asked may
 * be gone: apart from the threads that scan, which it must not use up. Bounded; thread-safe.
 */
public final class BackgroundExecutor implements Executor, Closeable {
  private static final int THREADS = 4;
  private static final int MAX_WAITING = 1024;
  private static final long IDLE_SECONDS = 60;

  private final ThreadPoolExecutor executor;

  /** Threads start when they are needed. */
  public BackgroundExecutor() {
    executor =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(MAX_WAITING),
            new ThreadFactoryBuilder().setDaemon(true).setNameFormat("spyhop-beside-%d").build());
    executor.allowCoreThreadTimeOut(true);
  }

  /**
   * Runs a task when a thread is free.
   *
   * @throws java.util.concurrent.RejectedExecutionException if too many tasks wait, or after close
   */
  @Override
  public void execute(Runnable task) {
    executor.execute(task);
  }

  /** Ends what runs or waits. */
  @Override
  public void close() {
    executor.shutdownNow();
  }
}
