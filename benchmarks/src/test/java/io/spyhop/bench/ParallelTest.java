package io.spyhop.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ParallelTest {
  private final ExecutorService pool = Executors.newFixedThreadPool(2);

  @AfterEach
  void stop() {
    pool.shutdownNow();
  }

  @Test
  void resultsComeInTheOrderOfTheTasks() throws IOException {
    CountDownLatch secondIsDone = new CountDownLatch(1);
    Callable<String> slow =
        () -> {
          secondIsDone.await();
          return "first";
        };
    Callable<String> quick =
        () -> {
          secondIsDone.countDown();
          return "second";
        };
    assertThat(Parallel.all(pool, List.of(slow, quick))).containsExactly("first", "second");
  }

  @Test
  void anIoFailureComesThroughAsItIs() {
    IOException failure = new IOException("disk");
    Callable<String> fails =
        () -> {
          throw failure;
        };
    assertThatThrownBy(() -> Parallel.all(pool, List.of(fails))).isSameAs(failure);
  }

  @Test
  void anyOtherFailureNamesItsCause() {
    Callable<String> fails =
        () -> {
          throw new IllegalStateException("broken");
        };
    assertThatThrownBy(() -> Parallel.all(pool, List.of(fails)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("broken");
  }
}
