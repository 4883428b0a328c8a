package io.spyhop.bench.pruning;

import io.spyhop.bench.Numbers;
import io.spyhop.bench.Pause;
import io.spyhop.bench.Row;
import io.spyhop.client.Consistency;
import io.spyhop.client.IndexedTable;
import io.spyhop.client.Query;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Measures for how long queries that begin after a write was acknowledged do not see it: a row of
 * the table of {@link SyncTrial} gets a value that none has, which is asked for until it is found.
 * Not thread-safe.
 */
final class Freshness {
  private static final int REPETITIONS = 10;
  private static final Duration STEP = Duration.ofMillis(1);
  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final double NANOS_PER_MILLI = 1e6;

  private final SyncTrial table;
  private int value = SyncTrial.VALUES;

  Freshness(SyncTrial table) {
    this.table = table;
  }

  /**
   * The median of some times, and whether all writes were seen as the level promises.
   *
   * @param indexed the table, of the client that asks
   */
  Row measure(IndexedTable indexed, Consistency level) throws IOException {
    List<Double> millis = new ArrayList<>();
    boolean bounded = level.level() == Consistency.Level.BOUNDED;
    boolean kept = true;
    for (int i = 0; i < REPETITIONS; i++) {
      value++;
      table.write(value);
      long acknowledged = System.nanoTime();
      double late = 0;
      while (!isSeen(indexed, level)) {
        kept &= bounded && late <= level.staleness().toNanos();
        if (late > LIMIT.toNanos()) {
          throw new IOException("value " + value + " was written and is not found");
        }
        Pause.of(STEP, "waiting for a write to be seen");
        late = System.nanoTime() - acknowledged;
      }
      millis.add(late / NANOS_PER_MILLI);
    }
    return Row.of("stale_ms", Numbers.median(millis)).and("equal", kept);
  }

  private boolean isSeen(IndexedTable indexed, Consistency level) throws IOException {
    AtomicLong rows = new AtomicLong();
    Query query = Query.where("v = " + value).consistency(level);
    Client.drain(indexed, query, row -> rows.incrementAndGet());
    return rows.get() == 1;
  }
}
