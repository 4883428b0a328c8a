package io.spyhop.server.query;

import static io.spyhop.core.predicate.Predicates.column;
import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.predicate.Predicate;
import io.spyhop.server.testing.IndexedTableFixture;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/**
 * Every row always has a price of 1, 2 or 3, and only ever changes from one to another. So at every
 * read point a query for 1 to 3 finds every row once, whatever is flushed, compacted and indexed at
 * that moment.
 */
class ConcurrencyTest {
  private static final int ROWS = 300;
  private static final int QUERIES = 60;

  @Test
  void noRowIsLostOrDoubled() throws Exception {
    try (IndexedTableFixture t = new IndexedTableFixture()) {
      List<Put> puts = new ArrayList<>();
      for (int i = 0; i < ROWS; i++) {
        puts.add(put(i, 1));
      }
      t.table().put(puts);
      AtomicBoolean stop = new AtomicBoolean();
      ExecutorService pool = Executors.newFixedThreadPool(3);
      try {
        List<Future<Void>> disturbers =
            List.of(
                pool.submit(writer(t, stop, 1)),
                pool.submit(writer(t, stop, 2)),
                pool.submit(flusher(t, stop)));
        query(t);
        stop.set(true);
        for (Future<Void> f : disturbers) {
          f.get();
        }
      } finally {
        stop.set(true);
        pool.shutdownNow();
      }
      t.flushAndIndex();
      assertThat(t.agreed(column("price").between(1, 3))).hasSize(ROWS);
    }
  }

  private static void query(IndexedTableFixture t) throws IOException {
    Predicate all = column("price").between(1, 3);
    long indexed = TestCluster.get().indexedQueries();
    for (int i = 0; i < QUERIES; i++) {
      List<String> cells = t.cells(all, "price");
      assertThat(cells).as("query %d", i).hasSize(ROWS);
      assertThat(new HashSet<>(t.rows(all, "price"))).as("query %d", i).hasSize(ROWS);
      for (String cell : t.cells(column("price").eq(2), "price")) {
        assertThat(cell).endsWith("=" + Bytes.toStringBinary(Bytes.toBytes(2.0)));
      }
    }
    assertThat(TestCluster.get().indexedQueries() - indexed).isGreaterThanOrEqualTo(QUERIES);
  }

  private static Put put(int row, double price) {
    return new Put(Bytes.toBytes(String.format("r%05d", row)))
        .addColumn(IndexedTableFixture.F, IndexedTableFixture.q("price"), Bytes.toBytes(price));
  }

  private static Callable<Void> writer(IndexedTableFixture t, AtomicBoolean stop, long seed) {
    return () -> {
      Random r = new Random(seed);
      try (var table = TestCluster.get().connection().getTable(t.name())) {
        while (!stop.get()) {
          table.put(put(r.nextInt(ROWS), 1 + r.nextInt(3)));
        }
      }
      return null;
    };
  }

  private static Callable<Void> flusher(IndexedTableFixture t, AtomicBoolean stop) {
    return () -> {
      for (int i = 0; !stop.get(); i++) {
        Regions.flush(TestCluster.get(), t.name());
        if (i % 4 == 3) {
          Regions.compact(TestCluster.get(), t.name(), i % 8 == 7);
        }
      }
      return null;
    };
  }
}
