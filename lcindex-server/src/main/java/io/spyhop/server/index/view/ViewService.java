package io.spyhop.server.index.view;

import io.spyhop.server.metrics.ServerMetrics;
import io.spyhop.server.runtime.Complaints;
import io.spyhop.server.runtime.Job;
import io.spyhop.server.runtime.Pacer;
import io.spyhop.server.runtime.Turns;
import io.spyhop.server.view.store.RecentBlocks;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** The common means of all sorted views of a server. Thread-safe. */
public final class ViewService {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final ViewMemory memory;
  private final RecentBlocks recent;
  private final int interval;
  private final ServerMetrics metrics;
  private final Predicate<List<Job>> jobs;
  private final Supplier<Pacer> pacers;
  private final LongSupplier clock;
  private final Complaints complaints;
  private final Turns<StoreView> stores = new Turns<>(Object::hashCode);

  /**
   * @param memory bytes that all views of the server may take
   * @param recent the blocks that scans of the server have just read
   * @param interval keys of a segment
   * @param jobs queues jobs; false if it cannot
   * @param pacers makes what slows a job down while requests wait
   * @param clock milliseconds
   * @param complaints of the whole server
   */
  public ViewService(
      long memory,
      RecentBlocks recent,
      int interval,
      ServerMetrics metrics,
      Predicate<List<Job>> jobs,
      Supplier<Pacer> pacers,
      LongSupplier clock,
      Complaints complaints) {
    this.memory = new ViewMemory(memory);
    this.recent = recent;
    this.interval = interval;
    this.metrics = metrics;
    this.jobs = jobs;
    this.pacers = pacers;
    this.clock = clock;
    this.complaints = complaints;
    metrics.observeViews(this.memory::used);
  }

  ViewMemory memory() {
    return memory;
  }

  RecentBlocks recent() {
    return recent;
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

  Complaints complaints() {
    return complaints;
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

  /** A store has something to do, perhaps. */
  void wake(StoreView store) {
    stores.rest(store, false);
  }

  /**
   * Compares stores with their views, those at rest seldom; called every now and then, by one
   * thread at a time.
   */
  public void reconcile() {
    stores.next(this::reconcile);
  }

  /** What is told after the comparison began wakes it in vain if it is only then put to rest. */
  private void reconcile(StoreView store) {
    stores.rest(store, store.reconcile());
    if (store.isChanged()) {
      stores.rest(store, false);
    }
  }
}
