package io.spyhop.server.index.global;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.spyhop.core.io.IoRunnable;
import io.spyhop.server.hook.Globals;
import io.spyhop.server.testing.BulkFile;
import io.spyhop.server.testing.GlobalFixture;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
import org.junit.jupiter.api.Test;

/** Bulk loads whose files are read for their entries, and are not loaded then. */
class FailedLoadTest {
  private static final TestCluster CLUSTER = TestCluster.get();

  private static List<Pair<byte[], String>> files(String row) throws IOException {
    KeyValue cell =
        new KeyValue(Bytes.toBytes(row), GlobalFixture.F, GlobalFixture.V, 5, Bytes.toBytes(4711L));
    Path file = BulkFile.write(CLUSTER, BloomType.ROW, List.of(cell));
    return new ArrayList<>(List.of(new Pair<>(GlobalFixture.F, file.toString())));
  }

  /** As HBase does when it could not load them. */
  @Test
  void itsEntriesGo() throws Exception {
    try (GlobalFixture t = new GlobalFixture(CLUSTER, f -> f, d -> d)) {
      t.awaitLooked();
      t.write(GlobalFixture.put("z", 7));
      HRegion region = CLUSTER.regions(t.name()).get(0);
      List<Pair<byte[], String>> files = files("a");
      region.getCoprocessorHost().preBulkLoadHFile(files);
      assertThat(t.entries()).hasSize(2);
      region.getCoprocessorHost().postBulkLoadHFile(files, null);
      await("the entries of what was not loaded to go")
          .atMost(Duration.ofMinutes(2))
          .untilAsserted(() -> assertThat(t.entries()).isEqualTo(t.expected()).hasSize(1));
      assertThat(t.built().isComplete()).isTrue();
    }
  }

  @Test
  void loadsLeaveHalfOfTheHandlersToOthers() throws Exception {
    try (GlobalFixture t = new GlobalFixture(CLUSTER, f -> f, d -> d)) {
      t.awaitBuilt();
      HRegion region = CLUSTER.regions(t.name()).get(0);
      LoadSlots slots = Globals.of(CLUSTER, CLUSTER.serverOf(region)).loads();
      int handlers =
          region
              .getReadOnlyConfiguration()
              .getInt(
                  HConstants.REGION_SERVER_HANDLER_COUNT,
                  HConstants.DEFAULT_REGION_SERVER_HANDLER_COUNT);
      List<Pair<byte[], String>> files = files("a");
      besides(
          slots,
          handlers / 2,
          () ->
              assertThatThrownBy(() -> region.getCoprocessorHost().preBulkLoadHFile(files))
                  .isInstanceOf(RegionTooBusyException.class)
                  .hasMessageContaining("spyhop.global.loads"));
      assertThat(t.entries()).isEmpty();
      besides(
          slots,
          handlers / 2 - 1,
          () -> {
            region.getCoprocessorHost().preBulkLoadHFile(files);
            region.getCoprocessorHost().postBulkLoadHFile(files, Map.of());
          });
      assertThat(t.entries()).hasSize(1);
    }
  }

  private static void besides(LoadSlots slots, int others, IoRunnable work) throws IOException {
    if (others == 0) {
      work.run();
    } else {
      slots.run(() -> besides(slots, others - 1, work));
    }
  }
}
