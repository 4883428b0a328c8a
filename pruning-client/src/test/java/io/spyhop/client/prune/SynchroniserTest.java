package io.spyhop.client.prune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.client.exec.RowRange;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SynchroniserTest {
  private static final Duration LONG = Duration.ofHours(1);

  private final ExecutorService queries = Executors.newCachedThreadPool();
  private final AtomicLong rounds = new AtomicLong();
  private final ConcurrentLinkedQueue<Long> sent = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<List<RowRange>> asked = new ConcurrentLinkedQueue<>();

  @AfterEach
  void end() {
    queries.shutdownNow();
  }

  private Synchroniser synchroniser(Duration interval, Semaphore answers) {
    return new Synchroniser(
        (ranges, round) -> {
          sent.add(round);
          asked.add(ranges);
          answers.acquireUninterruptibly();
        },
        interval,
        rounds,
        System::nanoTime);
  }

  private Future<Long> query(Synchroniser s, boolean atOnce) {
    return queries.submit(
        () -> {
          long began = s.lastSent();
          s.next(List.of(RowRange.ALL), atOnce);
          return began;
        });
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
    assertThat(asked).last().satisfies(ranges -> assertThat(ranges).hasSize(20));
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
      s.next(List.of(RowRange.ALL), false);
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
                s.next(List.of(RowRange.ALL), true);
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
            (ranges, round) -> {
              throw new IllegalStateException("defect");
            },
            Duration.ZERO,
            rounds,
            System::nanoTime);
    assertThatThrownBy(() -> s.next(List.of(RowRange.ALL), true)).hasMessage("defect");
    assertThatThrownBy(() -> s.next(List.of(RowRange.ALL), true)).hasMessage("defect");
    assertThat(rounds).hasValue(2);
  }
}
