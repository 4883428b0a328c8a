package io.spyhop.server.index.local.upkeep;

import static io.spyhop.core.predicate.Predicates.column;
import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.protocol.RegionStatus;
import io.spyhop.server.testing.IndexedTableFixture;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** A server whose backlog has no room goes on without index files, and says so. */
class BacklogTest {
  @Test
  void whatIsDeferredIsSaidAndAnsweredAllTheSame() throws Exception {
    try (TestCluster cluster = TestCluster.start(1, conf -> conf.setInt("spyhop.job.queue", 0));
        IndexedTableFixture t = new IndexedTableFixture(cluster, f -> f)) {
      t.price("a", 1);
      Regions.flush(cluster, t.name());
      t.price("b", 1);
      Regions.flush(cluster, t.name());
      Awaitility.await("the status to say what waits")
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(
              () -> {
                RegionStatus.IndexState s =
                    Regions.status(cluster, t.name()).get(0).indexes().get(0);
                assertThat(s.lastError()).startsWith("2 HFiles wait to be queued");
                assertThat(s.covered()).isZero();
              });
      assertThat(t.agreed(column("price").eq(1))).containsExactly("a", "b");
    }
  }
}
