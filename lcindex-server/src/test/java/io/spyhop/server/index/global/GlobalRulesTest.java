package io.spyhop.server.index.global;

import static io.spyhop.server.testing.GlobalFixture.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spyhop.client.Query;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import io.spyhop.core.global.Entry;
import io.spyhop.core.global.IndexTable;
import io.spyhop.server.index.global.repair.EntryDeletionGate;
import io.spyhop.server.index.global.repair.EntryRemover;
import io.spyhop.server.testing.EntriesByHand;
import io.spyhop.server.testing.GlobalFixture;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.Region.RowLock;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Rules 10 and 12 of the correctness page: where DELI's algorithms as printed lose rows. */
class GlobalRulesTest {
  private static Entry entry(GlobalFixture t, String row, long value, long timestamp) {
    byte[] key = t.definition().type().codec().key(Bytes.toBytes(value), 0, Long.BYTES).bytes();
    return new Entry(key, Bytes.toBytes(row), timestamp);
  }

  private static void writeIndex(GlobalFixture t, Mutation mutation) throws IOException {
    try (Table index = TestCluster.get().connection().getTable(t.indexName())) {
      index.batch(List.of(mutation), new Object[1]);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  private static List<String> query(GlobalFixture t, String where) throws IOException {
    t.awaitBuilt();
    List<String> rows = new ArrayList<>();
    try (Spyhop spyhop = Spyhop.connect(TestCluster.get().connection())) {
      Query query = Query.where(where).hint("v");
      assertThat(spyhop.table(t.name()).explain(query).driving()).isEqualTo("v");
      try (RowCursor cursor = spyhop.table(t.name()).query(query)) {
        for (Result r : cursor) {
          rows.add(Bytes.toString(r.getRow()));
        }
      }
    }
    return rows;
  }

  /**
   * Rule 10. A range read has passed 5 when the row moves there from 10, so that it meets the old
   * entry alone; the row is judged by what it is now. Algorithm 2 compares it with the entry.
   */
  @Test
  void movingRowIsJudgedByTheWholePredicate() throws Exception {
    try (GlobalFixture t = new GlobalFixture()) {
      t.awaitBuilt();
      t.write(put("k", 10, 100), put("x", 7, 100));
      t.write(put("k", 5, 200));
      assertThat(query(t, "v BETWEEN 5 AND 10")).containsExactly("k", "x");
      Entry passed = entry(t, "k", 5, 200);
      deleteAll(t, List.of(passed));
      assertThat(query(t, "v BETWEEN 5 AND 10")).containsExactly("k", "x");
      assertThat(query(t, "v BETWEEN 8 AND 10")).isEmpty();
    }
  }

  /**
   * Rule 12. An entry whose base write is under way looks like one of a failed write. Algorithm 2
   * deletes it, and the row is lost; here the look at the row waits for the write.
   */
  @Test
  void entryOfWriteUnderWayIsNotDangling() throws Exception {
    try (GlobalFixture t = new GlobalFixture()) {
      t.awaitBuilt();
      HRegion region = TestCluster.get().regions(t.name()).get(0);
      Entry entry = entry(t, "k", 1, 100);
      EntryRemover remover = new EntryRemover((base, table, all) -> deleteAll(t, all), 10);
      ExecutorService repair = Executors.newSingleThreadExecutor();
      RowLock underWay = region.getRowLock(entry.row(), true);
      try {
        writeIndex(
            t,
            new Put(entry.indexRow())
                .addColumn(IndexTable.ENTRIES, IndexTable.QUALIFIER, 100, new byte[0]));
        Future<EntryRemover.Outcome> look =
            repair.submit(
                () ->
                    remover.remove(
                        t.definition(), region, List.of(entry), new EntryDeletionGate()));
        await().atMost(Duration.ofSeconds(60)).until(() -> isWaiting("getRowLock"));
        assertThat(look.isDone()).isFalse();
        region.put(put("k", 1, 100));
        underWay.release();
        assertThat(look.get().kept()).isEqualTo(1);
      } finally {
        repair.shutdown();
      }
      assertThat(t.entries()).isEqualTo(t.expected()).hasSize(1);

      EntryRemover.Outcome failed =
          remover.remove(
              t.definition(), region, List.of(entry(t, "nobody", 2, 100)), new EntryDeletionGate());
      assertThat(failed.deleted()).isEqualTo(1);
    }
  }

  private static void deleteAll(GlobalFixture t, List<Entry> entries) throws IOException {
    List<Delete> deletes =
        entries.stream()
            .map(
                e ->
                    new Delete(e.indexRow())
                        .addColumn(IndexTable.ENTRIES, IndexTable.QUALIFIER, e.timestamp()))
            .toList();
    EntriesByHand.delete(TestCluster.get(), t.indexName(), deletes);
  }

  private static boolean isWaiting(String method) {
    return Thread.getAllStackTraces().values().stream()
        .anyMatch(
            stack ->
                List.of(stack).stream().anyMatch(f -> f.getMethodName().startsWith(method))
                    && List.of(stack).stream()
                        .anyMatch(f -> f.getClassName().equals(EntryRemover.class.getName())));
  }
}
