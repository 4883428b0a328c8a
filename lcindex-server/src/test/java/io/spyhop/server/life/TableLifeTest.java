package io.spyhop.server.life;

import static io.spyhop.core.predicate.Predicates.column;
import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.server.testing.BulkFile;
import io.spyhop.server.testing.IndexedTableFixture;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Truncating, disabling and enabling, bulk loading: files come and go under the indexes. */
class TableLifeTest {
  private static final TestCluster CLUSTER = TestCluster.get();
  private static final byte[] F = IndexedTableFixture.F;

  private static IndexedTableFixture filled() throws IOException {
    IndexedTableFixture t =
        IndexedTableFixture.with(
            CLUSTER, d -> d.setColumnFamily(ColumnFamilyDescriptorBuilder.of(F)), "r020", "r060");
    Rows.write(t, 0, 100, 0);
    t.flushAndIndex();
    assertThat(Rows.agree(t)).hasSize(20);
    return t;
  }

  @Test
  void truncated() throws IOException {
    for (boolean preserveSplits : new boolean[] {true, false}) {
      try (IndexedTableFixture t = filled()) {
        CLUSTER.admin().disableTable(t.name());
        CLUSTER.admin().truncateTable(t.name(), preserveSplits);
        assertThat(CLUSTER.regions(t.name())).hasSize(preserveSplits ? 3 : 1);
        assertThat(Rows.agree(t)).isEmpty();
        Rows.write(t, 0, 100, 5);
        assertThat(Rows.agree(t)).hasSize(20);
        t.flushAndIndex();
        assertThat(Rows.agree(t)).hasSize(20).contains("r005").doesNotContain("r029");
      }
    }
  }

  @Test
  void disabledAndEnabled() throws IOException {
    try (IndexedTableFixture t = filled()) {
      Rows.write(t, 20, 25, 0.5);
      List<String> rows = Rows.agree(t);
      CLUSTER.admin().disableTable(t.name());
      CLUSTER.admin().enableTable(t.name());
      assertThat(Rows.agree(t)).isEqualTo(rows);
      Regions.awaitCovered(CLUSTER, t.name());
      assertThat(Rows.agree(t)).isEqualTo(rows);
    }
  }

  /** Loaded cells that are older than what is there stay hidden, newer ones hide it. */
  @Test
  void bulkLoaded() throws IOException {
    try (IndexedTableFixture t = filled()) {
      load(t, System.currentTimeMillis() + 10, 10, 90, 500);
      assertThat(Rows.agree(t)).isEmpty();
      Regions.awaitCovered(CLUSTER, t.name());
      assertThat(Rows.agree(t)).isEmpty();
      load(t, 1_000, 0, 150, -95);
      assertThat(Rows.agree(t)).hasSize(20).contains("r105", "r124").doesNotContain("r010");
      Regions.awaitCovered(CLUSTER, t.name());
      assertThat(Rows.agree(t)).hasSize(20);
      Rows.write(t, 100, 110, 100);
      assertThat(Rows.agree(t)).hasSize(15);
      t.flushAndIndex();
      Regions.compact(CLUSTER, t.name(), true);
      assertThat(Rows.agree(t)).hasSize(15);
      Regions.awaitCovered(CLUSTER, t.name());
      assertThat(Rows.agree(t)).hasSize(15);
      assertThat(t.agreed(column("price").gt(400))).hasSize(80);
    }
  }

  private static void load(IndexedTableFixture t, long time, int from, int to, double add)
      throws IOException {
    List<KeyValue> cells = new ArrayList<>();
    for (int i = from; i < to; i++) {
      byte[] price = Bytes.toBytes(i + add);
      cells.add(new KeyValue(Rows.key(i), F, IndexedTableFixture.q("price"), time, price));
    }
    BulkFile.load(CLUSTER, t.name(), BloomType.NONE, cells);
  }
}
