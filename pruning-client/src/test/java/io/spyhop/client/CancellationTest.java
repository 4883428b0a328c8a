package io.spyhop.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.spyhop.client.internal.exec.RowStream;
import io.spyhop.client.internal.exec.ScanPool;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Result;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CancellationTest {
  private static final CountDownLatch NEVER = new CountDownLatch(1);
  private static final Optional<Duration> SOON = Optional.of(Duration.ofMillis(20));

  private final ScanPool pool = new ScanPool(2, 10);

  @AfterEach
  void close() {
    pool.close();
  }

  private static String waitForEver() throws IOException {
    try {
      NEVER.await();
      return "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
  }

  @Test
  void timeIsUp() {
    Cancellation cancellation = new Cancellation(pool, SOON);
    assertThatThrownBy(() -> cancellation.read(CancellationTest::waitForEver))
        .isInstanceOf(QueryCancelledException.class)
        .hasMessage("it was not answered within 20 ms")
        .hasCauseInstanceOf(InterruptedIOException.class);
    assertThat(Thread.interrupted()).isFalse();
    assertThatThrownBy(() -> cancellation.read(() -> "more"))
        .isInstanceOf(QueryCancelledException.class);
  }

  @Test
  void timeIsUpBetweenRows() throws IOException {
    Cancellation cancellation = new Cancellation(pool, SOON);
    assertThat(cancellation.read(() -> "row")).isEqualTo("row");
    await()
        .untilAsserted(
            () ->
                assertThatThrownBy(() -> cancellation.read(() -> "row"))
                    .isInstanceOf(QueryCancelledException.class));
  }

  @Test
  void whoWaitsForNothingIsToldThatTheTimeIsUp() throws IOException {
    BlockingQueue<QueryCancelledException> told = new LinkedBlockingQueue<>();
    Cancellation cancelled = new Cancellation(pool, Optional.of(Duration.ofMillis(200)));
    cancelled.whenLate(told::add);
    cancelled.read(() -> "row");
    cancelled.cancel("another reason");
    Cancellation closed = new Cancellation(pool, Optional.of(Duration.ofMillis(200)));
    closed.whenLate(told::add);
    closed.read(() -> "row");
    closed.close(RowStream.empty());
    Cancellation late = new Cancellation(pool, Optional.of(Duration.ofMillis(300)));
    late.whenLate(told::add);
    assertThat(late.read(() -> "row")).isEqualTo("row");
    await().until(() -> !told.isEmpty());
    assertThat(told)
        .extracting(Throwable::getMessage)
        .containsExactly("it was not answered within 300 ms");
    late.cancel("too late");
    late.close(RowStream.empty());
    assertThat(told).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Timeout(20)
  void interruptionsThatAreSwallowedComeAgain(boolean clientIsClosed) {
    if (clientIsClosed) {
      pool.close();
    }
    Cancellation cancellation = new Cancellation(pool, SOON);
    int[] swallowed = new int[1];
    Cancellation.Reading<String> deaf =
        () -> {
          while (true) {
            try {
              return waitForEver();
            } catch (InterruptedIOException e) {
              if (++swallowed[0] == 3) {
                throw e;
              }
              Thread.interrupted();
            }
          }
        };
    assertThatThrownBy(() -> cancellation.read(deaf)).isInstanceOf(QueryCancelledException.class);
    assertThat(swallowed[0]).isEqualTo(3);
  }

  /** HBase's client asserts what an interruption has made wrong. */
  @Test
  void assertionsOfTheInterruptedAreNoErrors() {
    Cancellation cancellation = new Cancellation(pool, SOON);
    Cancellation.Reading<String> broken =
        () -> {
          try {
            return waitForEver();
          } catch (InterruptedIOException e) {
            throw new AssertionError("actionsInProgress -1", e);
          }
        };
    assertThatThrownBy(() -> cancellation.read(broken))
        .isInstanceOf(QueryCancelledException.class)
        .hasCauseInstanceOf(AssertionError.class);
    assertThat(Thread.interrupted()).isFalse();
  }

  @Test
  void othersInterruptionsAreTheirs() {
    Cancellation cancellation = new Cancellation(pool, Optional.of(Duration.ofMinutes(1)));
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> cancellation.read(CancellationTest::waitForEver))
        .isInstanceOf(InterruptedIOException.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void noInterruptionOutlivesItsReading() {
    Random r = new Random(5);
    for (int i = 0; i < 300; i++) {
      Cancellation cancellation =
          new Cancellation(pool, Optional.of(Duration.ofNanos(1 + r.nextInt(2_000_000))));
      long pause = r.nextInt(500_000);
      try {
        for (int row = 0; row < 4; row++) {
          cancellation.read(
              () -> {
                LockSupport.parkNanos(pause);
                return "row";
              });
          assertThat(Thread.interrupted()).isFalse();
        }
      } catch (IOException e) {
        assertThat(e).isInstanceOf(QueryCancelledException.class);
      }
      cancellation.close(RowStream.empty());
      assertThat(Thread.interrupted()).isFalse();
    }
  }

  /** Its scans are ended by another thread: servers may be the reason why it took so long. */
  @Test
  void cursorsAreCancelledFromOutside() {
    AtomicReference<Thread> closer = new AtomicReference<>();
    AtomicInteger closings = new AtomicInteger();
    CountDownLatch reading = new CountDownLatch(1);
    RowStream rows =
        new RowStream() {
          @Override
          public Result next() throws IOException {
            reading.countDown();
            waitForEver();
            return null;
          }

          @Override
          public void close() {
            closings.incrementAndGet();
            closer.set(Thread.currentThread());
          }
        };
    RowCursor cursor =
        new RowCursor(
            TableName.valueOf("t"), rows, 5, () -> 0, new Cancellation(pool, Optional.empty()));
    pool.offer(
        () -> {
          try {
            reading.await();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
          cursor.cancel();
        });
    assertThatThrownBy(() -> cursor.iterator().hasNext())
        .hasRootCauseInstanceOf(InterruptedIOException.class)
        .hasMessageContaining("query on table 't' failed")
        .cause()
        .isInstanceOf(QueryCancelledException.class)
        .hasMessage("it was cancelled");
    await().until(() -> closer.get() != null);
    assertThat(closer).doesNotHaveValue(Thread.currentThread());
    cursor.close();
    cursor.cancel();
    pool.close();
    assertThat(closings).as("streams are not for several threads").hasValue(1);
    assertThat(Thread.interrupted()).isFalse();
  }
}
