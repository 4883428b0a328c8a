package io.spyhop.bench.mdrq;

import io.spyhop.bench.Parallel;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Several clients ask the same query again and again. The sides take turns, A B C and C B A; a turn
 * ends when its time is over and every query that has begun by then is answered.
 *
 * @param clients threads that ask
 * @param length of a turn, at least
 */
record ClientsTrial(int clients, Duration length) implements Timing {
  private static final int TURNS = 2;

  @Override
  public List<Cost> costs(int rows, List<Side> sides) throws IOException {
    List<Stopwatch> watches = new ArrayList<>();
    sides.forEach(side -> watches.add(new Stopwatch(rows, side)));
    List<Stopwatch> order = new ArrayList<>(watches);
    ExecutorService pool = Executors.newFixedThreadPool(clients);
    try {
      for (int i = 0; i < TURNS; i++) {
        for (Stopwatch watch : order) {
          watch.turn(() -> ask(watch, pool));
        }
        Collections.reverse(order);
      }
    } finally {
      pool.shutdownNow();
    }
    return watches.stream().map(Stopwatch::cost).toList();
  }

  private void ask(Stopwatch watch, ExecutorService pool) throws IOException {
    long end = System.nanoTime() + length.toNanos();
    Callable<Void> client =
        () -> {
          do {
            watch.ask();
          } while (System.nanoTime() < end);
          return null;
        };
    Parallel.all(pool, Collections.nCopies(clients, client));
  }
}
