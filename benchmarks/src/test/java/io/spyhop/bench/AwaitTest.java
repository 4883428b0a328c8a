package io.spyhop.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class AwaitTest {
  @Test
  void itHasToHoldSeveralTimesOnEnd() throws IOException {
    Deque<Boolean> looks = new ArrayDeque<>(List.of(true, false, true, true, true, false));
    long before = System.nanoTime();
    long since = Await.until("a test waits", Duration.ofMillis(1), 3, looks::removeFirst);
    assertThat(looks).containsExactly(false);
    assertThat(since).isBetween(before, System.nanoTime());
  }
}
