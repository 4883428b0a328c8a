package io.spyhop.client.internal.prune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.client.internal.exec.RowRange;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@SuppressWarnings({"FutureReturnValueIgnored", "ThreadPriorityCheck"})
class SynchroniserTest {
  private static final Duration LONG = Duration.ofHours(1);

  private final ExecutorService queries = Executors.newCachedThreadPool();
  private final AtomicLong rounds = new AtomicLong();
  private final ConcurrentLinkedQueue<Long> sent = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<List<String>> asked = new ConcurrentLinkedQueue<>();

  /** Regions that start where ranges do; capital letters are on a server of their own. */
  private abstract static class Regions implements Synchroniser.Exchange {
    static List<HRegionLocation> regions(List<RowRange> ranges) {
      return ranges.stream().map(Regions::region).toList();
    }

    private static HRegionLocation region(RowRange range) {
      RegionInfo region =
          RegionInfoBuilder.newBuilder(TableName.valueOf("t")).setStartKey(range.start()).build();
      boolean own = Character.isUpperCase((name(range.start()) + " ").charAt(0));
      return new HRegionLocation(region, ServerName.valueOf("host", own ? 2 : 1, 1));
    }

    static String name(byte[] start) {
      return Bytes.toString(start);
    }

    /** Regions with an s at their names' end. */
    @Override
    public boolean isSilent(HRegionLocation region) {
      return name(region.getRegion().getStartKey()).endsWith("s");
    }
  }

  @AfterEach
  void end() {
    queries.shutdownNow();
  }

  private Synchroniser synchroniser(Duration interval, Semaphore answers) {
    return new Synchroniser(
        new Regions() {
          @Override
          public void send(
              List<HRegionLocation> regions,
              long round,
              Consumer<Collection<HRegionLocation>> ended) {
            sent.add(round);
            asked.add(
                regions.stream().map(r -> name(r.getRegion().getStartKey())).sorted().toList());
            answers.acquireUninterruptibly();
            ended.accept(regions);
          }
        },
        interval,
        rounds,
        System::nanoTime);
  }

  private Future<Long> query(Synchroniser s, boolean atOnce) {
    return query(s, atOnce, "");
  }

  private Future<Long> query(Synchroniser s, boolean atOnce, String... starts) {
    List<RowRange> ranges =
        Arrays.stream(starts).map(b -> new RowRange(Bytes.toBytes(b), new byte[0])).toList();
    return queries.submit(
        () -> {
          long began = s.lastSent();
          s.next(Regions.regions(ranges), atOnce);
          return began;
        });
  }

  @Test
  void aRegionDoesNotWaitForAnother() throws Exception {
    Semaphore answers = new Semaphore(0);
    Synchroniser s = synchroniser(Duration.ZERO, answers);
    query(s, true, "a");
    awaitSent(1);
    query(s, true, "b");
    awaitSent(2);
    query(s, true, "a", "b", "c");
    Awaitility.await().until(() -> s.waitingQueries() == 1);
    Future<Long> last = query(s, true, "d");
    awaitSent(3);
    answers.release(10);
    last.get();
    awaitSent(4);
    assertThat(asked)
        .containsExactly(List.of("a"), List.of("b"), List.of("c", "d"), List.of("a", "b"));
  }

  @Test
  void whatWaitsForTheSameServerIsTakenAlong() throws Exception {
    Synchroniser s = synchroniser(LONG, new Semaphore(100));
    query(s, false, "a").get();
    Future<Long> second = query(s, false, "b");
    Future<Long> third = query(s, false, "C");
    Awaitility.await().until(() -> s.waitingQueries() == 2);
    query(s, true, "a").get();
    second.get();
    assertThat(asked).containsExactly(List.of("a"), List.of("a", "b"));
    assertThat(third).isNotDone();
  }

  @Test
  void whatIsSilentIsLeftToThoseWhoWaitForIt() throws Exception {
    Synchroniser s = synchroniser(LONG, new Semaphore(100));
    query(s, false, "a").get();
    Future<Long> second = query(s, false, "b");
    Future<Long> third = query(s, false, "s");
    Awaitility.await().until(() -> s.waitingQueries() == 2);
    query(s, true, "a").get();
    second.get();
    assertThat(asked).containsExactly(List.of("a"), List.of("a", "b"));
    assertThat(third).isNotDone();
    query(s, true, "s").get();
    third.get();
    assertThat(asked).last().isEqualTo(List.of("s"));
  }

  /** Many queries of random regions all end, and each region is asked by one of them at a time. */
  @Test
  void manyQueriesOfSomeRegionsEach() throws Exception {
    Set<String> underWay = ConcurrentHashMap.newKeySet();
    Queue<String> twice = new ConcurrentLinkedQueue<>();
    Synchroniser s =
        new Synchroniser(
            new Regions() {
              @Override
              public void send(
                  List<HRegionLocation> regions,
                  long round,
                  Consumer<Collection<HRegionLocation>> ended) {
                for (HRegionLocation r : regions) {
                  String name = name(r.getRegion().getStartKey());
                  if (!underWay.add(name)) {
                    twice.add(name);
                  }
                }
                for (HRegionLocation r : regions) {
                  Thread.yield();
                  underWay.remove(name(r.getRegion().getStartKey()));
                  ended.accept(List.of(r));
                }
              }
            },
            Duration.ofNanos(1000),
            rounds,
            System::nanoTime);
    List<Future<?>> all = new ArrayList<>();
    for (int t = 0; t < 8; t++) {
      Random random = new Random(t);
      all.add(
          queries.submit(
              () -> {
                for (int i = 0; i < 500; i++) {
                  int from = random.nextInt(10);
                  List<RowRange> ranges = new ArrayList<>();
                  for (int r = from; r <= from + random.nextInt(6); r++) {
                    ranges.add(new RowRange(Bytes.toBytes("r" + r), new byte[0]));
                  }
                  s.next(Regions.regions(ranges), random.nextBoolean());
                }
                return null;
              }));
    }
    for (Future<?> f : all) {
      f.get(60, TimeUnit.SECONDS);
    }
    assertThat(twice).isEmpty();
    assertThat(s.waitingQueries()).isZero();
  }

  private void awaitSent(int count) {
    Awaitility.await().until(() -> sent.size() == count);
  }

  @Test
  void aQueryAlwaysWaitsForARoundThatIsSentAfterItBegan() throws Exception {
    Semaphore answers = new Semaphore(0);
    Synchroniser s = synchroniser(Duration.ZERO, answers);
    Future<Long> first = query(s, true);
    awaitSent(1);
    Future<Long> second = query(s, true);
    Awaitility.await().until(() -> s.waitingQueries() == 1);
    answers.release();
    first.get();
    awaitSent(2);
    assertThat(second).as("answered after the query began, but sent before").isNotDone();
    answers.release();
    assertThat(second.get()).as("rounds sent when the second query began").isEqualTo(1);
    assertThat(sent).containsExactly(1L, 2L);
  }

  @Test
  void queriesThatBeginWhileOneIsUnderWayShareTheNext() throws Exception {
    Semaphore answers = new Semaphore(0);
    Synchroniser s = synchroniser(Duration.ZERO, answers);
    Future<Long> first = query(s, true);
    awaitSent(1);
    List<Future<Long>> others = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      others.add(query(s, i % 2 == 0));
    }
    Awaitility.await().until(() -> s.waitingQueries() == 20);
    answers.release(2);
    first.get();
    for (Future<Long> other : others) {
      other.get();
    }
    assertThat(sent).containsExactly(1L, 2L);
    assertThat(asked).containsOnly(List.of(""));
  }

  @Test
  void batchedQueriesLeaveAnIntervalBetweenRounds() throws Exception {
    Synchroniser s = synchroniser(LONG, new Semaphore(100));
    query(s, false).get();
    Future<Long> second = query(s, false);
    Awaitility.await().until(() -> s.waitingQueries() == 1);
    assertThat(sent).hasSize(1);
    query(s, true).get();
    second.get();
    assertThat(sent).as("the strict query's round served the batched one").hasSize(2);
  }

  @Test
  void batchedQueriesAreServedWhenTheIntervalHasPassed() throws Exception {
    Synchroniser s = synchroniser(Duration.ofMillis(5), new Semaphore(1000));
    long start = System.nanoTime();
    for (int i = 0; i < 10; i++) {
      s.next(Regions.regions(List.of(RowRange.ALL)), false);
    }
    assertThat(Duration.ofNanos(System.nanoTime() - start))
        .isGreaterThanOrEqualTo(Duration.ofMillis(45));
    assertThat(sent).hasSize(10);
  }

  @Test
  void aQueryThatIsInterruptedLeavesItsRoundToOthers() throws Exception {
    Semaphore answers = new Semaphore(0);
    Synchroniser s = synchroniser(Duration.ZERO, answers);
    Future<Long> first = query(s, true);
    awaitSent(1);
    CompletableFuture<Throwable> thrown = new CompletableFuture<>();
    CountDownLatch started = new CountDownLatch(1);
    Thread impatient =
        new Thread(
            () -> {
              started.countDown();
              try {
                s.next(Regions.regions(List.of(RowRange.ALL)), true);
              } catch (InterruptedIOException e) {
                thrown.complete(e);
              }
            });
    impatient.start();
    started.await();
    impatient.interrupt();
    assertThat(thrown.get()).isInstanceOf(InterruptedIOException.class);
    Future<Long> third = query(s, true);
    answers.release(2);
    first.get();
    third.get();
    assertThat(sent).hasSize(2);
  }

  @Test
  void aRoundThatFailsEndsItsWaitersWait() {
    Synchroniser s =
        new Synchroniser(
            new Regions() {
              @Override
              public void send(
                  List<HRegionLocation> regions,
                  long round,
                  Consumer<Collection<HRegionLocation>> ended) {
                throw new IllegalStateException("defect");
              }
            },
            Duration.ZERO,
            rounds,
            System::nanoTime);
    assertThatThrownBy(() -> s.next(Regions.regions(List.of(RowRange.ALL)), true))
        .hasMessage("defect");
    assertThatThrownBy(() -> s.next(Regions.regions(List.of(RowRange.ALL)), true))
        .hasMessage("defect");
    assertThat(rounds).hasValue(2);
  }
}
