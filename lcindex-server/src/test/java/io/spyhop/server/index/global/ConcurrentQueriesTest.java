package io.spyhop.server.index.global;

import static io.spyhop.server.testing.GlobalFixture.V;
import static io.spyhop.server.testing.GlobalFixture.put;
import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.client.IndexedTable;
import io.spyhop.client.Query;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import io.spyhop.server.testing.GlobalFixture;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.LongStream;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Queries through a global index while others write. */
class ConcurrentQueriesTest {
  private static final TestCluster CLUSTER = TestCluster.get();
  private static final int WRITERS = 4;
  private static final int ROWS_EACH = 8;
  private static final int QUERIES = 60;
  private static final int FLUSH_EVERY = 20;
  private static final int MAX_ENTRIES = 100_000;

  /** Batches that each writer may write while a query runs: each leaves entries for later ones. */
  private static final int BATCHES_PER_QUERY = 2;

  /** Each row only ever gets greater values; the last one that was acknowledged is noted. */
  private static final class Writer {
    private final GlobalFixture table;
    private final int first;
    private final AtomicLongArray acknowledged;
    private final Semaphore allowed = new Semaphore(1);

    Writer(GlobalFixture table, int first, AtomicLongArray acknowledged) {
      this.table = table;
      this.first = first;
      this.acknowledged = acknowledged;
    }

    /** The number of batches written. */
    int run(AtomicBoolean done) throws IOException, InterruptedException {
      int batches = 0;
      try (Table own = CLUSTER.connection().getTable(table.name())) {
        for (long value = 1; !done.get(); value++) {
          List<Put> puts = new ArrayList<>();
          for (int r = first; r < first + ROWS_EACH; r++) {
            puts.add(put(row(r), value));
          }
          own.put(puts);
          for (int r = first; r < first + ROWS_EACH; r++) {
            acknowledged.set(r, value);
          }
          batches++;
          allowed.acquire();
        }
      }
      return batches;
    }
  }

  private static String row(int r) {
    return String.format("r%02d", r);
  }

  /** Values by row; every row is there once, in order. */
  private static List<Long> values(IndexedTable table, Query query) throws IOException {
    List<Long> values = new ArrayList<>();
    List<String> rows = new ArrayList<>();
    try (RowCursor cursor = table.query(query)) {
      for (Result r : cursor) {
        rows.add(Bytes.toString(r.getRow()));
        values.add(Bytes.toLong(r.getValue(GlobalFixture.F, V)));
      }
    }
    assertThat(rows).isSorted().doesNotHaveDuplicates().hasSize(WRITERS * ROWS_EACH);
    return values;
  }

  @Test
  void rowsThatMoveAreFoundOnceWithNothingOlderThanWhatWasAcknowledged() throws Exception {
    AtomicLongArray acknowledged = new AtomicLongArray(WRITERS * ROWS_EACH);
    AtomicBoolean done = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
    try (GlobalFixture t = new GlobalFixture(CLUSTER, f -> f, d -> d, "r08", "r16");
        Spyhop spyhop = Spyhop.connect(CLUSTER.connection())) {
      for (int r = 0; r < acknowledged.length(); r++) {
        t.write(put(row(r), 0));
      }
      t.awaitBuilt();
      List<Writer> writers = new ArrayList<>();
      List<Future<Integer>> written = new ArrayList<>();
      for (int w = 0; w < WRITERS; w++) {
        Writer writer = new Writer(t, w * ROWS_EACH, acknowledged);
        writers.add(writer);
        written.add(threads.submit(() -> writer.run(done)));
      }
      Query all = Query.where("v >= 0").hint("v").maxEntries(MAX_ENTRIES);
      for (int q = 0; q < QUERIES; q++) {
        List<Long> atLeast =
            LongStream.range(0, acknowledged.length())
                .mapToObj(r -> acknowledged.get((int) r))
                .toList();
        writers.forEach(w -> w.allowed.release(BATCHES_PER_QUERY));
        List<Long> found = values(spyhop.table(t.name()), all);
        for (int r = 0; r < found.size(); r++) {
          assertThat(found.get(r)).as(row(r)).isGreaterThanOrEqualTo(atLeast.get(r));
        }
        if (q % FLUSH_EVERY == 0) {
          CLUSTER.admin().flush(t.name());
        }
      }
      assertThat(spyhop.table(t.name()).explain(all).toText()).contains("global:    index v");
      done.set(true);
      writers.forEach(w -> w.allowed.release());
      for (Future<Integer> w : written) {
        assertThat(w.get()).isPositive();
      }
      assertThat(values(spyhop.table(t.name()), all)).allMatch(v -> v > 0);
    } finally {
      done.set(true);
      threads.shutdownNow();
    }
  }
}
