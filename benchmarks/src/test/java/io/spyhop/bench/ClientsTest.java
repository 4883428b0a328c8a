package io.spyhop.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.core.io.IoSupplier;
import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ClientsTest {
  @Test
  void eachDoesTheSameUntilTheEndAndCloses() throws Exception {
    CountDownLatch steps = new CountDownLatch(6);
    AtomicInteger closed = new AtomicInteger();
    try (Clients clients = new Clients()) {
      IoSupplier<Closeable> opener = () -> closed::incrementAndGet;
      clients.start(opener, opened -> steps.countDown()).start(steps::countDown);
      steps.await();
      clients.finish();
    }
    assertThat(closed).hasValue(1);
  }

  @Test
  void aFailureComesThroughInTheEnd() throws Exception {
    IOException failure = new IOException("disk");
    CountDownLatch failed = new CountDownLatch(1);
    try (Clients clients = new Clients()) {
      clients.start(
          () -> {
            failed.countDown();
            throw failure;
          });
      failed.await();
      assertThatThrownBy(clients::finish).isSameAs(failure);
    }
  }
}
