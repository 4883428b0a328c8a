package io.spyhop.server.life;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.server.testing.IndexedTableFixture;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Delete;
import org.junit.jupiter.api.Test;

/**
 * Tables that come from snapshots: their files are links to another table's, or older than others.
 */
class SnapshotTest {
  private static final TestCluster CLUSTER = TestCluster.get();

  private static IndexedTableFixture filled() throws IOException {
    IndexedTableFixture t = new IndexedTableFixture();
    Rows.write(t, 0, 100, 0);
    t.flushAndIndex();
    Rows.write(t, 20, 40, 0.5);
    return t;
  }

  @Test
  void clonedTableHasIndexesOfItsOwn() throws IOException {
    Admin admin = CLUSTER.admin();
    try (IndexedTableFixture original = filled()) {
      List<String> rows = Rows.agree(original);
      assertThat(rows).hasSize(19);
      admin.snapshot("to-clone", original.name());
      TableName name = TableName.valueOf(original.name() + "_clone");
      admin.cloneSnapshot("to-clone", name);
      try (IndexedTableFixture clone = IndexedTableFixture.existing(CLUSTER, name)) {
        assertThat(Rows.agree(clone)).isEqualTo(rows);
        Regions.awaitCovered(CLUSTER, name);
        assertThat(Rows.agree(clone)).isEqualTo(rows);
        Rows.write(clone, 10, 15, 100);
        Rows.write(original, 100, 120, -90);
        assertThat(Rows.agree(clone)).hasSize(14);
        assertThat(Rows.agree(original)).hasSize(39);
        clone.flushAndIndex();
        assertThat(Rows.agree(clone)).hasSize(14);
        Regions.compact(CLUSTER, name, true);
        assertThat(Rows.agree(clone)).hasSize(14);
        Regions.awaitCovered(CLUSTER, name);
        assertThat(Rows.agree(clone)).hasSize(14);
      }
      Regions.compact(CLUSTER, original.name(), true);
      original.flushAndIndex();
      assertThat(Rows.agree(original)).hasSize(39);
    }
    admin.deleteSnapshot("to-clone");
  }

  @Test
  void restoredTableAnswersAsItDid() throws IOException {
    Admin admin = CLUSTER.admin();
    try (IndexedTableFixture t = filled()) {
      List<String> rows = Rows.agree(t);
      admin.snapshot("to-restore", t.name());
      Rows.write(t, 0, 30, 200);
      for (int i = 60; i < 70; i++) {
        t.table().delete(new Delete(Rows.key(i)));
      }
      t.flushAndIndex();
      Regions.compact(CLUSTER, t.name(), true);
      t.flushAndIndex();
      assertThat(Rows.agree(t)).isEmpty();
      admin.disableTable(t.name());
      admin.restoreSnapshot("to-restore");
      admin.enableTable(t.name());
      assertThat(Rows.agree(t)).isEqualTo(rows);
      Regions.awaitCovered(CLUSTER, t.name());
      assertThat(Rows.agree(t)).isEqualTo(rows);
      Rows.write(t, 10, 20, 200);
      t.flushAndIndex();
      assertThat(Rows.agree(t)).hasSize(9);
    }
    admin.deleteSnapshot("to-restore");
  }
}
