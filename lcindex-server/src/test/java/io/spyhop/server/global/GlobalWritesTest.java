package io.spyhop.server.global;

import static io.spyhop.server.testing.GlobalFixture.F;
import static io.spyhop.server.testing.GlobalFixture.V;
import static io.spyhop.server.testing.GlobalFixture.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.core.global.Entry;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.schema.Maintenance;
import io.spyhop.server.testing.BulkFile;
import io.spyhop.server.testing.GlobalFixture;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/**
 * Every way to write adds its entries, before the write and in its timestamp (DELI, Algorithm 1).
 */
class GlobalWritesTest {
  private static byte[] b(String s) {
    return Bytes.toBytes(s);
  }

  @Test
  void everyKindOfWriteHasItsEntries() throws Exception {
    try (GlobalFixture t = new GlobalFixture()) {
      t.write(put("a", 1), put("b", 2, 77), put("c", 3));
      t.table().put(put("a", 4));
      t.table().increment(new Increment(b("n")).addColumn(F, V, 5));
      t.table().increment(new Increment(b("n")).addColumn(F, V, 5));
      t.table().append(new Append(b("x")).addColumn(F, V, Bytes.toBytes(9L)));
      t.table().mutateRow(RowMutations.of(List.of(put("m", 6), new Delete(b("m"), 5))));
      t.table()
          .checkAndMutate(
              CheckAndMutate.newBuilder(b("a"))
                  .ifEquals(F, V, Bytes.toBytes(4L))
                  .build(put("a", 8)));
      t.table()
          .batch(List.of(put("d", 1), new Increment(b("n")).addColumn(F, V, 1)), new Object[2]);

      assertThat(t.entries()).isEqualTo(t.expected()).hasSize(11);
      assertThat(t.entries()).contains(t.entry("b", 2, 77));
    }
  }

  @Test
  void ofTwoValuesInOneBatchTheLastCounts() throws Exception {
    try (GlobalFixture t = new GlobalFixture()) {
      t.write(put("a", 1), put("a", 2));
      assertThat(t.entries()).isEqualTo(t.expected()).hasSize(1);
    }
  }

  @Test
  void otherColumnsAndUndecodableValuesHaveNone() throws Exception {
    try (GlobalFixture t = new GlobalFixture()) {
      t.write(
          new Put(b("a")).addColumn(F, b("w"), Bytes.toBytes(1L)),
          new Put(b("b")).addColumn(F, V, b("no number")));
      assertThat(t.entries()).isEmpty();
    }
  }

  @Test
  void rowKeyThatLeavesNoRoomIsRefused() throws Exception {
    try (GlobalFixture t = new GlobalFixture()) {
      byte[] longest = new byte[HConstants.MAX_ROW_LENGTH - 1_000];
      Put put = new Put(longest).addColumn(F, V, Bytes.toBytes(1L));
      assertThatThrownBy(() -> t.table().put(put))
          .hasMessageContaining(t.name().getNameAsString())
          .hasMessageContaining("f:v")
          .hasMessageContaining("31743");
      assertThat(t.expected()).isEmpty();
    }
  }

  @Test
  void withoutItsIndexTableNothingIsWritten() throws Exception {
    try (GlobalFixture t = new GlobalFixture()) {
      t.write(put("a", 1));
      TestCluster.get().admin().disableTable(t.indexName());
      assertThatThrownBy(() -> writeOnce(t, put("b", 2)))
          .hasMessageContaining(t.indexName().getNameAsString());
      TestCluster.get().admin().enableTable(t.indexName());
      t.write(put("c", 3));
      assertThat(t.entries()).isEqualTo(t.expected()).hasSize(2);
    }
  }

  /** Clients try again and again; here once is enough. */
  private static void writeOnce(GlobalFixture t, Put put) throws IOException {
    TestCluster.get().regions(t.name()).get(0).put(put);
  }

  @Test
  void whatWasThereBeforeIsBuilt() throws Exception {
    try (GlobalFixture t = new GlobalFixture(TestCluster.get(), f -> f, d -> d, "c", "f")) {
      var admin = TestCluster.get().admin();
      var with = admin.getDescriptor(t.name());
      admin.modifyTable(IndexSchema.withoutIndex(with, "v"));
      admin.disableTable(t.indexName());
      admin.truncateTable(t.indexName(), true);
      t.write(put("a", 1), put("b", 2), put("c", 3), put("g", 4));
      t.table().delete(new Delete(b("b")));
      assertThat(t.entries()).isEmpty();
      admin.modifyTable(with);
      t.awaitBuilt();
      t.write(put("h", 5));
      assertThat(t.entries()).isEqualTo(t.expected()).hasSizeGreaterThan(3);
    }
  }

  /** A synchronous index may have lost the entry of a version that a loaded marker uncovers. */
  @Test
  void whatALoadedFileUncoversHasItsEntry() throws Exception {
    TestCluster cluster = TestCluster.get();
    try (GlobalFixture t =
        new GlobalFixture(cluster, f -> f, d -> d.maintenance(Maintenance.SYNC))) {
      t.awaitBuilt();
      List<KeyValue> markers = new ArrayList<>();
      for (int i = 100; i < 350; i++) {
        byte[] row = b("r" + i);
        t.write(put("r" + i, 1, 100));
        KeyValue.Type type = i % 2 == 0 ? KeyValue.Type.Delete : KeyValue.Type.DeleteFamilyVersion;
        markers.add(new KeyValue(row, F, i % 2 == 0 ? V : null, 200, type));
      }
      Regions.flush(cluster, t.name());
      for (int i = 100; i < 350; i++) {
        t.write(put("r" + i, 2, 200));
      }
      try (Table index = cluster.connection().getTable(t.indexName())) {
        for (int i = 100; i < 350; i++) {
          index.delete(new Delete(t.indexRow("r" + i, 1)));
        }
      }
      BulkFile.load(cluster, t.name(), BloomType.NONE, markers);
      assertThat(t.table().get(new Get(b("r100"))).getValue(F, V)).isEqualTo(Bytes.toBytes(1L));
      List<String> expected =
          IntStream.range(100, 350).mapToObj(i -> t.entry("r" + i, 1, 100)).toList();
      assertThat(t.entries()).containsAll(expected);
    }
  }

  @Test
  void pagesFollowOneAnother() throws Exception {
    try (GlobalFixture t = new GlobalFixture()) {
      t.write(put("a", 1), put("b", 1), put("c", 1), put("d", 2));
      var first = t.page(2);
      assertThat(first.entries()).hasSize(2);
      assertThat(first.next()).isPresent();
      byte[] next = new Entry(first.entries().get(0).valueKey(), b("c"), 0).indexRow();
      assertThat(first.next().get()).isEqualTo(next);
      assertThat(t.page(10).next()).isEmpty();
    }
  }
}
