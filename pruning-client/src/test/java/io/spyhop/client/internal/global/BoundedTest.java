package io.spyhop.client.internal.global;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.client.internal.exec.ScanPool;
import io.spyhop.core.io.IoSupplier;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BoundedTest {
  private static final Duration SHORT = Duration.ofMillis(10);
  private static final Duration LONG = Duration.ofMinutes(1);

  private final ScanPool pool = new ScanPool(1, 1);
  private final AtomicInteger forgotten = new AtomicInteger();

  @AfterEach
  void close() {
    Thread.interrupted();
    pool.close();
  }

  private <T> T call(Duration limit, IoSupplier<T> call) throws IOException {
    return Bounded.call(pool, limit, call, forgotten::incrementAndGet);
  }

  /** As HBase's client does, which does not set the flag again. */
  private static String await(CountDownLatch latch) throws IOException {
    try {
      latch.await();
      return "done";
    } catch (InterruptedException e) {
      throw (IOException) new InterruptedIOException().initCause(e);
    }
  }

  @Test
  void callsAreMadeInTheCallersThread() throws IOException {
    Thread caller = Thread.currentThread();
    assertThat(call(LONG, Thread::currentThread)).isSameAs(caller);
    assertThat(forgotten).hasValue(0);
  }

  @Test
  void aCallEndsWhenItsTimeIsUp() {
    assertThatThrownBy(() -> call(SHORT, () -> await(new CountDownLatch(1))))
        .hasMessage("no answer within 10 ms");
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
    assertThat(forgotten).hasValue(1);
  }

  /** Regions are forgotten when a second has passed; that ends this call. */
  @Test
  void aSlowCallGoesOnElsewhere() throws IOException {
    CountDownLatch latch = new CountDownLatch(1);
    String answer = Bounded.call(pool, LONG, () -> await(latch), latch::countDown);
    assertThat(answer).isEqualTo("done");
  }

  @Test
  void anInterruptedCallerIsInterruptedStill() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> call(LONG, () -> await(new CountDownLatch(1))))
        .isInstanceOf(InterruptedIOException.class);
    assertThat(Thread.currentThread().isInterrupted()).isTrue();
  }
}
