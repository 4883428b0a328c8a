package io.spyhop.client.internal.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.util.concurrent.Uninterruptibles;
import io.spyhop.client.internal.admin.LastKnown.Asker;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class LastKnownTest {
  private final VirtualTime time = new VirtualTime();
  private final AtomicInteger asked = new AtomicInteger();
  private final Queue<Runnable> beside = new ArrayDeque<>();
  private Duration untilSent = Duration.ZERO;
  private IOException failure;
  private final LastKnown<Integer> known =
      new LastKnown<>(this::answer, Duration.ofSeconds(2), time::nanos, beside::add);

  private int answer(Asker asker, Runnable sending) throws IOException {
    time.pass(untilSent);
    sending.run();
    int answer = asked.incrementAndGet();
    if (failure != null) {
      throw failure;
    }
    return asker == Asker.AGAIN ? -answer : answer;
  }

  private void runBeside() {
    while (!beside.isEmpty()) {
      beside.poll().run();
    }
  }

  @Test
  void whatIsKnownIsRefreshedBesideAndNotWaitedFor() throws IOException {
    assertThat(known.get()).isEqualTo(1);
    time.pass(Duration.ofSeconds(2));
    assertThat(known.get()).isEqualTo(1);
    assertThat(beside).isEmpty();
    time.pass(Duration.ofMillis(1));
    assertThat(known.get()).isEqualTo(1);
    assertThat(known.get()).isEqualTo(1);
    assertThat(beside).as("asked once").hasSize(1);
    runBeside();
    assertThat(known.get()).isEqualTo(2);
    assertThat(beside).isEmpty();
  }

  @Test
  void whatCannotBeAskedStaysAsItIs() throws IOException {
    known.get();
    failure = new IOException("nobody there");
    for (int i = 0; i < 3; i++) {
      time.pass(Duration.ofMillis(2001));
      assertThat(known.get()).isEqualTo(1);
      assertThat(known.get()).isEqualTo(1);
      assertThat(beside).as("asked again after a while").hasSize(1);
      runBeside();
    }
    assertThatThrownBy(known::refresh).isSameAs(failure);
    assertThatThrownBy(known::fresh).isSameAs(failure);
    assertThat(known.get()).isEqualTo(1);
  }

  @Test
  void anewIsAsTheFirstTime() throws IOException {
    assertThat(known.get()).isEqualTo(1);
    assertThat(known.anew()).as("though it is not old, and not to be read again").isEqualTo(2);
    assertThat(known.get()).isEqualTo(2);
  }

  @Test
  void theFirstAnswerIsNeeded() throws IOException {
    failure = new IOException("nobody there");
    assertThatThrownBy(known::get).isSameAs(failure);
    failure = null;
    assertThat(known.get()).isEqualTo(2);
  }

  @Test
  void anOlderAnswerDoesNotReplaceANewerOne() throws IOException {
    LastKnown<Integer> late =
        new LastKnown<>(this::slowlyBeside, Duration.ofSeconds(2), time::nanos, beside::add);
    assertThat(late.get()).isEqualTo(1);
    time.pass(Duration.ofSeconds(3));
    assertThat(late.get()).isEqualTo(1);
    meanwhile = () -> assertThat(late.refresh()).isEqualTo(-3);
    runBeside();
    assertThat(late.get()).isEqualTo(-3);
  }

  /** Something that may fail. */
  private interface Work {
    void run() throws IOException;
  }

  private Work meanwhile;

  private int slowlyBeside(Asker asker, Runnable sending) throws IOException {
    int answer = answer(asker, sending);
    if (meanwhile != null && asker != Asker.AGAIN) {
      time.pass(Duration.ofMillis(1));
      meanwhile.run();
    }
    return answer;
  }

  @Test
  void outdatedAndFresh() throws IOException {
    assertThat(known.fresh()).as("nothing is known that could lack something").isEqualTo(1);
    assertThat(known.fresh()).isEqualTo(1);
    time.pass(Duration.ofSeconds(3));
    assertThat(known.fresh()).isEqualTo(-2);
    known.outdate();
    assertThat(known.get()).isEqualTo(-2);
    runBeside();
    assertThat(known.get()).isEqualTo(3);
  }

  @Test
  void whatIsOlderThanItMayBeIsWaitedFor() throws IOException {
    Duration limit = Duration.ofSeconds(10);
    assertThat(known.within(limit)).as("nothing is known that could lack something").isEqualTo(1);
    time.pass(limit);
    assertThat(known.within(limit)).isEqualTo(1);
    assertThat(beside).as("refreshed beside").hasSize(1);
    time.pass(Duration.ofMillis(1));
    assertThat(known.within(limit)).isEqualTo(-2);
  }

  @Test
  void recentIsAskedForAsTheFirst() throws IOException {
    assertThat(known.recent()).isEqualTo(1);
    time.pass(Duration.ofSeconds(2));
    assertThat(known.recent()).isEqualTo(1);
    time.pass(Duration.ofMillis(1));
    assertThat(known.recent()).isEqualTo(2);
  }

  @Test
  void whatIsForgottenIsNotBroughtBackByAnOldAnswer() throws IOException {
    LastKnown<Integer> late =
        new LastKnown<>(this::slowlyBeside, Duration.ofSeconds(2), time::nanos, beside::add);
    assertThat(late.get()).isEqualTo(1);
    time.pass(Duration.ofSeconds(3));
    assertThat(late.get()).isEqualTo(1);
    meanwhile = late::forget;
    runBeside();
    meanwhile = null;
    assertThat(late.get()).as("asked anew").isEqualTo(3);
    assertThat(late.get()).isEqualTo(3);
  }

  @Test
  void aRefusalToRunIsTriedAgain() throws IOException {
    LastKnown<Integer> refused =
        new LastKnown<>(
            this::answer,
            Duration.ofSeconds(2),
            time::nanos,
            task -> {
              throw new RejectedExecutionException();
            });
    assertThat(refused.get()).isEqualTo(1);
    time.pass(Duration.ofSeconds(3));
    assertThat(refused.get()).isEqualTo(1);
    assertThat(refused.fresh()).isEqualTo(-2);
    assertThat(refused.get()).isEqualTo(-2);
  }

  @Test
  void anAnswerIsAsOldAsTheQuestionThatWasAnswered() throws IOException {
    untilSent = Duration.ofSeconds(3);
    assertThat(known.fresh()).isEqualTo(1);
    assertThat(known.fresh()).as("waited for another one in vain before").isEqualTo(1);
    time.pass(Duration.ofMillis(2001));
    assertThat(known.fresh()).isEqualTo(-2);
  }

  /** Of the threads that come while one asks, one asks after it, and the others take its answer. */
  @Test
  void whoComesWhileOneAsksSharesTheNextAnswer() throws Exception {
    assertThat(shared(LastKnown::refresh)).containsOnly("-2").hasSize(5);
    assertThat(asked).hasValue(2);
  }

  @Test
  void aFailureIsSharedToo() throws Exception {
    failure = new IOException("nobody there");
    assertThat(shared(LastKnown::get)).containsOnly("nobody there").hasSize(5);
    assertThat(asked).hasValue(2);
  }

  /** Something that waits. */
  private interface Need {
    Integer ask(LastKnown<Integer> known) throws IOException;
  }

  /** What five are told who come while another one asks. */
  private List<String> shared(Need need) throws Exception {
    CountDownLatch asks = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    LastKnown<Integer> slow =
        new LastKnown<>(
            (asker, sending) -> {
              asks.countDown();
              Uninterruptibles.awaitUninterruptibly(go);
              return answer(asker, sending);
            },
            Duration.ofSeconds(2),
            time::nanos,
            beside::add);
    List<FutureTask<String>> all = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      all.add(new FutureTask<>(() -> told(need, slow)));
      threads.add(new Thread(all.get(i)));
      threads.get(i).start();
      asks.await();
    }
    Awaitility.await()
        .until(
            () ->
                threads.subList(1, 6).stream().allMatch(t -> t.getState() == Thread.State.WAITING));
    go.countDown();
    List<String> told = new ArrayList<>();
    for (FutureTask<String> one : all.subList(1, 6)) {
      told.add(one.get());
    }
    return told;
  }

  private static String told(Need need, LastKnown<Integer> known) {
    try {
      return String.valueOf(need.ask(known));
    } catch (IOException e) {
      return e.getMessage();
    }
  }
}
