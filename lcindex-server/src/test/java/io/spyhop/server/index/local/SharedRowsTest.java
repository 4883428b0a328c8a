package io.spyhop.server.index.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spyhop.server.index.local.column.RowPairs;
import io.spyhop.server.memory.MemoryBudget;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** The memory of the rows that HFiles have in common. */
class SharedRowsTest {
  private final AtomicInteger searches = new AtomicInteger();

  private RowPairs search(BooleanSupplier awaited) {
    searches.incrementAndGet();
    RowPairs.Builder pairs = new RowPairs.Builder();
    pairs.add(0, 1, 0, 2);
    return pairs.build();
  }

  @Test
  void areFoundOnceAndCountedUntilAFileIsGone() throws IOException {
    MemoryBudget memory = new MemoryBudget(1 << 20);
    RegionPairs region = new RegionPairs(memory, () -> 0);
    SharedRows one = region.of("one");
    SharedRows other = region.of("other");
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
    RegionPairs region = new RegionPairs(memory, () -> 0);
    SharedRows one = region.of("one");
    SharedRows other = region.of("other");
    assertThat(one.with(other, this::search)).isEmpty();
    assertThat(other.with(one, this::search)).isEmpty();
    assertThat(searches).hasValue(1);
    assertThat(memory.used()).isZero();
  }

  /** A search that others wait for knows, and to forget waits for none. */
  @Test
  void oneOfTwoThatAskSearches() throws Exception {
    MemoryBudget memory = new MemoryBudget(1 << 20);
    RegionPairs region = new RegionPairs(memory, () -> 0);
    SharedRows one = region.of("one");
    SharedRows other = region.of("other");
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    AtomicBoolean awaited = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      Future<Optional<RowPairs>> first =
          threads.submit(
              () ->
                  one.with(
                      other,
                      isAwaited -> {
                        begun.countDown();
                        await().until(isAwaited::getAsBoolean);
                        awaited.set(true);
                        await().until(() -> end.getCount() == 0);
                        return search(isAwaited);
                      }));
      begun.await();
      Future<Optional<RowPairs>> second = threads.submit(() -> other.with(one, this::search));
      await().untilTrue(awaited);
      region.of("third").forget();
      end.countDown();
      assertThat(first.get()).isPresent();
      assertThat(second.get()).isPresent();
      assertThat(searches).hasValue(1);
    } finally {
      threads.shutdownNow();
    }
    region.retainOnly(Set.of());
    assertThat(memory.used()).isZero();
  }
}
