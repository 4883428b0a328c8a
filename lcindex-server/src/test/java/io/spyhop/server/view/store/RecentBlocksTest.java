package io.spyhop.server.view.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RecentBlocksTest {
  @Test
  void nothingIsKeptOfABlockThatTheCacheHasLetGo() {
    RecentBlocks recent = new RecentBlocks(2);
    byte[] kept = new byte[100];
    recent.add(0, new byte[100], 0, 100, 100);
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              System.gc();
              recent.add(1, kept, 0, 100, 100);
              return recent.get(0) == null;
            });
    assertThat(recent.get(1).get()).isSameAs(kept);
  }
}
