package io.spyhop.server.view.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RecentBlocksTest {
  private static final String FILE = "f";

  private final RecentBlocks recent = new RecentBlocks(64L << 20);

  @Test
  void nothingIsKeptOfABlockThatTheCacheHasLetGo() {
    byte[] kept = new byte[100];
    recent.add(FILE, 0, new byte[100], 0, 100, 100);
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              System.gc();
              recent.add(FILE, 1, kept, 0, 100, 100);
              return recent.get(FILE, 0) == null;
            });
    assertThat(recent.get(FILE, 1).get()).isSameAs(kept);
  }

  @Test
  void blocksAreKnownByFileAndOffset() {
    byte[] some = new byte[100];
    recent.add(FILE, 7, some, 1, 98, 99);
    assertThat(recent.get(FILE, 7)).extracting("base", "end", "size").containsExactly(1, 98, 99);
    assertThat(recent.get(FILE, 8)).isNull();
    assertThat(recent.get("g", 7)).isNull();
  }

  @Test
  void ofTwoBlocksWithOnePlaceTheLaterIsKept() {
    RecentBlocks few = new RecentBlocks(0);
    byte[] some = new byte[100];
    for (int offset = 0; offset < 10; offset++) {
      few.add(FILE, offset, some, 0, 100, 100);
      assertThat(few.get(FILE, offset).get()).isSameAs(some);
    }
    assertThat(IntStream.range(0, 10).filter(i -> few.get(FILE, i) != null).count())
        .isBetween(1L, 2L);
  }

  @Test
  void someScansAskTheBlockCache() {
    List<RecentBlocks> given = Stream.generate(recent::forScan).limit(1_000).toList();
    assertThat(given).contains(recent).containsNull();
  }
}
