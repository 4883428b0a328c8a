package io.spyhop.server.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.core.io.IoFunction;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hbase.thirdparty.com.google.common.util.concurrent.Uninterruptibles;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class SharedReadingsTest {
  private final AtomicLong clock = new AtomicLong(1);
  private final SharedReadings<String, Integer> readings =
      new SharedReadings<>(clock::incrementAndGet);
  private final AtomicInteger read = new AtomicInteger();
  private final Queue<Integer> taken = new ConcurrentLinkedQueue<>();

  /** The reading under way began before the others came; one of them reads for all. */
  @Test
  void whoComesWhileOneReadsSharesTheNextReading() throws Exception {
    CountDownLatch reads = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    IoFunction<String, Integer> slow =
        key -> {
          reads.countDown();
          Uninterruptibles.awaitUninterruptibly(go);
          return read.incrementAndGet();
        };
    List<FutureTask<Void>> all = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      all.add(
          new FutureTask<>(
              () -> {
                readings.read("t", readings.now(), slow, taken::add);
                return null;
              }));
      threads.add(new Thread(all.get(i)));
      threads.get(i).start();
      reads.await();
    }
    Awaitility.await()
        .until(
            () ->
                threads.subList(1, 6).stream().allMatch(t -> t.getState() == Thread.State.BLOCKED));
    readings.read("another", readings.now(), key -> -1, taken::add);
    go.countDown();
    for (FutureTask<Void> one : all) {
      one.get();
    }
    assertThat(taken).containsExactly(-1, 1, 2, 2, 2, 2, 2);
    assertThat(readings.size()).isEqualTo(2);
    readings.forget();
    assertThat(readings.size()).isZero();
  }

  @Test
  void aFailureIsItsReadersAlone() throws IOException {
    IoFunction<String, Integer> failing =
        key -> {
          throw new IOException("out of reach");
        };
    assertThatThrownBy(() -> readings.read("t", readings.now(), failing, taken::add))
        .hasMessage("out of reach");
    readings.read("t", readings.now(), key -> 5, taken::add);
    readings.read("t", readings.now(), key -> 6, taken::add);
    assertThat(taken).containsExactly(5, 6);
  }

  /** Regions of a table that are asked in one call share a reading, which the call saw begin. */
  @Test
  void aReadingThatBeganAfterTheCallCameIsTaken() throws IOException {
    SharedReadings.Terms call = readings.now();
    for (int i = 0; i < 100; i++) {
      readings.read("t", call, key -> read.incrementAndGet(), taken::add);
    }
    assertThat(read.get()).isEqualTo(1);
    assertThat(taken).hasSize(100).containsOnly(1);
    SharedReadings.Terms later = new SharedReadings.Terms(call.after() + 1, Optional.empty());
    readings.read("t", later, key -> read.incrementAndGet(), taken::add);
    assertThat(taken).as("what began when the call came may be older than it").endsWith(2);
  }

  /** Beyond its ration a caller's calls wait, take one reading together, and hold up no other's. */
  @Test
  void aStormHasFewReadings() throws Exception {
    for (int i = 0; i < 10; i++) {
      readings.read("t", rationed("ann"), key -> read.incrementAndGet(), taken::add);
    }
    List<FutureTask<Void>> waiting = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      waiting.add(new FutureTask<>(this::readAsAnn, null));
      threads.add(new Thread(waiting.get(i)));
      threads.get(i).start();
    }
    awaitWaiting(threads);
    assertThatThrownBy(this::readAsAnn)
        .as("each that waits is a handler")
        .hasCauseInstanceOf(RegionTooBusyException.class)
        .hasMessageContaining("10 calls wait for the definitions of t");
    assertThat(read).hasValue(10);
    readings.read("another", rationed("ann"), key -> -1, taken::add);
    awaitWaiting(threads);
    clock.addAndGet(100_000_000);
    for (FutureTask<Void> one : waiting) {
      one.get();
    }
    assertThat(read).as("at the ration's pace, and shared").hasValue(11);
  }

  /** Who waits takes what others read meanwhile. */
  @Test
  void rationsAreEachCallersOwn() throws Exception {
    for (int i = 0; i < 10; i++) {
      readings.read("t", rationed("ann"), key -> read.incrementAndGet(), taken::add);
    }
    FutureTask<Void> ann = new FutureTask<>(this::readAsAnn, null);
    Thread thread = new Thread(ann);
    thread.start();
    awaitWaiting(List.of(thread));
    readings.read("t", rationed("bob"), key -> read.incrementAndGet(), taken::add);
    ann.get();
    assertThat(read).hasValue(11);
    readings.read("t", readings.now(), key -> read.incrementAndGet(), taken::add);
    assertThat(read).as("without a ration").hasValue(12);
    clock.addAndGet(1_000_000_000);
    for (int i = 0; i < 10; i++) {
      readings.read("t", rationed("ann"), key -> read.incrementAndGet(), taken::add);
    }
    assertThat(read).as("later there is a whole ration again").hasValue(22);
  }

  private void readAsAnn() {
    try {
      readings.read("t", rationed("ann"), key -> read.incrementAndGet(), taken::add);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void awaitWaiting(List<Thread> threads) {
    Awaitility.await()
        .until(() -> threads.stream().allMatch(t -> t.getState() == Thread.State.TIMED_WAITING));
  }

  private SharedReadings.Terms rationed(String caller) {
    return new SharedReadings.Terms(readings.now().after(), Optional.of(caller));
  }
}
