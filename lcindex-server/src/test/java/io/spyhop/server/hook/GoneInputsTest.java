package io.spyhop.server.hook;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.schema.Repair;
import io.spyhop.server.hook.RepairedTable.Options;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.util.HFileArchiveUtil;
import org.junit.jupiter.api.Test;

/** Where the inputs of compactions are gone, all entries are looked at, for several at once. */
class GoneInputsTest {
  private static final TestCluster CLUSTER = TestCluster.get();

  @Test
  void oneLookAnswersForSeveralCompactions() throws Exception {
    try (RepairedTable t = new RepairedTable(new Options().index(i -> i.repair(Repair.STAGED)))) {
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
      t.newServer(0);
      Regions.move(CLUSTER, t.name());
      for (int i = 0; i < 10; i++) {
        t.drain();
        t.clock.addAndGet(1_000);
      }
      assertThat(t.entries()).containsExactly(t.text("r", "b6", 6));
      assertThat(RepairObserver.lists(t.region())).isEmpty();
      assertThat(RepairedTable.repair(t.region()).waiting()).isZero();
      // one, and another for notes that are taken up when it has begun
      assertThat(t.fullLooks.get()).isBetween(1, 4);
    }
  }
}
