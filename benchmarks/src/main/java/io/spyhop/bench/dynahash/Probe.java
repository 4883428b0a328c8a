package io.spyhop.bench.dynahash;

import io.spyhop.bench.Parallel;
import io.spyhop.client.Spyhop;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;

/**
 * One client that writes new rows one by one, and one that reads rows one by one; the longest that
 * each has waited. Thread-safe.
 */
final class Probe implements Closeable {
  private static final double NANOS_PER_MILLI = 1e6;

  private final Spyhop spyhop;
  private final TableName table;
  private final ExecutorService threads = Executors.newFixedThreadPool(2);
  private final List<Future<Boolean>> running = new ArrayList<>();
  private final AtomicLong longestWrite = new AtomicLong();
  private final AtomicLong longestRead = new AtomicLong();
  private volatile boolean over;

  /**
   * The longest waits.
   *
   * @param equal whether all rows were found that were asked for
   */
  record Waits(double writeMillis, double readMillis, boolean equal) {}

  /** One operation. */
  private interface Step {
    boolean run(Table table) throws IOException;
  }

  /**
   * Begins.
   *
   * @param rows that the table has
   */
  Probe(Spyhop spyhop, TableName table, int rows) {
    this.spyhop = spyhop;
    this.table = table;
    AtomicLong next = new AtomicLong(Rows.APART);
    Random random = new Random(1);
    start(longestWrite, to -> write(to, next.getAndIncrement()));
    start(longestRead, from -> read(from, random.nextInt(rows)));
  }

  private void start(AtomicLong longest, Step step) {
    Callable<Boolean> client =
        () -> {
          boolean right = true;
          try (Table opened = spyhop.open(table)) {
            while (!over) {
              long start = System.nanoTime();
              right &= step.run(opened);
              longest.accumulateAndGet(System.nanoTime() - start, Math::max);
            }
          }
          return right;
        };
    running.add(threads.submit(client));
  }

  private static boolean write(Table to, long row) throws IOException {
    to.put(Rows.put(row));
    return true;
  }

  private static boolean read(Table from, long row) throws IOException {
    Result found = from.get(new Get(Rows.key(row)));
    Rows.Digest digest = new Rows.Digest();
    if (!found.isEmpty()) {
      digest.add(found.getRow(), found);
    }
    return digest.equals(Rows.range(row, row + 1));
  }

  /** What was before does not count. */
  void begin() {
    longestWrite.set(0);
    longestRead.set(0);
  }

  /**
   * Has both end.
   *
   * @throws IOException if an operation failed
   */
  Waits finish() throws IOException {
    over = true;
    boolean equal = true;
    for (Future<Boolean> client : running) {
      equal &= Parallel.get(client);
    }
    return new Waits(
        longestWrite.get() / NANOS_PER_MILLI, longestRead.get() / NANOS_PER_MILLI, equal);
  }

  @Override
  public void close() {
    over = true;
    threads.shutdownNow();
  }
}
