package io.spyhop.client.internal.prune;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.client.Consistency;
import io.spyhop.client.internal.exec.ReadDemand;
import io.spyhop.client.internal.exec.RowRange;
import io.spyhop.client.internal.exec.RowRanges;
import io.spyhop.client.internal.exec.RowStream;
import io.spyhop.client.internal.exec.ScanPool;
import io.spyhop.core.predicate.Predicate;
import io.spyhop.core.predicate.Predicates;
import io.spyhop.core.protocol.SummaryRequest;
import io.spyhop.core.prune.ScanState;
import io.spyhop.core.stats.ColumnUse;
import io.spyhop.core.stats.CompactSummary;
import io.spyhop.core.value.ValueType;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrunedRowsTest {
  private final FakeRegions regions = new FakeRegions("", "g", "p");
  private final ScanPool pool = new ScanPool(4, 100);
  private final ExecutorService queries = Executors.newCachedThreadPool();
  private final AtomicLong clock = new AtomicLong();
  private final StatisticsCache cache = new StatisticsCache(1 << 20, () -> 3);
  private final KeySpace keys =
      new KeySpace(regions::locations, Duration.ofHours(1), System::nanoTime, Runnable::run);
  private final TablePruning pruning = pruning(cache);

  private TablePruning pruning(StatisticsCache known) {
    return new TablePruning(
        FakeRegions.TABLE,
        keys,
        known,
        regions,
        regions::digest,
        32,
        new PruningCounters(),
        Duration.ZERO,
        pool,
        clock::get);
  }

  @AfterEach
  void end() {
    queries.shutdownNow();
    pool.close();
  }

  private PrunedRows rows(long from, long to, RowRange range, Consistency consistency) {
    return rows(from, to, range, consistency, new ReadDemand(ReadDemand.ALL, 100));
  }

  private PrunedRows rows(
      long from, long to, RowRange range, Consistency consistency, ReadDemand demand) {
    PrunedQuery question =
        new PrunedQuery(
            FakeRegions.bind(Predicates.column("n").between(from, to)),
            List.of(Bytes.toBytes("d")),
            RowRanges.of(range),
            consistency);
    PrunedRows.Reader reader =
        (parts, states, wanted, now) ->
            RowStream.of(parts, part -> regions.scan(part, from, to), pool, wanted, now);
    return new PrunedRows(pruning, question, reader, demand);
  }

  private List<String> ask(long from, long to, RowRange range, Consistency consistency)
      throws IOException {
    List<String> keys = new ArrayList<>();
    try (PrunedRows rows = rows(from, to, range, consistency)) {
      for (Result r = rows.next(); r != null; r = rows.next()) {
        keys.add(Bytes.toString(r.getRow()));
      }
    }
    return keys;
  }

  private List<String> ask(long from, long to) throws IOException {
    return ask(from, to, RowRange.ALL, Consistency.STRICT);
  }

  @Test
  void readsOnlyRegionsThatMayMatch() throws IOException {
    regions.write("a", 1);
    regions.write("h", 10);
    regions.write("q", 20);
    assertThat(ask(5, 15)).containsExactly("h");
    assertThat(regions.scanned).containsExactly(FakeRegions.range("g", "p"));
    assertThat(pruning.counters().regionsPruned.sum()).isEqualTo(2);
    assertThat(ask(100, 200)).isEmpty();
    assertThat(regions.scanned).hasSize(1);
  }

  /** Statistics of regions behind are not waited for, and not even asked for. */
  @Test
  void whoWantsFewRowsAsksOneRegionAfterTheOther() throws IOException {
    regions.write("a", 1);
    regions.write("h", 10);
    regions.write("q", 10);
    CountDownLatch answers = new CountDownLatch(1);
    regions.hanging.put("p", answers);
    ReadDemand one = new ReadDemand(1, 100);
    try (PrunedRows rows = rows(1, 15, RowRange.ALL, Consistency.STRICT, one)) {
      assertThat(Bytes.toString(rows.next().getRow())).isEqualTo("a");
      assertThat(regions.requests).containsOnlyKeys("");
      assertThat(rows.parts()).hasSize(1);
      answers.countDown();
      assertThat(Bytes.toString(rows.next().getRow())).isEqualTo("h");
      assertThat(Bytes.toString(rows.next().getRow())).isEqualTo("q");
      assertThat(rows.next()).isNull();
      assertThat(rows.parts()).hasSize(3);
    }
    assertThat(pruning.counters().queries.sum()).isEqualTo(1);
    try (PrunedRows rows = rows(5, 15, RowRange.ALL, Consistency.STRICT, one)) {
      assertThat(Bytes.toString(rows.next().getRow())).isEqualTo("h");
    }
    assertThat(pruning.counters().regionsPruned.sum()).isEqualTo(1);
  }

  @Test
  void eachRegionIsAskedForWhatIsNewSinceItsOwnAnswer() throws IOException {
    ask(100, 200);
    assertThat(regions.requests.values()).hasSize(3).containsOnly(SummaryRequest.first());
    for (String start : regions.listed) {
      CompactSummary known = cache.get(FakeRegions.TABLE, Bytes.toBytes(start)).get().summary();
      regions.requests.put(start, new SummaryRequest(known.epoch(), known.version()));
    }
    Map<String, SummaryRequest> expected = new TreeMap<>(regions.requests);
    ask(100, 200);
    assertThat(regions.requests).isEqualTo(expected);
  }

  /** Queries of other servers' regions go on, one round after the other. */
  @Test
  void aSilentRegionHoldsUpItsOwnQueriesAlone() throws Exception {
    regions.servers.put("p", ServerName.valueOf("other", 1, 1));
    CountDownLatch answers = new CountDownLatch(1);
    regions.hanging.put("p", answers);
    Future<List<String>> all = queries.submit(() -> ask(100, 200));
    Awaitility.await().until(() -> regions.requests.containsKey("p"));
    for (int i = 0; i < 3; i++) {
      Future<List<String>> healthy =
          queries.submit(() -> ask(100, 200, FakeRegions.range("", "p"), Consistency.STRICT));
      assertThat(healthy.get(30, TimeUnit.SECONDS)).isEmpty();
    }
    assertThat(all).isNotDone();
    answers.countDown();
    assertThat(all.get(30, TimeUnit.SECONDS)).isEmpty();
    assertThat(pruning.waitingQueries()).isZero();
  }

  /** Once known to be silent it does not hold up those of its own server either. */
  @Test
  void aSilentRegionIsCalledByItself() throws Exception {
    TablePruning forgetful = pruning(new StatisticsCache(0, () -> 3));
    regions.silent = List.of("p");
    forgetful.decide(question(RowRange.ALL));
    CountDownLatch answers = new CountDownLatch(1);
    regions.hanging.put("p", answers);
    regions.requests.clear();
    Future<List<Part>> all = queries.submit(() -> forgetful.decide(question(RowRange.ALL)));
    Awaitility.await().until(() -> regions.requests.containsKey("p"));
    Future<List<Part>> healthy =
        queries.submit(() -> forgetful.decide(question(FakeRegions.range("", "p"))));
    assertThat(healthy.get(30, TimeUnit.SECONDS)).hasSize(2);
    assertThat(all).isNotDone();
    answers.countDown();
    assertThat(all.get(30, TimeUnit.SECONDS)).hasSize(3);
  }

  private static PrunedQuery question(RowRange range) {
    return new PrunedQuery(
        FakeRegions.bind(Predicates.column("n").eq(7)),
        List.of(Bytes.toBytes("d")),
        RowRanges.of(range),
        Consistency.STRICT);
  }

  @Test
  void nothingIsAskedBeforeTheFirstRowIs() throws IOException {
    rows(0, 1, RowRange.ALL, Consistency.STRICT).close();
    assertThat(regions.asked).hasValue(0);
    try (PrunedRows rows = rows(0, 1, RowRange.ALL, Consistency.STRICT)) {
      assertThat(rows.parts()).isEmpty();
    }
  }

  @Test
  void regionsThatMayMatchAreReadWithoutARequest() throws IOException {
    regions.write("a", 1);
    regions.write("h", 1);
    regions.write("q", 1);
    ask(1, 1);
    int asked = regions.asked.get();
    assertThat(ask(1, 1)).containsExactly("a", "h", "q");
    assertThat(regions.asked).hasValue(asked);
  }

  @ParameterizedTest
  @ValueSource(strings = {"strict", "batched", "bounded:0"})
  void writesThatWereAcknowledgedBeforeAreSeen(String consistency) throws IOException {
    Consistency level = Consistency.parse(consistency);
    regions.write("a", 1);
    assertThat(ask(50, 60, RowRange.ALL, level)).isEmpty();
    for (int i = 0; i < 20; i++) {
      String row = "h" + i;
      regions.write(row, 50 + i);
      assertThat(ask(50 + i, 50 + i, RowRange.ALL, level)).containsExactly(row);
    }
  }

  @Test
  void boundedNeedsNoRequestWhileStatisticsAreYoungEnough() throws IOException {
    Consistency second = Consistency.bounded(Duration.ofSeconds(1));
    regions.write("a", 1);
    clock.set(1);
    assertThat(ask(50, 60, RowRange.ALL, second)).isEmpty();
    int asked = regions.asked.get();
    regions.write("h", 55);
    clock.set(Duration.ofSeconds(1).toNanos());
    assertThat(ask(50, 60, RowRange.ALL, second)).as("younger than the bound").isEmpty();
    assertThat(regions.asked).hasValue(asked);
    clock.set(Duration.ofSeconds(1).toNanos() + 2);
    assertThat(ask(50, 60, RowRange.ALL, second)).containsExactly("h");
  }

  /**
   * Correctness rule 19: the write is acknowledged, and the query begins, between the regions'
   * answer and its arrival.
   */
  @ParameterizedTest
  @ValueSource(strings = {"strict", "batched", "bounded:0"})
  void anAnswerThatWasUnderWayWhenTheQueryBeganProvesNothing(String consistency) throws Exception {
    AtomicReference<Future<List<String>>> second = new AtomicReference<>();
    regions.onTheWayBack =
        () -> {
          regions.onTheWayBack = () -> {};
          regions.write("h", 55);
          second.set(
              queries.submit(() -> ask(50, 60, RowRange.ALL, Consistency.parse(consistency))));
          Awaitility.await().until(() -> pruning.waitingQueries() == 1);
        };
    ask(50, 60);
    assertThat(second.get().get()).containsExactly("h");
  }

  @Test
  void whatTheAnswerMakesNecessaryIsReadInOrder() throws IOException {
    regions.write("a", 50);
    regions.write("h", 1);
    regions.write("q", 50);
    assertThat(ask(50, 50)).containsExactly("a", "q");
    regions.write("h", 50);
    regions.write("r", 50);
    assertThat(ask(50, 50)).containsExactly("a", "h", "q", "r");
  }

  @Test
  void aRegionThatDoesNotAnswerIsRead() throws IOException {
    regions.write("h", 7);
    regions.silent = List.of("g");
    assertThat(ask(7, 7)).containsExactly("h");
    assertThat(ask(8, 8)).isEmpty();
    assertThat(regions.scanned).contains(FakeRegions.range("g", "p"));
  }

  @Test
  void aRequestThatFailsCostsTimeAndNoRows() throws IOException {
    regions.onTheWayBack =
        () -> {
          throw new IllegalStateException("connection lost");
        };
    regions.write("h", 7);
    assertThat(ask(7, 7)).containsExactly("h");
  }

  @Test
  void aSplitThatTheClientHasNotHeardOfHidesNothing() throws IOException {
    regions.write("h", 1);
    assertThat(ask(7, 7)).isEmpty();
    regions.served.put("k", new ArrayList<>());
    regions.write("l", 7);
    assertThat(ask(7, 7)).containsExactly("l");
    regions.listed = List.of("", "g", "k", "p");
    assertThat(ask(7, 7)).containsExactly("l");
    assertThat(ask(7, 7)).containsExactly("l");
    assertThat(regions.scanned).last().isEqualTo(FakeRegions.range("k", "p"));
  }

  @Test
  void aMergerThatTheClientHasNotHeardOfHidesNothing() throws IOException {
    regions.write("h", 1);
    assertThat(ask(7, 7)).isEmpty();
    regions.served.remove("p");
    regions.write("q", 7);
    assertThat(ask(7, 7)).containsExactly("q");
    regions.listed = List.of("", "g");
    assertThat(ask(7, 7)).containsExactly("q");
    assertThat(ask(8, 8)).isEmpty();
  }

  @Test
  void keepsToTheRange() throws IOException {
    regions.write("a", 1);
    regions.write("h", 1);
    regions.write("i", 1);
    regions.write("q", 1);
    RowRange range = FakeRegions.range("b", "i");
    assertThat(ask(1, 1, range, Consistency.STRICT)).containsExactly("h");
    assertThat(ask(2, 2, range, Consistency.STRICT)).isEmpty();
    assertThat(regions.asked).as("the third region has no such rows").hasValue(4);
  }

  @Test
  void anEvictedRegionIsAskedAgain() throws IOException {
    StatisticsCache none = new StatisticsCache(0, () -> 3);
    regions.write("h", 7);
    CompactSummary packed =
        CompactSummary.of(
            FakeRegions.summary("", "g", List.of()), c -> c, c -> ColumnUse.POINTS, 0);
    none.put(FakeRegions.TABLE, new byte[0], new StatisticsCache.Known(packed, 1, 0, 0));
    assertThat(none.get(FakeRegions.TABLE, new byte[0])).isEmpty();
    assertThat(pruning(none).decide(question(RowRange.ALL)))
        .as("nothing stays in the cache, and all is read")
        .extracting(p -> p.decision().state())
        .containsOnly(ScanState.RSM);
  }

  @Test
  void predicatesThatStatisticsCannotAnswerAreKnown() {
    assertThat(prunable(Predicates.column("n").eq(7))).isTrue();
    assertThat(
            Prunability.canPrune(
                FakeRegions.bind(
                    Predicates.or(
                        Predicates.column("n").eq(7),
                        Predicates.column("d:other", ValueType.LONG).eq(1))),
                FakeRegions.SCHEMA))
        .isFalse();
  }

  private static boolean prunable(Predicate predicate) {
    return Prunability.canPrune(FakeRegions.bind(predicate), FakeRegions.SCHEMA);
  }
}
