package io.spyhop.bench.deli;

import io.spyhop.bench.Latency;
import io.spyhop.bench.Numbers;
import io.spyhop.bench.Parallel;
import io.spyhop.bench.PutLoader;
import io.spyhop.bench.Row;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Table;

/** One table of the mixed trial, and the value that each of its rows has. Thread-safe. */
final class MixedSide {
  private final Connection connection;
  private final TableName name;
  private final Product product;
  private final AtomicLongArray current;
  private final Zipf zipf;
  private final long values;
  private final AtomicLong seeds = new AtomicLong();

  /**
   * @param written the value of each row
   */
  MixedSide(Scene scene, TableName name, Slice written, Zipf zipf) {
    this.connection = scene.connection();
    this.name = name;
    this.product = scene.product();
    this.zipf = zipf;
    this.values = scene.settings().values();
    current = new AtomicLongArray(written.size());
    for (int i = 0; i < written.size(); i++) {
      current.set(written.keys()[i], written.values()[i]);
    }
  }

  /** The measurements of one mixture of reads and writes. */
  static final class Figures {
    private final Latency reads = new Latency();
    private final Latency writes = new Latency();
    private final List<Double> rates = new ArrayList<>();
    private final LongAdder rowsRead = new LongAdder();
    private final LongAdder readsDone = new LongAdder();

    double rate() {
      return Numbers.median(rates);
    }

    /** Latencies; 0 where there are no such calls. */
    Row millis() {
      return Row.of("read_p50", reads.medianMillis())
          .and("read_p99", reads.p99Millis())
          .and("write_p50", writes.medianMillis())
          .and("write_p99", writes.p99Millis());
    }

    /** Fails if reads of values that rows have find no rows: then nothing was measured. */
    void requireFound() throws IOException {
      if (readsDone.sum() > 0 && rowsRead.sum() * 2 < readsDone.sum()) {
        throw new IOException(
            readsDone + " reads of values that are there found " + rowsRead + " rows only");
      }
    }
  }

  /** Eight threads read and write for a time; each call is one operation. */
  void run(ExecutorService pool, double readRatio, Duration time, Figures figures)
      throws IOException {
    long start = System.nanoTime();
    long end = start + time.toNanos();
    Callable<Long> worker = () -> work(readRatio, end, figures);
    long ops =
        Parallel.all(pool, Collections.nCopies(PutLoader.WRITERS, worker)).stream()
            .mapToLong(Long::longValue)
            .sum();
    figures.rates.add(ops / Numbers.secondsSince(start));
    figures.requireFound();
  }

  private long work(double readRatio, long end, Figures figures) throws IOException {
    SplittableRandom random = new SplittableRandom(seeds.incrementAndGet());
    long ops = 0;
    try (Table table = connection.getTable(name)) {
      while (System.nanoTime() < end) {
        if (random.nextDouble() < readRatio) {
          read(random, figures);
        } else {
          write(table, random, figures);
        }
        ops++;
      }
    }
    return ops;
  }

  private void read(SplittableRandom random, Figures figures) throws IOException {
    long value = current.get(random.nextInt(current.length()));
    long start = System.nanoTime();
    int found = product.read(name, value);
    figures.reads.since(start);
    figures.rowsRead.add(found);
    figures.readsDone.increment();
  }

  private void write(Table table, SplittableRandom random, Figures figures) throws IOException {
    int key = zipf.draw(random);
    long value = random.nextLong(values);
    long start = System.nanoTime();
    table.put(DeliTable.put(key, value));
    figures.writes.since(start);
    current.set(key, value);
  }
}
