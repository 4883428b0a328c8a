package io.spyhop.bench.dynahash;

import com.google.common.util.concurrent.RateLimiter;
import io.spyhop.bench.Clients;
import io.spyhop.client.Spyhop;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Table;

/**
 * Clients that write rows which no question asks for, in small batches, until they are closed.
 * Thread-safe.
 */
final class Writers implements Closeable {
  private static final int CLIENTS = 4;
  private static final int BATCH = 100;

  private final Spyhop spyhop;
  private final TableName table;
  private final Supplier<Boolean> mayWrite;
  private final AtomicLong next = new AtomicLong(Rows.APART);
  private final AtomicLong written = new AtomicLong();
  private final Clients clients = new Clients();

  /**
   * @param mayWrite waits until a batch may be written; false if it waited in vain
   */
  private Writers(Spyhop spyhop, TableName table, Supplier<Boolean> mayWrite) {
    this.spyhop = spyhop;
    this.table = table;
    this.mayWrite = mayWrite;
  }

  /** Starts clients that write as fast as they can. */
  static Writers unlimited(Spyhop spyhop, TableName table) {
    return new Writers(spyhop, table, () -> true).start();
  }

  /**
   * Starts clients that write so many rows a second all together.
   *
   * @param rowsPerSecond 0 for none
   */
  static Writers limited(Spyhop spyhop, TableName table, double rowsPerSecond) {
    if (rowsPerSecond == 0) {
      return new Writers(spyhop, table, () -> false);
    }
    RateLimiter limiter = RateLimiter.create(rowsPerSecond);
    return new Writers(spyhop, table, () -> limiter.tryAcquire(BATCH, 1, TimeUnit.SECONDS)).start();
  }

  private Writers start() {
    for (int i = 0; i < CLIENTS; i++) {
      clients.start(() -> spyhop.open(table), this::write);
    }
    return this;
  }

  private void write(Table to) throws IOException {
    if (mayWrite.get()) {
      long first = next.getAndAdd(BATCH);
      to.put(new ArrayList<>(LongStream.range(first, first + BATCH).mapToObj(Rows::put).toList()));
      written.addAndGet(BATCH);
    }
  }

  /** How many rows have been written until now. */
  long written() {
    return written.get();
  }

  /**
   * Has them end.
   *
   * @return what they have written
   * @throws IOException if one could not write
   */
  Rows.Digest finish() throws IOException {
    clients.finish();
    return Rows.range(Rows.APART, next.get());
  }

  @Override
  public void close() {
    clients.close();
  }
}
