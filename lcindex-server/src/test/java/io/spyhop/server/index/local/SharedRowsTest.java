package io.spyhop.server.index.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.server.index.local.column.RowPairs;
import io.spyhop.server.memory.MemoryBudget;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The memory of the rows that HFiles have in common. */
class SharedRowsTest {
  private final AtomicInteger searches = new AtomicInteger();

  private RowPairs search() {
    searches.incrementAndGet();
    RowPairs.Builder pairs = new RowPairs.Builder();
    pairs.add(0, 1, 0, 2);
    return pairs.build();
  }

  @Test
  void areFoundOnceAndCountedUntilAFileIsGone() throws IOException {
    MemoryBudget memory = new MemoryBudget(1 << 20);
    SharedRows one = new SharedRows(this, memory);
    SharedRows other = new SharedRows(this, memory);
    Optional<RowPairs> found = one.with(other, this::search);
    assertThat(memory.used()).isEqualTo(found.orElseThrow().heapSize()).isGreaterThan(1_000);
    assertThat(other.with(one, this::search)).isPresent();
    assertThat(searches).hasValue(1);
    assertThat(one.count()).isEqualTo(1);

    other.forget();
    assertThat(memory.used()).isZero();
    assertThat(one.with(other, this::search)).isPresent();
    assertThat(memory.used()).isZero();
    one.forget();
    assertThat(memory.used()).isZero();
  }

  @Test
  void areLookedForOnceIfThereIsNoRoom() throws IOException {
    MemoryBudget memory = new MemoryBudget(1_000);
    SharedRows one = new SharedRows(this, memory);
    SharedRows other = new SharedRows(this, memory);
    assertThat(one.with(other, this::search)).isEmpty();
    assertThat(other.with(one, this::search)).isEmpty();
    assertThat(searches).hasValue(1);
    assertThat(memory.used()).isZero();
  }
}
