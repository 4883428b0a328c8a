package io.spyhop.server.ddl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.spyhop.core.io.IoRunnable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.Test;

/** A task that never ends holds up no other table's. */
class TableTaskQueuesTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofMillis(10);
  private static final TableName STUCK = TableName.valueOf("stuck");
  private static final TableName OTHER = TableName.valueOf("other");

  private static void pass(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw (InterruptedIOException) new InterruptedIOException().initCause(e);
    }
  }

  @Test
  void workOfOneTableHoldsUpNoOther() throws IOException {
    CountDownLatch end = new CountDownLatch(1);
    AtomicInteger done = new AtomicInteger();
    try (TableTaskQueues lanes = new TableTaskQueues()) {
      assertThatThrownBy(() -> lanes.run(STUCK, "impossible", SHORT, () -> pass(end)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("goes on in the background");
      lanes.run(OTHER, "possible", LONG, done::incrementAndGet);
      assertThat(done).hasValue(1);
      assertThatThrownBy(() -> lanes.run(STUCK, "behind", SHORT, done::incrementAndGet))
          .hasMessageContaining("behind takes longer");
      assertThat(done).hasValue(1);
      end.countDown();
      await("what waits behind").atMost(LONG).until(() -> done.get() == 2);
    }
  }

  @Test
  void whoAsksAgainWaitsForTheSameWork() throws IOException {
    CountDownLatch end = new CountDownLatch(1);
    AtomicInteger done = new AtomicInteger();
    IoRunnable work =
        () -> {
          pass(end);
          done.incrementAndGet();
        };
    try (TableTaskQueues lanes = new TableTaskQueues()) {
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> lanes.run(STUCK, "it", SHORT, work))
            .isInstanceOf(IOException.class);
      }
      end.countDown();
      lanes.run(STUCK, "next", LONG, () -> {});
      assertThat(done).hasValue(1);
    }
  }

  @Test
  void failuresAreTheCallers() throws IOException {
    try (TableTaskQueues lanes = new TableTaskQueues()) {
      IoRunnable failing =
          () -> {
            throw new IOException("so");
          };
      assertThatThrownBy(() -> lanes.run(OTHER, "it", LONG, failing)).hasMessage("so");
      AtomicInteger done = new AtomicInteger();
      lanes.later(OTHER, "later", Duration.ZERO, done::incrementAndGet);
      await("later").atMost(LONG).until(() -> done.get() == 1);
    }
  }

  /** Asking again and again makes no more tries. */
  @Test
  void theSameWorkIsPlannedOnce() throws IOException {
    AtomicInteger done = new AtomicInteger();
    try (TableTaskQueues lanes = new TableTaskQueues()) {
      for (int i = 0; i < 100; i++) {
        lanes.later(OTHER, "again", Duration.ofMillis(300), done::incrementAndGet);
      }
      lanes.later(OTHER, "behind", Duration.ofMillis(400), () -> done.addAndGet(1_000));
      await("both").atMost(LONG).until(() -> done.get() > 1_000);
      lanes.run(OTHER, "last", LONG, () -> {});
      assertThat(done).hasValue(1_001);
    }
  }
}
