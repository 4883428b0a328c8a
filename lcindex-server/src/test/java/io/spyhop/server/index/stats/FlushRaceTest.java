package io.spyhop.server.index.stats;

import static io.spyhop.core.predicate.Predicates.column;
import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.prune.ScanState;
import io.spyhop.core.stats.RegionSummary;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.junit.jupiter.api.Test;

/**
 * Acknowledged writes are in every answer to a later request, while flushes and compactions move
 * cells about. Statistics that were dropped before the new HFile's are published, or a write that
 * is recorded in what a flush drops, show here (rule 21).
 */
class FlushRaceTest {
  private static final int WRITERS = 4;
  private static final long NANOS = TimeUnit.SECONDS.toNanos(5);

  @Test
  void everyAnswerHoldsEveryAcknowledgedWrite() throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    ExecutorService pool = Executors.newFixedThreadPool(WRITERS + 1);
    try (StatisticsTable t = new StatisticsTable(TestCluster.get(), f -> f, o -> o)) {
      HRegion region = t.region();
      List<Future<Integer>> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        int number = i;
        Callable<Integer> writer = () -> write(t, region, number, over);
        writers.add(pool.submit(writer));
      }
      Future<Integer> flusher = pool.submit(() -> flush(region, over));
      long end = System.nanoTime() + NANOS;
      for (Future<Integer> w : writers) {
        w.get(Math.max(1, end - System.nanoTime()) + NANOS * 10, TimeUnit.NANOSECONDS);
      }
      over.set(true);
      assertThat(flusher.get()).isPositive();
    } finally {
      over.set(true);
      pool.shutdownNow();
    }
  }

  private static int flush(HRegion region, AtomicBoolean over) throws IOException {
    int flushes = 0;
    while (!over.get()) {
      region.flush(true);
      if (++flushes % 5 == 0) {
        region.compact(true);
      }
    }
    return flushes;
  }

  /** Values of its own, and a summary that is brought up to date as a client does it. */
  private static int write(StatisticsTable t, HRegion region, int number, AtomicBoolean over)
      throws IOException {
    RegionSummary summary = t.summary();
    long end = System.nanoTime() + NANOS;
    int writes = 0;
    for (long value = number; System.nanoTime() < end && !over.get(); value += WRITERS) {
      long mine = ThreadLocalRandom.current().nextInt(1_000_000) * 8L + number;
      region.put(StatisticsTable.put("w" + number, "a", mine));
      var answer = t.ask("r", StatisticsTable.since(summary));
      summary = StatisticsTable.after(summary, answer);
      ScanState state = t.decide(column("a").eq(mine), summary).state();
      assertThat(state).as("after write %s of value %s", value, mine).isNotEqualTo(ScanState.NR);
      writes++;
    }
    return writes;
  }
}
