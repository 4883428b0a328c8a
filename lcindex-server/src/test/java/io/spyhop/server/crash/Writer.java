package io.spyhop.server.crash;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes batches until it is told to stop, and remembers what every row must be. A batch is tried
 * until it is acknowledged: each operation has a timestamp of its own, so that it may arrive twice
 * or late. Between some batches it gives way to threads that wait for {@link #pause()}.
 */
final class Writer implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(Writer.class);
  private static final int BATCH = 25;
  private static final int BATCHES_A_TURN = 6;
  private static final byte[] PADDING = new byte[200];

  /** The known values of one row; null for those it does not have. */
  record Values(Double price, String name, Long amount) {
    static final Values NONE = new Values(null, null, null);
  }

  private final CrashTable table;
  private final Random random;
  private final Map<Integer, Values> expected = new TreeMap<>();
  private final ReentrantLock turn = new ReentrantLock(true);
  private long clock = System.currentTimeMillis();
  private final AtomicLong batches = new AtomicLong();
  private final AtomicLong failures = new AtomicLong();
  private volatile boolean stopping;

  Writer(CrashTable table, long seed) {
    this.table = table;
    this.random = new Random(seed);
  }

  @Override
  public void run() {
    try (Table t = table.open()) {
      while (!stopping) {
        turn.lock();
        try {
          for (int i = 0; i < BATCHES_A_TURN && !stopping; i++) {
            writeBatch(t);
          }
        } finally {
          turn.unlock();
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private void writeBatch(Table t) {
    Map<Integer, Values> after = new TreeMap<>();
    List<Mutation> operations = new ArrayList<>();
    Set<Integer> rows = new TreeSet<>();
    while (rows.size() < BATCH) {
      rows.add(random.nextInt(CrashTable.ROWS));
    }
    for (int row : rows) {
      operations.add(operation(row, after));
    }
    while (!isAcknowledged(t, operations)) {
      failures.incrementAndGet();
    }
    expected.putAll(after);
    batches.incrementAndGet();
  }

  private static boolean isAcknowledged(Table t, List<Mutation> operations) {
    try {
      t.batch(operations, new Object[operations.size()]);
      return true;
    } catch (IOException e) {
      LOG.info("A batch is tried again", e);
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private Mutation operation(int row, Map<Integer, Values> after) {
    byte[] key = CrashTable.row(row);
    long time = ++clock;
    Values old = expected.getOrDefault(row, Values.NONE);
    double price = random.nextInt(1_000) / 4.0;
    String name = "n" + random.nextInt(40);
    long amount = random.nextInt(500);
    switch (random.nextInt(10)) {
      case 0:
        after.put(row, Values.NONE);
        return new Delete(key, time);
      case 1:
        after.put(row, new Values(old.price, null, old.amount));
        return new Delete(key).addColumns(CrashTable.FAMILY, CrashTable.NAMED, time);
      case 2, 3:
        after.put(row, new Values(price, old.name, old.amount));
        return put(key, time, CrashTable.PRICE, Bytes.toBytes(price));
      case 4:
        after.put(row, new Values(old.price, old.name, amount));
        return put(key, time, CrashTable.AMOUNT, Bytes.toBytes(amount));
      default:
        after.put(row, new Values(price, name, amount));
        return put(key, time, CrashTable.PRICE, Bytes.toBytes(price))
            .addColumn(CrashTable.FAMILY, CrashTable.NAMED, time, Bytes.toBytes(name))
            .addColumn(CrashTable.FAMILY, CrashTable.AMOUNT, time, Bytes.toBytes(amount));
    }
  }

  private static Put put(byte[] row, long time, byte[] column, byte[] value) {
    return new Put(row)
        .addColumn(CrashTable.FAMILY, column, time, value)
        .addColumn(CrashTable.FAMILY, CrashTable.PADDING, time, PADDING);
  }

  /** Returns when no batch is under way; none begins until {@link #resume()}. */
  void pause() {
    turn.lock();
  }

  void resume() {
    turn.unlock();
  }

  /** The last acknowledged values; only while paused or after the end. */
  Map<Integer, Values> expected() {
    return expected;
  }

  /** Acknowledged batches. */
  long batches() {
    return batches.get();
  }

  /** Batches that the client gave up at least once. */
  long failures() {
    return failures.get();
  }

  void stop() {
    stopping = true;
  }
}
