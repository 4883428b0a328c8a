package io.spyhop.server.life;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.server.testing.IndexedTableFixture;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.io.compress.Compression.Algorithm;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.junit.jupiter.api.Test;

/** Settings of a family that change while its files, and their index files, stay. */
class AlteredFamilyTest {
  private static final TestCluster CLUSTER = TestCluster.get();

  /** One change; a change without a note of its own is seen in the table's descriptor. */
  private record Change(String name, UnaryOperator<ColumnFamilyDescriptorBuilder> change) {}

  private static final List<Change> CHANGES =
      List.of(
          new Change("3 versions", f -> f.setMaxVersions(3)),
          new Change("bloom NONE", f -> f.setBloomFilterType(BloomType.NONE)),
          new Change("GZ", f -> f.setCompressionType(Algorithm.GZ)),
          new Change(
              "ROWCOL, FAST_DIFF",
              f ->
                  f.setBloomFilterType(BloomType.ROWCOL)
                      .setDataBlockEncoding(DataBlockEncoding.FAST_DIFF)),
          new Change("1 version", f -> f.setMaxVersions(1)),
          new Change(
              "keep deleted, ROW_INDEX_V1",
              f ->
                  f.setKeepDeletedCells(KeepDeletedCells.TRUE)
                      .setDataBlockEncoding(DataBlockEncoding.ROW_INDEX_V1)),
          new Change("2 versions at least", f -> f.setMaxVersions(4).setMinVersions(2)),
          new Change(
              "back",
              f ->
                  f.setMinVersions(0)
                      .setMaxVersions(1)
                      .setKeepDeletedCells(KeepDeletedCells.FALSE)
                      .setBloomFilterType(BloomType.ROW)
                      .setDataBlockEncoding(DataBlockEncoding.NONE)
                      .setCompressionType(Algorithm.NONE)));

  private static void alter(IndexedTableFixture t, UnaryOperator<ColumnFamilyDescriptorBuilder> c)
      throws IOException {
    ColumnFamilyDescriptor before =
        CLUSTER.admin().getDescriptor(t.name()).getColumnFamily(IndexedTableFixture.F);
    CLUSTER
        .admin()
        .modifyColumnFamily(
            t.name(), c.apply(ColumnFamilyDescriptorBuilder.newBuilder(before)).build());
  }

  @Test
  void settingsUnderFilesThatStay() throws IOException {
    try (IndexedTableFixture t = new IndexedTableFixture()) {
      Rows.write(t, 0, 60, 0);
      t.flushAndIndex();
      for (int i = 0; i < CHANGES.size(); i++) {
        write(t, i);
        List<String> rows = Rows.agree(t);
        alter(t, CHANGES.get(i).change());
        assertThat(Rows.agree(t)).as(CHANGES.get(i).name()).isEqualTo(rows);
        Regions.awaitCovered(CLUSTER, t.name());
        assertThat(Rows.agree(t)).as(CHANGES.get(i).name()).isEqualTo(rows);
        t.flushAndIndex();
        assertThat(Rows.agree(t)).as(CHANGES.get(i).name()).isEqualTo(rows);
        Regions.compact(CLUSTER, t.name(), i % 3 == 2);
        Regions.awaitCovered(CLUSTER, t.name());
        assertThat(Rows.agree(t)).as(CHANGES.get(i).name()).isEqualTo(rows).isNotEmpty();
      }
    }
  }

  /** Rows in several versions, some deleted, some newly hidden or exposed. */
  private static void write(IndexedTableFixture t, int step) throws IOException {
    Rows.write(t, step * 3, step * 3 + 20, step % 2 == 0 ? 0.25 : 20);
    t.flushAndIndex();
    Rows.write(t, step * 3 + 10, step * 3 + 15, -3);
    t.table().delete(new Delete(Rows.key(12 + step)));
    t.table()
        .delete(
            new Delete(Rows.key(step * 3 + 11))
                .addColumn(IndexedTableFixture.F, IndexedTableFixture.q("price")));
    t.flushAndIndex();
    Rows.write(t, step * 3 + 2, step * 3 + 4, 0);
  }

  @Test
  void shorterLifeHidesRowsAndLongerLifeBringsThemBack() throws IOException {
    try (IndexedTableFixture t = new IndexedTableFixture()) {
      long now = System.currentTimeMillis();
      Rows.prices(t, 0, 30, 0, now - 3_600_000);
      t.flushAndIndex();
      Rows.prices(t, 0, 20, 0, now);
      t.flushAndIndex();
      assertThat(Rows.agree(t)).hasSize(20);
      alter(t, f -> f.setTimeToLive(1_800));
      assertThat(Rows.agree(t)).hasSize(10);
      Regions.awaitCovered(CLUSTER, t.name());
      assertThat(Rows.agree(t)).hasSize(10);
      alter(t, f -> f.setTimeToLive(HConstants.FOREVER));
      assertThat(Rows.agree(t)).hasSize(20);
      alter(t, f -> f.setTimeToLive(1_800).setMaxVersions(3).setMinVersions(1));
      assertThat(Rows.agree(t)).hasSize(20);
      alter(t, f -> f.setMinVersions(0));
      Rows.prices(t, 18, 22, 0.5, now + 1);
      t.flushAndIndex();
      Regions.compact(CLUSTER, t.name(), true);
      assertThat(Rows.agree(t)).hasSize(12);
      Regions.awaitCovered(CLUSTER, t.name());
      assertThat(Rows.agree(t)).hasSize(12);
      alter(t, f -> f.setTimeToLive(HConstants.FOREVER));
      assertThat(Rows.agree(t)).hasSize(12);
    }
  }
}
