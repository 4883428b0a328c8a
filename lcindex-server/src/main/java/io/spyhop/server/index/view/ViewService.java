package io.spyhop.server.index.view;

import io.spyhop.server.metrics.ServerMetrics;
import io.spyhop.server.runtime.Job;
import io.spyhop.server.runtime.Pacer;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;

/** The common means of all sorted views of a server. Thread-safe. */
public final class ViewService {
  /** Bytes that all views of the server may take. */
  public static final String MEMORY = "spyhop.view.memory";

  /** Keys of a segment. */
  public static final String INTERVAL = "spyhop.view.interval";

  private static final int DEFAULT_INTERVAL = 32;

  /** A view takes about a fiftieth of what it is of, and saves reading that. */
  private static final int HEAP_SHARE = 20;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final ViewMemory memory;
  private final int interval;
  private final ServerMetrics metrics;
  private final Predicate<List<Job>> jobs;
  private final Supplier<Pacer> pacers;
  private final LongSupplier clock;
  private final Set<StoreView> stores = ConcurrentHashMap.newKeySet();

  /**
   * @param jobs queues jobs; false if it cannot
   * @param pacers makes what slows a job down while requests wait
   * @param clock milliseconds
   */
  public ViewService(
      Configuration conf,
      ServerMetrics metrics,
      Predicate<List<Job>> jobs,
      Supplier<Pacer> pacers,
      LongSupplier clock) {
    this.memory =
        new ViewMemory(conf.getLong(MEMORY, Runtime.getRuntime().maxMemory() / HEAP_SHARE));
    this.interval = conf.getInt(INTERVAL, DEFAULT_INTERVAL);
    this.metrics = metrics;
    this.jobs = jobs;
    this.pacers = pacers;
    this.clock = clock;
    metrics.observeViews(memory::used);
  }

  ViewMemory memory() {
    return memory;
  }

  int interval() {
    return interval;
  }

  ServerMetrics metrics() {
    return metrics;
  }

  LongSupplier clock() {
    return clock;
  }

  Pacer newPacer() {
    return pacers.get();
  }

  /** CPU time of this thread so far. */
  static long cpuMicros() {
    return TimeUnit.NANOSECONDS.toMicros(THREADS.getCurrentThreadCpuTime());
  }

  boolean submit(Job job) {
    return jobs.test(List.of(job));
  }

  void add(StoreView store) {
    stores.add(store);
  }

  void remove(StoreView store) {
    stores.remove(store);
  }

  /** Compares all stores with their views; called every now and then, by one thread at a time. */
  public void reconcile() {
    stores.forEach(StoreView::reconcile);
  }
}
