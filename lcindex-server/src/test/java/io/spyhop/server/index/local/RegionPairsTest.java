package io.spyhop.server.index.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.server.memory.MemoryBudget;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The pairs of a region, which are asked for or not. */
class RegionPairsTest {
  @Test
  void countAsAskedForAWhile() {
    AtomicLong now = new AtomicLong();
    RegionPairs pairs = new RegionPairs(new MemoryBudget(0), now::get);
    assertThat(pairs.areAsked()).isFalse();
    pairs.of("hfile").asked();
    now.addAndGet(Duration.ofMinutes(9).toMillis());
    assertThat(pairs.areAsked()).isTrue();
    now.addAndGet(Duration.ofMinutes(1).toMillis());
    assertThat(pairs.areAsked()).isFalse();
  }
}
