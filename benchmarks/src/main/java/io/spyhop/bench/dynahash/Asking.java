package io.spyhop.bench.dynahash;

import io.spyhop.bench.Clients;
import io.spyhop.bench.Latency;
import io.spyhop.client.Spyhop;
import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.TableName;

/** One client that asks the same question until it is closed. Thread-safe. */
final class Asking implements Closeable {
  private final Spyhop spyhop;
  private final TableName table;
  private final Rows.Digest expected;
  private final Clients client = new Clients();
  private final AtomicLong wrong = new AtomicLong();
  private final AtomicLong answered = new AtomicLong();
  private volatile Latency latencies;

  /**
   * Begins to ask.
   *
   * @param expected the right answer
   * @param first is told how long answers took, until others are named
   */
  Asking(Spyhop spyhop, TableName table, Rows.Digest expected, Latency first) {
    this.spyhop = spyhop;
    this.table = table;
    this.expected = expected;
    this.latencies = first;
    client.start(this::ask);
  }

  private void ask() throws IOException {
    Latency told = latencies;
    long start = System.nanoTime();
    if (!expected.equals(Answers.of(spyhop, table, Rows.query(), 0))) {
      wrong.incrementAndGet();
    }
    told.since(start);
    answered.incrementAndGet();
  }

  /** Queries that begin from now on are told to another one. */
  void tell(Latency next) {
    latencies = next;
  }

  /** How many queries have been answered until now. */
  long answered() {
    return answered.get();
  }

  /**
   * Has it end.
   *
   * @return how many answers were wrong
   * @throws IOException if a query failed
   */
  long finish() throws IOException {
    client.finish();
    return wrong.get();
  }

  @Override
  public void close() {
    client.close();
  }
}
