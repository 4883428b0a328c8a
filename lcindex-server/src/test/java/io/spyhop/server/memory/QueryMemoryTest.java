package io.spyhop.server.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class QueryMemoryTest {
  private static final long MB = 1 << 20;

  @Test
  void whatIsRefusedChangesNothing() throws Exception {
    MemoryBudget server = new MemoryBudget(2 * MB);
    try (QueryMemory memory = new QueryMemory(server, 8 * MB)) {
      memory.hold(MB);
      assertThatThrownBy(() -> memory.hold(3 * MB))
          .isInstanceOf(QueryMemory.ExhaustedException.class);
      assertThatThrownBy(() -> memory.add(3 * MB))
          .isInstanceOf(QueryMemory.ExhaustedException.class);
      assertThat(memory.tryHold(3 * MB)).isFalse();
      memory.add(1);
      memory.hold(MB + 1);
    }
    assertThat(server.used()).isZero();
  }

  @Test
  void anOverdraftIsAllThatNeedsNoRoom() throws Exception {
    MemoryBudget full = new MemoryBudget(0);
    try (QueryMemory memory = new QueryMemory(full, 8 * MB, 100)) {
      memory.hold(60);
      memory.add(40);
      assertThatThrownBy(() -> memory.add(1)).isInstanceOf(QueryMemory.ExhaustedException.class);
      memory.hold(0);
      memory.add(60);
    }
    assertThat(full.used()).isZero();
  }
}
