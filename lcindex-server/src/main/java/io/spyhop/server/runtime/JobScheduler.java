package io.spyhop.server.runtime;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the index jobs of a region server: a fixed number of threads and one more for jobs that wait
 * for other servers, a bounded backlog. A job is ready when every job that it comes after has
 * ended; of the ready ones the earliest due is started first. Thread-safe.
 */
public final class JobScheduler implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(JobScheduler.class);
  private static final int STOP_SECONDS = 10;

  private final int bound;
  private final LongSupplier clock;
  private final Consumer<Job> ended;
  private final ExecutorService threads;
  private final Set<Job> blocked = new HashSet<>();
  private final PriorityQueue<Job> ready = queue();
  private final PriorityQueue<Job> readyRemote = queue();
  private int running;
  private boolean closed;

  /**
   * @param bound jobs that may wait; more are refused
   * @param clock milliseconds
   * @param ended told of every job that was started, after it has ended
   */
  public JobScheduler(
      int threads, int bound, ThreadFactory factory, LongSupplier clock, Consumer<Job> ended) {
    this.bound = bound;
    this.clock = clock;
    this.ended = ended;
    this.threads = Executors.newFixedThreadPool(threads + 1, factory);
    for (int i = 0; i < threads; i++) {
      this.threads.execute(() -> work(ready));
    }
    this.threads.execute(() -> work(readyRemote));
  }

  private static PriorityQueue<Job> queue() {
    return new PriorityQueue<>(Comparator.comparingLong(Job::dueAt));
  }

  private PriorityQueue<Job> queueOf(Job job) {
    return job.kind() == JobKind.REMOTE ? readyRemote : ready;
  }

  /**
   * Queues jobs that belong together, all or none.
   *
   * @return false if the backlog is full or the scheduler is closed
   */
  public synchronized boolean submit(List<Job> jobs) {
    if (closed || waiting() >= bound) {
      return false;
    }
    for (Job j : jobs) {
      j.queued(clock.getAsLong());
      if (isReady(j)) {
        queueOf(j).add(j);
      } else {
        blocked.add(j);
      }
    }
    notifyAll();
    return true;
  }

  private static boolean isReady(Job job) {
    return job.after().stream().allMatch(j -> j.state().isEnded());
  }

  private void work(PriorityQueue<Job> queue) {
    for (Job job = take(queue); job != null; job = take(queue)) {
      try {
        job.run(clock.getAsLong());
        job.endedAt(clock.getAsLong());
        ended.accept(job);
      } catch (Throwable e) {
        LOG.error("Noting the end of {} failed", job, e);
      } finally {
        release();
      }
    }
  }

  /** The next job, or null when the scheduler is closed. */
  private synchronized Job take(PriorityQueue<Job> queue) {
    try {
      while (queue.isEmpty() && !closed) {
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
    if (closed) {
      return null;
    }
    running++;
    return queue.poll();
  }

  private synchronized void release() {
    running--;
    List<Job> freed = new ArrayList<>();
    for (Job j : blocked) {
      if (isReady(j)) {
        freed.add(j);
      }
    }
    blocked.removeAll(freed);
    freed.forEach(j -> queueOf(j).add(j));
    notifyAll();
  }

  /** Jobs that wait, for a thread or for other jobs. */
  public synchronized int waiting() {
    return blocked.size() + ready.size() + readyRemote.size();
  }

  /** Jobs that run. */
  synchronized int running() {
    return running;
  }

  /** Cancels what waits, interrupts what runs, and waits a little for it. */
  @Override
  public void close() {
    List<Job> dropped = new ArrayList<>();
    synchronized (this) {
      closed = true;
      dropped.addAll(blocked);
      dropped.addAll(ready);
      dropped.addAll(readyRemote);
      blocked.clear();
      ready.clear();
      readyRemote.clear();
      notifyAll();
    }
    dropped.forEach(j -> j.cancel(clock.getAsLong()));
    threads.shutdownNow();
    try {
      threads.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
