package io.spyhop.server.index.global;

import static io.spyhop.server.testing.GlobalFixture.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.spyhop.client.IndexStatus;
import io.spyhop.client.Spyhop;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.server.testing.GlobalFixture;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.time.Duration;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.VersionInfo;
import org.junit.jupiter.api.Test;

/** The status of a global index names repairs and failures. */
class GlobalStatusTest {
  private static final TestCluster CLUSTER = TestCluster.get();
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private static IndexStatus.Global status(GlobalFixture t) throws Exception {
    try (Spyhop spyhop = Spyhop.connect(CLUSTER.connection())) {
      return (IndexStatus.Global) spyhop.admin().status(t.name()).get(0);
    }
  }

  /** The grace period is 30 s: what a flush finds waits that long. */
  @Test
  void repairsThatWaitAreCountedAndHoldBackTheTime() throws Exception {
    try (GlobalFixture t = new GlobalFixture(CLUSTER, f -> f, d -> d, "m")) {
      t.awaitLooked();
      long begun = System.currentTimeMillis();
      await("nothing left behind")
          .atMost(PATIENCE)
          .until(() -> status(t).repairedUpTo() >= begun && status(t).repairs() == 0);
      t.write(put("a", 1), put("z", 1));
      t.write(put("a", 2));
      Regions.flush(CLUSTER, t.name());
      final long flushed = System.currentTimeMillis();

      await("what else there was to look at")
          .atMost(PATIENCE)
          .until(() -> status(t).repairs() == 1);
      IndexStatus.Global waiting = status(t);
      assertThat(waiting.repairs()).isEqualTo(1);
      assertThat(waiting.repairedUpTo()).isBetween(begun, flushed);
      assertThat(waiting.errors()).isEmpty();
      assertThat(waiting.built()).isEqualTo(waiting.regions()).isEqualTo(2);
    }
  }

  /** A region that opens while its index's table is away cannot note that it is built. */
  @Test
  void whyAnIndexIsNotBuiltIsSaidUntilItIs() throws Exception {
    try (GlobalFixture t = new GlobalFixture()) {
      t.awaitBuilt();
      t.write(put("a", 1));
      CLUSTER.admin().disableTable(t.indexName());
      Regions.move(CLUSTER, t.name());
      await("the reason")
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(String.join(" ", status(t).errors()))
                      .contains(t.indexName().getNameAsString()));
      assertThat(status(t).state()).isEqualTo(IndexStatus.State.BUILDING);
      try (Spyhop spyhop = Spyhop.connect(CLUSTER.connection())) {
        assertThat(spyhop.admin().diagnose().findings())
            .anyMatch(
                f ->
                    f.where().equals("table " + t.name())
                        && f.what().contains("is BUILDING")
                        && f.what().contains("0 of 1 regions built, 0 rows read, 0.0 of"));
      }
      CLUSTER.admin().enableTable(t.indexName());
      t.awaitBuilt();
      await("no more errors").atMost(PATIENCE).until(() -> status(t).errors().isEmpty());
      IndexStatus.Global built = status(t);
      assertThat(built.state()).isEqualTo(IndexStatus.State.ACTIVE);
      assertThat(built.read().bytes()).isEqualTo(built.read().of()).isPositive();
      assertThat(t.entries()).isEqualTo(t.expected()).hasSize(1);
      try (Spyhop spyhop = Spyhop.connect(CLUSTER.connection())) {
        assertThat(spyhop.admin().diagnose().notes())
            .filteredOn(n -> n.where().startsWith("master "))
            .as("what this version of HBase lacks")
            .hasSize(VersionInfo.getVersion().startsWith("2.5.") ? 1 : 0);
        spyhop.admin().rebuildIndex(t.name(), "v");
        spyhop.admin().waitUntilActive(t.name(), PATIENCE);
      }
      assertThat(status(t).read().rows()).isEqualTo(1);
    }
  }

  /** What is noted in a table cannot be taken out of it while it is disabled. */
  @Test
  void noDefinitionComesBackToATableThatIsAway() throws Exception {
    try (GlobalFixture t = new GlobalFixture()) {
      t.awaitBuilt();
      Admin admin = CLUSTER.admin();
      TableDescriptor with = admin.getDescriptor(t.name());
      admin.modifyTable(IndexSchema.withoutIndex(with, "v"));
      t.write(put("a", 1));
      admin.disableTable(t.indexName());
      assertThatThrownBy(() -> admin.modifyTable(with)).hasMessageContaining("is disabled");
      admin.enableTable(t.indexName());
      admin.modifyTable(with);
      t.awaitBuilt();
      assertThat(t.entries()).isEqualTo(t.expected()).hasSize(1);
    }
  }
}
