package io.spyhop.server.runtime;

import io.spyhop.core.protocol.JobRecord;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hbase.thirdparty.com.google.common.util.concurrent.ThreadFactoryBuilder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The background work of a region server: a ticker that has everything compared that is kept in
 * step with something ({@link Upkeep}), and the jobs that the comparisons start. It knows no kind
 * of index. Thread-safe.
 */
public final class ServerRuntime implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ServerRuntime.class);
  private static final int JOB_LOG = 10_000;

  /** As many as wait at a time: definitions, views, sweeps, and regions that open. */
  private static final int SIDE_THREADS = 4;

  private final RegionServerServices server;
  private final Settings settings;
  private final LongSupplier clock;
  private final Consumer<Job> ended;
  private final Runnable failed;
  private final JobScheduler jobs;
  private final JobLog log = new JobLog(JOB_LOG);
  private final ScheduledExecutorService ticker;
  private final ExecutorService side;
  private final Turns<Upkeep> kept = new Turns<>(Object::hashCode);
  private final Map<Upkeep, Boolean> soon = new ConcurrentHashMap<>();
  private final Complaints complaints = new Complaints(System::nanoTime);
  private volatile boolean stopping;

  /**
   * @param clock milliseconds
   * @param ended told of every job that has ended
   * @param failed told of every comparison that failed
   */
  public ServerRuntime(
      RegionServerServices server,
      Settings settings,
      LongSupplier clock,
      Consumer<Job> ended,
      Runnable failed) {
    this.server = server;
    this.settings = settings;
    this.clock = clock;
    this.ended = ended;
    this.failed = failed;
    this.jobs =
        new JobScheduler(
            settings.jobThreads(), settings.jobQueue(), threads("job"), clock, this::ended);
    this.ticker = Executors.newSingleThreadScheduledExecutor(threads("tick"));
    this.side = Executors.newFixedThreadPool(SIDE_THREADS, threads("side"));
  }

  /** Makes threads that have the server's port and a name. */
  public ThreadFactory threads(String name) {
    return new ThreadFactoryBuilder()
        .setNameFormat(server.getServerName().getPort() + "-spyhop-" + name + "-%d")
        .setDaemon(true)
        .build();
  }

  /** Begins to compare. */
  public void start() {
    long millis = settings.reconcileMillis();
    schedule(millis, () -> guarded(() -> kept.next(this::reconcile)));
  }

  /**
   * Has something done now and then, off the thread that compares: it may wait for a disk or
   * another server. What is not done yet when its time comes again is not begun anew.
   */
  public void every(long millis, Runnable work) {
    AtomicBoolean busy = new AtomicBoolean();
    schedule(
        millis,
        () -> {
          if (busy.compareAndSet(false, true)) {
            aside(
                () -> {
                  try {
                    work.run();
                  } finally {
                    busy.set(false);
                  }
                });
          }
        });
  }

  @SuppressWarnings("FutureReturnValueIgnored") // What fails is told where it happens.
  private void schedule(long millis, Runnable work) {
    ticker.scheduleWithFixedDelay(work, millis, millis, TimeUnit.MILLISECONDS);
  }

  /** Does something that may wait for a disk or another server, soon. */
  public void aside(Runnable work) {
    try {
      side.execute(() -> guarded(work));
    } catch (RejectedExecutionException e) {
      LOG.debug("{} is not done: the server stops", work);
    }
  }

  /** A periodic task that throws would never run again. */
  private void guarded(Runnable work) {
    try {
      work.run();
    } catch (Throwable e) {
      complaints.warn(LOG, "Periodic work", "it goes on with the next turn", "Spyhop", work, e);
    }
  }

  /** Has something compared from now on, and soon for the first time. */
  public void keep(Upkeep upkeep) {
    kept.add(upkeep);
    soon(upkeep);
  }

  /** Has something compared no more. */
  public void forget(Upkeep upkeep) {
    kept.remove(upkeep);
  }

  /** Compares soon, off the calling thread; calls that come before it does are joined. */
  public void soon(Upkeep upkeep) {
    if (soon.putIfAbsent(upkeep, true) == null) {
      try {
        ticker.execute(
            () -> {
              soon.remove(upkeep);
              guarded(() -> reconcile(upkeep));
            });
      } catch (RejectedExecutionException e) {
        LOG.debug("{} is not looked at: the server stops", upkeep);
      }
    }
  }

  private void reconcile(Upkeep upkeep) {
    boolean atRest = false;
    try {
      atRest = upkeep.reconcile();
    } catch (IOException | RuntimeException e) {
      failed.run();
      complaints.warn(LOG, "Bringing up to date what is kept", upkeep.table(), upkeep, e);
    }
    kept.rest(upkeep, atRest);
  }

  /** Queues jobs that belong together; false if the backlog is full or the server stops. */
  public boolean submit(List<Job> made) {
    return !stopping && jobs.submit(made);
  }

  private void ended(Job job) {
    log.add(job);
    ended.accept(job);
  }

  /** The jobs that ended last. */
  public List<JobRecord> endedJobs() {
    return log.records();
  }

  /** Jobs that wait. */
  public int waiting() {
    return jobs.waiting();
  }

  /** A pacer for one job. */
  public Pacer newPacer() {
    return new Pacer(
        () -> server.getRpcServer().getScheduler().getGeneralQueueLength() > 0, System::nanoTime);
  }

  /** Tells of what fails again and again. */
  public Complaints complaints() {
    return complaints;
  }

  /** Milliseconds. */
  public LongSupplier clock() {
    return clock;
  }

  public Settings settings() {
    return settings;
  }

  /** Whether the server stops: jobs need not go on. */
  public boolean isStopping() {
    return stopping;
  }

  /** The server's name, {@code host,port,startcode}. */
  public String serverName() {
    return server.getServerName().getServerName();
  }

  @Override
  public void close() {
    stopping = true;
    ticker.shutdownNow();
    side.shutdownNow();
    jobs.close();
  }
}
