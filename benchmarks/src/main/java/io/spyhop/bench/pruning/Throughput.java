package io.spyhop.bench.pruning;

import io.spyhop.bench.Latency;
import io.spyhop.bench.Numbers;
import io.spyhop.bench.Parallel;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Asks queries with several threads, each the next one when it has an answer. */
final class Throughput implements Closeable {
  private final ExecutorService pool = Executors.newFixedThreadPool(Settings.CLIENTS);

  /** Asks one query, the how-manieth it is. */
  @FunctionalInterface
  interface Asking {
    void ask(int number) throws IOException;
  }

  /**
   * The result of a measurement.
   *
   * @param queries how many were answered
   * @param perSecond the sum of the threads' rates, each until its last answer
   * @param seconds how long the slowest thread took
   */
  record Turn(long queries, double perSecond, double seconds) {}

  /**
   * Asks for a time; queries that have begun are finished.
   *
   * @param latencies is told how long each took
   */
  Turn run(Duration time, Asking asking, Latency latencies) throws IOException {
    AtomicInteger number = new AtomicInteger();
    long start = System.nanoTime();
    long end = start + time.toNanos();
    Callable<Turn> thread =
        () -> {
          long queries = 0;
          while (System.nanoTime() < end) {
            long asked = System.nanoTime();
            asking.ask(number.getAndIncrement());
            latencies.since(asked);
            queries++;
          }
          double seconds = Numbers.secondsSince(start);
          return new Turn(queries, queries / seconds, seconds);
        };
    List<Callable<Turn>> threads = new ArrayList<>();
    for (int i = 0; i < Settings.CLIENTS; i++) {
      threads.add(thread);
    }
    return Parallel.all(pool, threads).stream().reduce(new Turn(0, 0, 0), Throughput::plus);
  }

  private static Turn plus(Turn a, Turn b) {
    return new Turn(
        a.queries() + b.queries(),
        a.perSecond() + b.perSecond(),
        Math.max(a.seconds(), b.seconds()));
  }

  @Override
  public void close() {
    pool.shutdownNow();
  }
}
