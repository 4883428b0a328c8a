package io.spyhop.server.index.local.upkeep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
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
    SharedReadings.Reader<String, Integer> slow =
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
    SharedReadings.Reader<String, Integer> failing =
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
    SharedReadings.Terms later = new SharedReadings.Terms(call.after() + 1, 1);
    for (int i = 0; i < 100; i++) {
      readings.read("t", call, key -> read.incrementAndGet(), taken::add);
    }
    assertThat(read.get()).isEqualTo(1);
    assertThat(taken).hasSize(100).containsOnly(1);
    assertThatThrownBy(() -> readings.read("t", later, key -> read.incrementAndGet(), taken::add))
        .as("what began when the call came may be older than it")
        .isInstanceOf(RegionTooBusyException.class);
  }

  /** Beyond a few readings a second who may only read is sent away, and nobody else. */
  @Test
  void aStormHasFewReadings() throws IOException {
    for (int i = 0; i < 1000; i++) {
      try {
        readings.read("t", few(), key -> read.incrementAndGet(), taken::add);
      } catch (RegionTooBusyException e) {
        assertThat(e).hasMessageContaining("of t were read 10 times within a second");
      }
    }
    assertThat(read.get()).isEqualTo(10);
    readings.read("t", readings.now(), key -> read.incrementAndGet(), taken::add);
    assertThat(read.get()).as("who needs it has it read").isEqualTo(11);
    readings.read("another", few(), key -> -1, taken::add);
    clock.addAndGet(1_000_000_000);
    readings.read("t", few(), key -> read.incrementAndGet(), taken::add);
    assertThat(read.get()).as("in the next second").isEqualTo(12);
  }

  private SharedReadings.Terms few() {
    return new SharedReadings.Terms(readings.now().after(), 10);
  }
}
