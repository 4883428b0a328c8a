package io.spyhop.server.hook;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.schema.Repair;
import io.spyhop.server.hook.RepairedTable.Options;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.util.HFileArchiveUtil;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** All entries are looked at, once for all compactions, if inputs of compactions are gone. */
class GoneInputsTest {
  private static final TestCluster CLUSTER = TestCluster.get();

  /** Six entries, five of them obsolete, and nobody knows but who looks at all. */
  private static void loseInputs(RepairedTable t) throws Exception {
    t.unknown = true;
    t.put("r", "a", 1);
    t.flush();
    for (int i = 2; i <= 6; i++) {
      t.clock.addAndGet(1_000);
      t.put("r", "b" + i, i);
      t.flush();
      t.compact(true);
    }
    assertThat(t.entries()).hasSize(6);
    Path archive =
        HFileArchiveUtil.getTableArchivePath(CLUSTER.util().getConfiguration(), t.name());
    assertThat(t.region().getRegionFileSystem().getFileSystem().delete(archive, true)).isTrue();
    t.unknown = false;
  }

  @RepeatedTest(5)
  void oneLookAnswersForAllCompactionsBefore() throws Exception {
    try (RepairedTable t = new RepairedTable(new Options().index(i -> i.repair(Repair.STAGED)))) {
      loseInputs(t);
      t.newServer(0);
      Regions.move(CLUSTER, t.name());
      for (int i = 0; i < 10; i++) {
        t.drain();
        t.clock.addAndGet(1_000);
      }
      assertThat(t.entries()).containsExactly(t.text("r", "b6", 6));
      assertThat(RepairObserver.lists(t.region())).isEmpty();
      assertThat(RepairedTable.repair(t.region()).waiting()).isZero();
      assertThat(t.fullLooks).hasValue(1);
    }
  }

  /**
   * Rule 10: what a look finds may have become obsolete just now, however old the compaction is.
   */
  @Test
  void whatALookFindsHasTheGracePeriod() throws Exception {
    try (RepairedTable t = new RepairedTable(new Options().index(i -> i.repair(Repair.STAGED)))) {
      loseInputs(t);
      t.clock.addAndGet(120_000);
      t.newServer(60_000);
      Regions.move(CLUSTER, t.name());
      for (int i = 0; i < 10; i++) {
        t.drain();
        t.clock.addAndGet(1_000);
      }
      assertThat(t.fullLooks).hasPositiveValue();
      assertThat(t.entries()).hasSize(6);
      t.clock.addAndGet(60_000);
      t.drain();
      assertThat(t.entries()).containsExactly(t.text("r", "b6", 6));
    }
  }
}
