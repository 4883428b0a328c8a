package io.spyhop.server.index.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.schema.IndexSchema;
import io.spyhop.server.memory.MemoryBudget;
import io.spyhop.server.view.store.RecentBlocks;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Whether the indexes of a region are asked. */
class RegionIndexesTest {
  @Test
  void countAsAskedForAWhile() {
    AtomicLong now = new AtomicLong();
    RegionIndexes indexes =
        new RegionIndexes(
            IndexSchema.of(List.of()),
            new MemoryBudget(0),
            new KnownMatches(0),
            new RecentBlocks(0),
            now::get,
            () -> {});
    assertThat(indexes.isAsked()).isFalse();
    indexes.asked();
    now.addAndGet(Duration.ofMinutes(9).toMillis());
    assertThat(indexes.isAsked()).isTrue();
    now.addAndGet(Duration.ofMinutes(1).toMillis());
    assertThat(indexes.isAsked()).isFalse();
  }
}
