package io.spyhop.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The times at which the cluster is looked at; the test is the clock. */
class WatchTest {
  private final AtomicLong now = new AtomicLong(1_000);
  private final List<String> looks = new ArrayList<>();

  /** Keeps the task instead of running it. */
  private static final class Ticks extends ScheduledThreadPoolExecutor {
    private Runnable tick;

    Ticks() {
      super(1);
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(
        Runnable task, long first, long every, TimeUnit unit) {
      tick = task;
      return null;
    }
  }

  private Snapshot look(long at, long everyMs, boolean thoroughly) {
    looks.add(at + (thoroughly ? " thoroughly" : ""));
    if (looks.size() == 2) {
      throw new IllegalStateException("this one fails");
    }
    return Snapshots.of(at, everyMs, List.of(), 0, List.of());
  }

  @Test
  void asOftenAsSaidAndWhileSomebodyAsks() {
    Ticks ticks = new Ticks();
    try (Watch watch = new Watch(this::look, Duration.ofSeconds(5), now::get, ticks)) {
      ticks.tick.run();
      assertThat(looks).isEmpty();
      assertThat(watch.latest().at()).isZero();
      ticks.tick.run();
      assertThat(watch.latest().at()).isEqualTo(1_000);
      now.set(5_999);
      ticks.tick.run();
      now.set(6_000);
      ticks.tick.run();
      assertThat(watch.latest().at()).as("the look failed").isEqualTo(1_000);
      assertThat(watch.latest().ageMs()).isEqualTo(5_000);
      assertThat(watch.latest().lookingMs()).as("none goes on").isNull();
      now.set(11_000);
      ticks.tick.run();
      assertThat(watch.latest().at()).isEqualTo(11_000);
      now.set(11_000 + 30_001);
      ticks.tick.run();
      assertThat(looks).containsExactly("1000 thoroughly", "6000", "11000");
      watch.latest();
      for (int i = 0; i < 4; i++) {
        ticks.tick.run();
        now.addAndGet(5_000);
      }
      assertThat(looks).hasSize(7).element(6).asString().endsWith("thoroughly");
    }
    assertThat(ticks.isShutdown()).isTrue();
  }

  @Test
  void howLongALookHasBeenGoingOn() {
    Ticks ticks = new Ticks();
    List<Long> looking = new ArrayList<>();
    Watch[] watch = new Watch[1];
    Watch.Looking slow =
        (at, everyMs, thoroughly) -> {
          now.addAndGet(40_000);
          looking.add(watch[0].latest().lookingMs());
          return look(at, everyMs, thoroughly);
        };
    try (Watch one = new Watch(slow, Duration.ofSeconds(5), now::get, ticks)) {
      watch[0] = one;
      one.latest();
      ticks.tick.run();
      assertThat(looking).containsExactly(40_000L);
      assertThat(one.latest().ageMs()).isEqualTo(40_000);
      assertThat(one.latest().lookingMs()).isNull();
    }
  }
}
