package io.spyhop.bench.mdrq;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CostTest {
  private static Cost cost(double... times) {
    return Cost.of(times, Duration.ofSeconds(2), Duration.ofMillis(60));
  }

  @Test
  void medianIsTheMiddle() {
    assertThat(cost(9, 1, 5).millis()).isEqualTo(5);
    assertThat(cost(9, 1, 5, 7).millis()).isEqualTo(6);
  }

  @Test
  void theLongestOfFewIsTheirPercentile() {
    assertThat(cost(9, 1, 5).p99Millis()).isEqualTo(9);
    assertThat(cost(IntStream.rangeClosed(1, 200).asDoubleStream().toArray()).p99Millis())
        .isEqualTo(198);
  }

  @Test
  void whatWasUsedIsSharedByTheQueries() {
    assertThat(cost(9, 1, 5).cpuMillis()).isEqualTo(20);
    assertThat(cost(9, 1, 5).perSecond()).isEqualTo(1.5);
  }
}
