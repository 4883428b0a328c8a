package io.spyhop.client.internal.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PollTest {
  private static final Duration LIMIT = Duration.ofSeconds(1);
  private static final Duration STEP = Duration.ofMillis(100);

  private final VirtualTime time = new VirtualTime();
  private final AtomicInteger asked = new AtomicInteger();

  private int until(int willDo) throws IOException {
    return time.poll().until(LIMIT, STEP, asked::incrementAndGet, n -> n >= willDo);
  }

  @Test
  void takesTheFirstAnswerThatWillDo() throws IOException {
    assertThat(until(1)).isEqualTo(1);
    assertThat(time.nanos()).isZero();
    assertThat(until(4)).isEqualTo(4);
    assertThat(time.nanos()).isEqualTo(Duration.ofMillis(200).toNanos());
  }

  @Test
  void givesUpWithTheLastAnswer() throws IOException {
    assertThat(until(1000)).isEqualTo(11);
    assertThat(time.nanos()).isEqualTo(LIMIT.toNanos());
  }

  @ParameterizedTest
  @CsvSource({"1, 102", "300, 900", "20000, 45000"})
  void pausesAsLongAsAnAnswerTookWithinBounds(int millisEach, int millis) throws IOException {
    time.poll()
        .until(
            Duration.ofMinutes(1),
            STEP,
            () -> {
              time.pass(Duration.ofMillis(millisEach));
              return asked.incrementAndGet();
            },
            n -> n == 2);
    assertThat(time.nanos()).isEqualTo(Duration.ofMillis(millis).toNanos());
  }

  @Test
  void keepsAnInterrupt() {
    Poll poll =
        new Poll(
            time::nanos,
            t -> {
              throw new InterruptedException();
            });
    assertThatThrownBy(() -> poll.until(LIMIT, STEP, () -> 1, n -> false))
        .isInstanceOf(InterruptedIOException.class);
    assertThat(Thread.interrupted()).isTrue();
  }
}
