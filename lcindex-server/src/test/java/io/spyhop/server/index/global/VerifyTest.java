package io.spyhop.server.index.global;

import static io.spyhop.server.testing.GlobalFixture.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.spyhop.client.IndexStatus;
import io.spyhop.client.Spyhop;
import io.spyhop.client.VerifyReport;
import io.spyhop.core.global.Entry;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.protocol.EntryList;
import io.spyhop.core.protocol.Question;
import io.spyhop.core.protocol.ServerCalls;
import io.spyhop.core.protocol.VerifyPage;
import io.spyhop.core.protocol.VerifyRequest;
import io.spyhop.core.schema.Maintenance;
import io.spyhop.server.testing.EntriesByHand;
import io.spyhop.server.testing.GlobalFixture;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** The verifier finds what is wrong, says which way, mends it, and takes no write for a defect. */
class VerifyTest {
  private static VerifyReport verify(GlobalFixture t, boolean repair) throws IOException {
    try (Spyhop spyhop = Spyhop.connect(TestCluster.get().connection())) {
      return spyhop.admin().verify(t.name(), "v", repair);
    }
  }

  /** Entries of a row, done away with behind the index's back. */
  private static void lose(GlobalFixture t, String row) throws IOException {
    try (Table index = TestCluster.get().connection().getTable(t.indexName());
        ResultScanner all = index.getScanner(new Scan().addFamily(IndexTable.ENTRIES))) {
      for (Result r : all) {
        if (Bytes.toString(r.getRow()).endsWith(row)) {
          EntriesByHand.delete(TestCluster.get(), t.indexName(), List.of(new Delete(r.getRow())));
        }
      }
    }
  }

  private static void dangle(GlobalFixture t, String row, long value) throws IOException {
    byte[] key = t.definition().type().codec().key(Bytes.toBytes(value), 0, Long.BYTES).bytes();
    try (Table index = TestCluster.get().connection().getTable(t.indexName())) {
      index.put(
          new Put(Bytes.add(key, Bytes.toBytes(row)))
              .addColumn(IndexTable.ENTRIES, IndexTable.QUALIFIER, new byte[0]));
    }
  }

  /** Rule 10: what dangles is deleted when the grace period is over, which here it is not. */
  @Test
  void missingAndDanglingEntriesAreToldApartAndMended() throws Exception {
    try (GlobalFixture t = new GlobalFixture(TestCluster.get(), f -> f, d -> d, "c", "f")) {
      t.awaitLooked();
      t.write(put("a", 1), put("b", 2), put("c", 3), put("g", 4), put("h", 5));
      assertThat(verify(t, false).isClean()).isTrue();
      lose(t, "b");
      lose(t, "g");
      dangle(t, "x", 9);

      VerifyReport found = verify(t, false);
      assertThat(found.missing()).isEqualTo(2);
      assertThat(found.missingSamples())
          .extracting(e -> Bytes.toString(e.row()))
          .containsExactly("b", "g");
      assertThat(found.dangling()).isEqualTo(1);
      assertThat(found.danglingSamples())
          .extracting(e -> Bytes.toString(e.row()))
          .containsExactly("x");
      assertThat(found.cells()).isEqualTo(5);
      assertThat(found.entries()).isEqualTo(4);

      await("looks for what other servers left to be over")
          .atMost(Duration.ofSeconds(60))
          .until(() -> status(t).repairedUpTo() > 0);
      long waiting = waiting(t);
      assertThat(verify(t, true).missing()).isEqualTo(2);
      assertThat(verify(t, false).missing()).isZero();
      assertThat(t.entries()).containsAll(t.expected()).hasSize(6);
      assertThat(waiting(t)).isEqualTo(waiting + 1);
    }
  }

  private static long waiting(GlobalFixture t) throws Exception {
    return status(t).repairs();
  }

  private static IndexStatus.Global status(GlobalFixture t) throws Exception {
    try (Spyhop spyhop = Spyhop.connect(TestCluster.get().connection())) {
      return (IndexStatus.Global) spyhop.admin().status(t.name()).get(0);
    }
  }

  /** 400 entries of 30 KB, which one call may look at by their number, and not by their bytes. */
  @Test
  void aPageHasFewBytes() throws Exception {
    try (GlobalFixture t = new GlobalFixture()) {
      t.awaitLooked();
      for (int i = 0; i < 400; i++) {
        t.write(put(String.format("%05d", i) + "x".repeat(30_000), i));
      }
      Optional<byte[]> from = Optional.of(new byte[0]);
      long looked = 0;
      for (int pages = 0; from.isPresent() && pages < 400; pages++) {
        VerifyRequest request =
            new VerifyRequest(
                "v", t.definition().incarnation(), false, from.get(), 10_000, List.of());
        VerifyPage page =
            VerifyPage.decode(
                ServerCalls.ask(
                    t.table().coprocessorService(from.get()), Question.MISSING, request.encode()));
        assertThat(page.looked()).isBetween(1L, (4L << 20) / 30_000 + 1);
        assertThat(page.wrong()).isEmpty();
        looked += page.looked();
        from = page.next();
      }
      assertThat(from).isEmpty();
      assertThat(looked).isEqualTo(400);
      assertThat(verify(t, false).isClean()).isTrue();
    }
  }

  @Test
  void whatASyncIndexHasLetGoIsNotMissing() throws Exception {
    try (GlobalFixture t =
        new GlobalFixture(TestCluster.get(), f -> f, d -> d.maintenance(Maintenance.SYNC))) {
      t.awaitLooked();
      t.write(put("a", 1, 10));
      t.write(put("a", 2, 20));
      Regions.flush(TestCluster.get(), t.name());
      assertThat(verify(t, false).cells()).isEqualTo(1);
      assertThat(verify(t, false).missing()).isZero();
    }
  }

  /** Verification reads all of a row's markers. */
  @Test
  void aMarkerOfAnotherColumnHidesNoMissingEntry() throws Exception {
    try (GlobalFixture t =
        new GlobalFixture(TestCluster.get(), f -> f, d -> d.maintenance(Maintenance.SYNC))) {
      t.awaitLooked();
      t.write(put("a", 1, 10));
      t.table()
          .delete(
              new Delete(Bytes.toBytes("a"))
                  .addColumns(GlobalFixture.F, Bytes.toBytes("other"), 20));
      lose(t, "a");
      assertThat(verify(t, false).missing()).isEqualTo(1);
    }
  }

  @Test
  void writesUnderWayAreNoDefects() throws Exception {
    try (GlobalFixture t = new GlobalFixture(TestCluster.get(), f -> f, d -> d, "row5")) {
      t.awaitLooked();
      AtomicBoolean done = new AtomicBoolean();
      ExecutorService writer = Executors.newSingleThreadExecutor();
      try {
        Future<Long> written =
            writer.submit(
                () -> {
                  long n = 0;
                  while (!done.get()) {
                    t.table().put(put("row" + n % 10, n));
                    n++;
                  }
                  return n;
                });
        for (int i = 0; i < 10; i++) {
          VerifyReport report = verify(t, false);
          assertThat(report.missingSamples()).isEmpty();
          assertThat(report.danglingSamples()).isEmpty();
        }
        done.set(true);
        assertThat(written.get()).isPositive();
      } finally {
        done.set(true);
        writer.shutdown();
      }
    }
  }

  /** Rows are locked while they are looked at, and a reader must not have many of them so. */
  @Test
  void tooManyEntriesAreRefused() throws Exception {
    try (GlobalFixture t = new GlobalFixture()) {
      t.awaitBuilt();
      byte[] key = t.definition().type().codec().key(Bytes.toBytes(5L), 0, Long.BYTES).bytes();
      List<Entry> invented = new ArrayList<>();
      for (int i = 1; i <= EntryList.MOST_REPORTED; i++) {
        invented.add(new Entry(key, Bytes.toBytes("a"), i));
      }
      assertThat(dangling(t, invented).wrong()).isEmpty();
      invented.add(new Entry(key, Bytes.toBytes("a"), 0));
      assertThatThrownBy(() -> dangling(t, invented))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining("more than 10000 entries");
      EntryList reported = new EntryList("v", t.definition().incarnation(), invented);
      assertThatThrownBy(() -> ask(t, Question.REPAIR, reported.encode()))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining("more than 10000 entries");
    }
  }

  /** They are read before it is known who asks. */
  @Test
  void questionsOfTooManyBytesAreRefused() throws Exception {
    try (GlobalFixture t = new GlobalFixture()) {
      byte[] tooMany = new byte[10 << 20];
      for (Question question : List.of(Question.REPAIR, Question.MISSING)) {
        assertThatThrownBy(() -> ask(t, question, tooMany))
            .isInstanceOf(DoNotRetryIOException.class)
            .hasMessageContaining("10485760 bytes in one question");
      }
    }
  }

  private static byte[] ask(GlobalFixture t, Question question, byte[] payload) throws IOException {
    return ServerCalls.ask(t.table().coprocessorService(Bytes.toBytes("a")), question, payload);
  }

  private static VerifyPage dangling(GlobalFixture t, List<Entry> entries) throws IOException {
    VerifyRequest request =
        new VerifyRequest("v", t.definition().incarnation(), false, new byte[0], 1, entries);
    return VerifyPage.decode(ask(t, Question.DANGLING, request.encode()));
  }
}
