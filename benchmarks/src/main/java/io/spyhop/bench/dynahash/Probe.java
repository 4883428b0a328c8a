package io.spyhop.bench.dynahash;

import io.spyhop.bench.Clients;
import io.spyhop.client.Spyhop;
import io.spyhop.core.io.IoRunnable;
import io.spyhop.core.io.IoSupplier;
import java.io.Closeable;
import java.io.IOException;
import java.util.Random;
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

  private final Clients clients = new Clients();
  private final AtomicLong longestWrite = new AtomicLong();
  private final AtomicLong longestRead = new AtomicLong();
  private volatile boolean equal = true;

  /**
   * The longest waits.
   *
   * @param equal whether all rows were found that were asked for
   */
  record Waits(double writeMillis, double readMillis, boolean equal) {}

  /**
   * Begins.
   *
   * @param rows that the table has
   */
  Probe(Spyhop spyhop, TableName table, int rows) {
    AtomicLong next = new AtomicLong(Rows.APART);
    Random random = new Random(1);
    IoSupplier<Table> opener = () -> spyhop.open(table);
    clients.start(
        opener, to -> timed(longestWrite, () -> to.put(Rows.put(next.getAndIncrement()))));
    clients.start(opener, from -> timed(longestRead, () -> read(from, random.nextInt(rows))));
  }

  private static void timed(AtomicLong longest, IoRunnable step) throws IOException {
    long start = System.nanoTime();
    step.run();
    longest.accumulateAndGet(System.nanoTime() - start, Math::max);
  }

  private void read(Table from, long row) throws IOException {
    Result found = from.get(new Get(Rows.key(row)));
    Rows.Digest digest = new Rows.Digest();
    if (!found.isEmpty()) {
      digest.add(found.getRow(), found);
    }
    if (!digest.equals(Rows.range(row, row + 1))) {
      equal = false;
    }
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
    clients.finish();
    return new Waits(
        longestWrite.get() / NANOS_PER_MILLI, longestRead.get() / NANOS_PER_MILLI, equal);
  }

  @Override
  public void close() {
    clients.close();
  }
}
