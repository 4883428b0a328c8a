package io.spyhop.client.internal.exec;

import com.google.common.util.concurrent.ThreadFactoryBuilder;
import io.spyhop.core.trace.Work;
import java.io.Closeable;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads that scan for a client, and the memory that they may fill. Bounded in threads and in
 * waiting tasks; the threads are daemons and end when there is nothing to do. Thread-safe.
 */
public final class ScanPool implements Closeable {
  private static final int MIN_THREADS = 4;
  private static final int MAX_WAITING = 4096;
  private static final long IDLE_SECONDS = 60;
  private static final Logger LOG = LoggerFactory.getLogger(ScanPool.class);

  private final ThreadPoolExecutor executor;
  private final ScheduledThreadPoolExecutor timer;
  private final ReadAhead readAhead;

  /** A pool of that many threads, in which that many tasks may wait, with the usual memory. */
  public ScanPool(int threads, int maxWaiting) {
    this(threads, maxWaiting, ReadAhead.of(new Configuration(false), threads));
  }

  ScanPool(int threads, int maxWaiting, ReadAhead readAhead) {
    this.readAhead = readAhead;
    executor =
        new ThreadPoolExecutor(
            threads,
            threads,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(maxWaiting),
            threads("spyhop-scan-%d"));
    executor.allowCoreThreadTimeOut(true);
    timer = new ScheduledThreadPoolExecutor(1, threads("spyhop-timer-%d"));
    timer.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    timer.allowCoreThreadTimeOut(true);
    timer.setRemoveOnCancelPolicy(true);
  }

  private static ThreadFactory threads(String names) {
    return new ThreadFactoryBuilder().setDaemon(true).setNameFormat(names).build();
  }

  /** A pool for this machine: twice as many threads as processors, at least four. */
  public static ScanPool forThisMachine(Configuration conf) {
    int threads = Math.max(MIN_THREADS, 2 * Runtime.getRuntime().availableProcessors());
    return new ScanPool(threads, MAX_WAITING, ReadAhead.of(conf, threads));
  }

  /** What the scans may hold. */
  public ReadAhead readAhead() {
    return readAhead;
  }

  /** How many tasks run at once. */
  public int threads() {
    return executor.getMaximumPoolSize();
  }

  /**
   * Runs a task soon.
   *
   * @return false if too many tasks wait or the pool is closed: then the caller does the work
   *     itself when it needs the result
   */
  public boolean offer(Runnable task) {
    try {
      executor.execute(Work.inAnyThread(task));
      return true;
    } catch (RejectedExecutionException e) {
      LOG.debug("The scan pool takes no task now: {}", executor, e);
      return false;
    }
  }

  /**
   * Runs a task after a time, in a thread for which others wait; also if the pool is closed: what
   * was open then is still read, in its time.
   */
  public Future<?> after(Duration time, Runnable task) {
    return timer.schedule(task, time.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Whether {@link #close} was called. */
  public boolean isClosed() {
    return executor.isShutdown();
  }

  /** Takes no more tasks; those that run or wait are finished, and then the threads end. */
  @Override
  public void close() {
    executor.shutdown();
    timer.setKeepAliveTime(1, TimeUnit.SECONDS);
  }
}
