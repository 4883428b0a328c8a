package io.spyhop.client.internal.prune;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.client.Consistency;
import io.spyhop.client.internal.exec.RowRanges;
import io.spyhop.client.internal.exec.ScanPool;
import io.spyhop.core.predicate.Predicates;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.util.Bytes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Queries of a table with many regions on each of two servers. */
class DigestsTest {
  private static final int REGIONS = 100;
  private static final long ABSENT = -1;
  private static final ServerName SECOND = ServerName.valueOf("second", 1, 1);

  private final FakeRegions regions =
      new FakeRegions(
          IntStream.range(0, REGIONS).mapToObj(DigestsTest::start).toArray(String[]::new));
  private final ScanPool pool = new ScanPool(4, 100);
  private final AtomicLong clock = new AtomicLong();
  private final PruningCounters counters = new PruningCounters();
  private final TablePruning pruning =
      new TablePruning(
          FakeRegions.TABLE,
          new KeySpace(regions::locations, Duration.ofHours(1), System::nanoTime, Runnable::run),
          new StatisticsCache(1 << 20, () -> REGIONS),
          regions,
          regions::digest,
          32,
          counters,
          Duration.ZERO,
          pool,
          clock::get);

  private static String start(int region) {
    return region == 0 ? "" : String.format("r%03d", region);
  }

  @BeforeEach
  void begin() throws IOException {
    for (int i = 0; i < REGIONS; i++) {
      if (i % 2 == 0) {
        regions.servers.put(start(i), SECOND);
      }
      regions.write(i == 0 ? "a" : start(i), i);
    }
    assertThat(ask(ABSENT)).isEmpty();
    regions.asked.set(0);
  }

  @AfterEach
  void end() {
    pool.close();
  }

  /** The start keys of regions that a query for a value reads. */
  private List<String> ask(long value) throws IOException {
    return ask(value, Consistency.STRICT);
  }

  private List<String> ask(long value, Consistency consistency) throws IOException {
    PrunedQuery question =
        new PrunedQuery(
            FakeRegions.bind(Predicates.column("n").eq(value)),
            List.of(Bytes.toBytes("d")),
            RowRanges.ALL,
            consistency);
    return pruning.decide(question).stream()
        .filter(p -> !p.isPruned())
        .map(p -> Bytes.toString(p.range().start()))
        .toList();
  }

  @Test
  void oneCallTellsThatNoneOfAServersRegionsHasChanged() throws IOException {
    assertThat(ask(ABSENT)).isEmpty();
    assertThat(ask(7)).containsExactly("r007");
    assertThat(regions.asked).hasValue(0);
    assertThat(regions.digests).hasValue(4);
    assertThat(counters.regionsPruned.sum()).isZero();
  }

  @Test
  void whatHasChangedIsAskedAndSeen() throws IOException {
    for (int i = 0; i < 10; i++) {
      regions.write(start(40 + i) + "new", 2_000 + i);
      assertThat(ask(2_000 + i)).containsExactly(start(40 + i));
      assertThat(regions.asked).hasValue(i + 1);
    }
  }

  /** Rule 19: the write is acknowledged after a server has looked, before its answer arrives. */
  @Test
  void aDigestThatWasUnderWayWhenTheQueryBeganProvesNothing() throws Exception {
    ask(ABSENT);
    AtomicBoolean first = new AtomicBoolean(true);
    CompletableFuture<List<String>> second = new CompletableFuture<>();
    regions.onTheWayBack =
        () -> {
          if (first.getAndSet(false)) {
            regions.write("r050new", 3_000);
            regions.write("r051new", 3_000);
            new Thread(() -> complete(second, 3_000)).start();
            Awaitility.await().until(() -> pruning.waitingQueries() == 1);
          }
        };
    ask(ABSENT);
    assertThat(second.get()).containsExactly("r050", "r051");
  }

  private void complete(CompletableFuture<List<String>> answer, long value) {
    try {
      answer.complete(ask(value));
    } catch (IOException e) {
      answer.completeExceptionally(e);
    }
  }

  @Test
  void aRegionThatMovedIsAskedItself() throws IOException {
    ask(ABSENT);
    regions.servers.put("r051", SECOND);
    regions.write("r051new", 4_000);
    assertThat(ask(4_000)).containsExactly("r051");
    assertThat(regions.asked).hasValue(1);
    assertThat(ask(4_001)).isEmpty();
  }

  /** Its digest says nothing of the client's old summary, whatever it says of others. */
  @Test
  void aRegionThatWasSplitIsAskedItself() throws IOException {
    ask(ABSENT);
    regions.served.put("r052m", new ArrayList<>());
    regions.write("r052x", 5_000);
    assertThat(ask(5_000)).containsExactly("r052m");
  }

  @Test
  void serversWithoutDigestsHaveTheirRegionsAsked() throws IOException {
    regions.withoutDigests = true;
    regions.write("r053new", 6_000);
    assertThat(ask(6_000)).containsExactly("r053");
    assertThat(regions.digests).hasValue(2);
    assertThat(ask(ABSENT)).isEmpty();
    assertThat(regions.digests).as("known to have none").hasValue(2);
    regions.withoutDigests = false;
    clock.addAndGet(Duration.ofMinutes(1).toNanos());
    regions.asked.set(0);
    assertThat(ask(ABSENT)).isEmpty();
    assertThat(regions.asked).hasValue(0);
  }

  @Test
  void youngDigestsAreEnoughForBoundedQueries() throws IOException {
    Consistency second = Consistency.bounded(Duration.ofSeconds(1));
    clock.set(Duration.ofMinutes(1).toNanos());
    ask(ABSENT);
    regions.digests.set(0);
    regions.write("r054new", 7_000);
    clock.addAndGet(Duration.ofMillis(999).toNanos());
    assertThat(ask(7_000, second)).as("younger than the bound").isEmpty();
    assertThat(regions.digests).hasValue(0);
    clock.addAndGet(Duration.ofMillis(2).toNanos());
    assertThat(ask(7_000, second)).containsExactly("r054");
  }

  @Test
  void batchedQueriesSeeWhatWasAcknowledged() throws IOException {
    regions.write("r055new", 8_000);
    assertThat(ask(8_000, Consistency.BATCHED)).containsExactly("r055");
    assertThat(regions.asked).hasValue(1);
  }
}
