package io.spyhop.server.life;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.server.testing.IndexedTableFixture;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.DateTieredStoreEngine;
import org.apache.hadoop.hbase.regionserver.StripeStoreEngine;
import org.junit.jupiter.api.Test;

/** Compactions with several outputs, each of which gets index files. */
class StoreEngineTest {
  private static final TestCluster CLUSTER = TestCluster.get();
  private static final long DAY = 86_400_000;

  private static final List<Map<String, String>> ENGINES =
      List.of(
          Map.of(
              "hbase.hstore.engine.class",
              DateTieredStoreEngine.class.getName(),
              "hbase.hstore.compaction.date.tiered.base.window.millis",
              String.valueOf(DAY),
              "hbase.hstore.compaction.min",
              "3"),
          Map.of(
              "hbase.hstore.engine.class",
              StripeStoreEngine.class.getName(),
              "hbase.store.stripe.initialStripeCount",
              "3",
              "hbase.store.stripe.compaction.minFilesL0",
              "3"));

  private static TableDescriptorBuilder table(
      TableDescriptorBuilder d, Map<String, String> settings) {
    settings.forEach(d::setValue);
    return d.setColumnFamily(ColumnFamilyDescriptorBuilder.of(IndexedTableFixture.F));
  }

  @Test
  void compactionIntoSeveralFiles() throws IOException {
    for (Map<String, String> engine : ENGINES) {
      try (IndexedTableFixture t = IndexedTableFixture.with(CLUSTER, d -> table(d, engine))) {
        long now = System.currentTimeMillis();
        for (int day = 6; day >= 0; day--) {
          Rows.prices(t, day * 3, day * 3 + 12, day, now - day * DAY);
          t.table().delete(new Delete(Rows.key(day * 3 + 5), now - day * DAY - DAY / 2));
          Regions.flush(CLUSTER, t.name());
          Rows.agree(t);
        }
        List<String> rows = Rows.agree(t);
        for (boolean major : new boolean[] {false, true, true}) {
          Regions.awaitCovered(CLUSTER, t.name());
          assertThat(Rows.agree(t)).isEqualTo(rows).isNotEmpty();
          Regions.compact(CLUSTER, t.name(), major);
          assertThat(Rows.agree(t)).isEqualTo(rows);
        }
        assertThat(t.region().getStores().get(0).getStorefilesCount()).isGreaterThan(1);
        Rows.write(t, 0, 40, 0.5);
        t.flushAndIndex();
        assertThat(Rows.agree(t)).hasSize(19);
      }
    }
  }
}
