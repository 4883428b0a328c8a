package io.spyhop.server.job;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Runs index jobs in background: a fixed number of threads and a bounded queue. What does not fit
 * is refused and comes again with the next reconciliation. Thread-safe.
 */
final class JobRunner implements AutoCloseable {
  private static final int STOP_SECONDS = 10;

  private final ThreadPoolExecutor pool;

  JobRunner(int threads, int queue, ThreadFactory factory) {
    pool =
        new ThreadPoolExecutor(
            threads, threads, 60, TimeUnit.SECONDS, new ArrayBlockingQueue<>(queue), factory);
    pool.allowCoreThreadTimeOut(true);
  }

  /** Queues a job; false if the queue is full or the runner is stopping. */
  boolean submit(Runnable job) {
    try {
      pool.execute(job);
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  int queued() {
    return pool.getQueue().size();
  }

  @Override
  public void close() {
    pool.shutdownNow();
    try {
      pool.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
