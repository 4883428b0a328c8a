package io.spyhop.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LatencyTest {
  @Test
  void percentilesOfManyCalls() {
    Latency latency = new Latency();
    for (int i = 0; i < 98; i++) {
      latency.since(System.nanoTime() - TimeUnit.MILLISECONDS.toNanos(100));
    }
    for (int i = 0; i < 2; i++) {
      latency.since(System.nanoTime() - TimeUnit.SECONDS.toNanos(10));
    }
    assertThat(latency.medianMillis()).isCloseTo(100, within(50.0));
    assertThat(latency.p99Millis()).isCloseTo(10_000, within(100.0));
  }

  @Test
  void noCallsTookNoTime() {
    assertThat(new Latency().medianMillis()).isZero();
    assertThat(new Latency().p99Millis()).isZero();
  }

  @Test
  void aCallThatTookForeverIsCountedAllTheSame() {
    Latency latency = new Latency();
    latency.since(System.nanoTime() - TimeUnit.HOURS.toNanos(1));
    assertThat(latency.p99Millis()).isCloseTo(600_000, within(1_000.0));
  }

  @Test
  void medians() {
    assertThat(Numbers.median(List.of())).isZero();
    assertThat(Numbers.median(List.of(3.0, 1.0, 2.0))).isEqualTo(2);
    assertThat(Numbers.median(List.of(4.0, 1.0, 2.0, 3.0))).isEqualTo(2.5);
  }
}
