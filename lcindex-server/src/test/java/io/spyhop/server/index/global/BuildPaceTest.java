package io.spyhop.server.index.global;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.server.runtime.Pacer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;

class BuildPaceTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long MEGABYTE = 1 << 20;

  private final AtomicLong nanos = new AtomicLong(-SECOND);
  private final BuildPace pace =
      new BuildPace(
          100 * MEGABYTE, () -> new Pacer(() -> false, nanos::get), nanos::get, nanos::addAndGet);

  @Test
  void allBuildsTogetherReadAtThatSpeed() {
    LongConsumer one = pace.begin();
    LongConsumer other = pace.begin();
    for (int i = 0; i < 500; i++) {
      one.accept(MEGABYTE);
      other.accept(MEGABYTE);
    }
    assertThat(nanos.get()).isEqualTo(9 * SECOND);
  }

  @Test
  void timeThatPassedWithoutReadingIsNotMadeUpFor() {
    LongConsumer build = pace.begin();
    build.accept(100 * MEGABYTE);
    assertThat(nanos.get()).isZero();
    nanos.addAndGet(100 * SECOND);
    build.accept(MEGABYTE);
    build.accept(99 * MEGABYTE);
    assertThat(nanos.get()).isEqualTo(101 * SECOND);
  }
}
