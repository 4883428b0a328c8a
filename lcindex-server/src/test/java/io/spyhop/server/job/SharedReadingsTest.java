package io.spyhop.server.job;

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
import org.apache.hbase.thirdparty.com.google.common.util.concurrent.Uninterruptibles;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class SharedReadingsTest {
  private final SharedReadings<String, Integer> readings = new SharedReadings<>();
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
                readings.read("t", slow, taken::add);
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
    readings.read("another", key -> -1, taken::add);
    go.countDown();
    for (FutureTask<Void> one : all) {
      one.get();
    }
    assertThat(taken).containsExactly(-1, 1, 2, 2, 2, 2, 2);
    assertThat(readings.size()).isZero();
  }

  @Test
  void aFailureIsItsReadersAlone() throws IOException {
    SharedReadings.Reader<String, Integer> failing =
        key -> {
          throw new IOException("out of reach");
        };
    assertThatThrownBy(() -> readings.read("t", failing, taken::add)).hasMessage("out of reach");
    assertThat(readings.size()).isZero();
    readings.read("t", key -> 5, taken::add);
    readings.read("t", key -> 6, taken::add);
    assertThat(taken).containsExactly(5, 6);
  }
}
