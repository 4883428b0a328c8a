package io.spyhop.server.index.stats;

import io.spyhop.client.Consistency;
import io.spyhop.client.IndexedTable;
import io.spyhop.client.Query;
import io.spyhop.client.Spyhop;
import io.spyhop.client.internal.prune.ClientPruning;
import io.spyhop.core.predicate.Predicates;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.HRegion;

/**
 * Every write sets a row to a value that its region never had and that is above all that it had, so
 * that statistics which miss the write would leave the region out. Readers take a value that was
 * acknowledged, begin a query for it, and miss it only if the row was overwritten meanwhile. Each
 * writer and reader has a client of its own; regions are flushed, compacted and moved all the time.
 */
final class AckedWrites implements AutoCloseable {
  private static final int SLOTS = 2_000;
  private static final long REGION_SPAN = 1L << 40;
  private static final int NONE = 0;

  private final TestCluster cluster;
  private final PrunedTable table;
  private final AtomicBoolean stop = new AtomicBoolean();

  /** By region: the number of the last write that was begun. */
  private final AtomicLongArray begun = new AtomicLongArray(PrunedTable.REGIONS);

  /** By region and slot: the number of the write that was last acknowledged, and last begun. */
  private final AtomicLongArray acknowledged = new AtomicLongArray(PrunedTable.REGIONS * SLOTS);

  private final AtomicLongArray started = new AtomicLongArray(PrunedTable.REGIONS * SLOTS);
  private final AtomicLongArray newest = new AtomicLongArray(PrunedTable.REGIONS);

  private final LongAdder writes = new LongAdder();
  private final LongAdder queries = new LongAdder();
  private final LongAdder overwritten = new LongAdder();
  private final LongAdder disturbances = new LongAdder();
  private final AtomicLong pruned = new AtomicLong();

  AckedWrites(TestCluster cluster) throws IOException {
    this.cluster = cluster;
    this.table = new PrunedTable(cluster);
  }

  /**
   * Runs writers and readers.
   *
   * @throws AssertionError if a query missed a write
   */
  void run(int writers, int readers, Duration time) throws Exception {
    ExecutorService pool = Executors.newCachedThreadPool();
    try {
      List<Future<Void>> all = new ArrayList<>();
      for (int i = 0; i < writers; i++) {
        all.add(pool.submit(stopping(writer(i))));
      }
      for (int i = 0; i < readers; i++) {
        all.add(pool.submit(stopping(reader(i))));
      }
      all.add(pool.submit(stopping(disturber())));
      long end = System.nanoTime() + time.toNanos();
      Object timer = new Object();
      synchronized (timer) {
        for (long left = time.toMillis();
            left > 0 && !stop.get();
            left = Duration.ofNanos(end - System.nanoTime()).toMillis()) {
          timer.wait(Math.min(left, 1_000));
        }
      }
      stop.set(true);
      for (Future<Void> f : all) {
        f.get();
      }
    } finally {
      stop.set(true);
      pool.shutdown();
    }
    if (pruned.get() == 0 || queries.sum() == 0) {
      throw new AssertionError("nothing was left out: " + report());
    }
  }

  /** Whatever ends badly ends the others. */
  private Callable<Void> stopping(Callable<Void> task) {
    return () -> {
      boolean done = false;
      try {
        task.call();
        done = true;
        return null;
      } finally {
        if (!done) {
          stop.set(true);
        }
      }
    };
  }

  private Connection connect() throws IOException {
    return ConnectionFactory.createConnection(cluster.util().getConfiguration());
  }

  private Callable<Void> writer(int seed) {
    return () -> {
      Random r = new Random(seed);
      try (Connection c = connect();
          Table t = c.getTable(table.name())) {
        while (!stop.get()) {
          int region = r.nextInt(PrunedTable.REGIONS);
          long number = begun.incrementAndGet(region);
          int slot = region * SLOTS + (int) (number % SLOTS);
          started.accumulateAndGet(slot, number, Math::max);
          t.put(PrunedTable.put(row(region, number), value(region, number)));
          acknowledged.accumulateAndGet(slot, number, Math::max);
          newest.accumulateAndGet(region, number, Math::max);
          writes.increment();
        }
      }
      return null;
    };
  }

  private static String row(int region, long number) {
    return String.format("r%d-%05d", region, number % SLOTS);
  }

  private static long value(int region, long number) {
    return region * REGION_SPAN + number;
  }

  private Callable<Void> reader(int seed) {
    List<Consistency> levels =
        List.of(Consistency.STRICT, Consistency.BATCHED, Consistency.bounded(Duration.ZERO));
    return () -> {
      Random r = new Random(-seed - 1);
      Configuration conf = new Configuration(cluster.util().getConfiguration());
      conf.setInt(ClientPruning.DIGEST_REGIONS, seed % 2 == 0 ? 1 : PrunedTable.REGIONS);
      try (Connection c = ConnectionFactory.createConnection(conf);
          Spyhop spyhop = Spyhop.connect(c)) {
        IndexedTable t = spyhop.table(table.name());
        while (!stop.get()) {
          int region = r.nextInt(PrunedTable.REGIONS);
          long number = newest.get(region) - r.nextInt(3);
          int slot = region * SLOTS + (int) Math.max(0, number % SLOTS);
          if (number > NONE && acknowledged.get(slot) == number) {
            ask(t, region, number, levels.get((seed + r.nextInt(2)) % levels.size()));
          }
        }
        pruned.addAndGet(t.statistics().regionsPruned());
      }
      return null;
    };
  }

  private void ask(IndexedTable t, int region, long number, Consistency level) throws IOException {
    Query query = Query.where(Predicates.column("n").eq(value(region, number))).consistency(level);
    List<String> rows = PrunedTable.rows(t, query);
    queries.increment();
    if (rows.equals(List.of(row(region, number)))) {
      return;
    }
    if (started.get(region * SLOTS + (int) (number % SLOTS)) != number) {
      overwritten.increment();
      return;
    }
    throw new AssertionError(
        "a "
            + level
            + " query for "
            + query
            + " found "
            + rows
            + ", not row "
            + row(region, number)
            + ", whose write was acknowledged before the query began; asked again it finds "
            + PrunedTable.rows(t, query)
            + ", unpruned "
            + PrunedTable.rows(t, query.pruning(false))
            + "\n"
            + t.explain(query));
  }

  private Callable<Void> disturber() {
    return () -> {
      Random r = new Random(7);
      while (!stop.get()) {
        switch (r.nextInt(6)) {
          case 0 -> Regions.compact(cluster, table.name(), r.nextInt(3) == 0);
          case 1, 2 -> move(r);
          default -> Regions.flush(cluster, table.name());
        }
        disturbances.increment();
      }
      return null;
    };
  }

  private void move(Random r) throws IOException {
    List<HRegion> regions = cluster.regions(table.name());
    if (regions.isEmpty()) {
      return;
    }
    HRegion region = regions.get(r.nextInt(regions.size()));
    List<ServerName> servers = new ArrayList<>(cluster.admin().getRegionServers());
    cluster
        .admin()
        .move(
            region.getRegionInfo().getEncodedNameAsBytes(), servers.get(r.nextInt(servers.size())));
  }

  String report() {
    return writes.sum()
        + " writes, "
        + queries.sum()
        + " queries ("
        + overwritten.sum()
        + " whose row was overwritten meanwhile), "
        + pruned.get()
        + " regions left out, "
        + disturbances.sum()
        + " flushes, compactions and moves";
  }

  @Override
  public void close() throws IOException {
    table.close();
  }
}
