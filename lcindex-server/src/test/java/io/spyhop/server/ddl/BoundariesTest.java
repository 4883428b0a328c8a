package io.spyhop.server.ddl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.spyhop.client.IndexAdmin;
import io.spyhop.client.Spyhop;
import io.spyhop.client.internal.admin.GlobalIndexes;
import io.spyhop.client.internal.admin.SplitSampler;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.schema.Boundaries;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.schema.InvalidIndexException;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** Regions of an index table begin at values, or nowhere: everybody reads where they begin. */
class BoundariesTest {
  private static final TestCluster CLUSTER = TestCluster.get();
  private static final byte[] F = Bytes.toBytes("f");
  private static final String NEEDLE = "NeedleValue";

  /** As boundaries have it: in the form that is ordered like values. */
  private static final byte[] NEEDLE_KEY =
      Arrays.copyOf(ValueType.STRING.codec().operand(NEEDLE).key().bytes(), NEEDLE.length());

  private static final List<String> SPLITS = List.of(NEEDLE + "10", NEEDLE + "20");

  private TableName base;
  private TableName indexTable;
  private Spyhop spyhop;
  private IndexAdmin indexes;

  @BeforeEach
  void connect(TestInfo test) throws IOException {
    base = TableName.valueOf("boundaries_" + test.getTestMethod().orElseThrow().getName());
    indexTable = IndexTable.nameOf(base, "v");
    spyhop = Spyhop.connect(CLUSTER.connection());
    indexes = spyhop.admin();
  }

  @AfterEach
  void drop() throws IOException {
    spyhop.close();
    admin().disableTable(base);
    admin().deleteTable(base);
  }

  private static Admin admin() throws IOException {
    return CLUSTER.admin();
  }

  /** A table of two regions, of which the first has values, so that splits are sampled. */
  private void create(String encryption) throws IOException {
    admin()
        .createTable(
            TableDescriptorBuilder.newBuilder(base)
                .setColumnFamily(
                    ColumnFamilyDescriptorBuilder.newBuilder(F)
                        .setEncryptionType(encryption)
                        .build())
                .build(),
            new byte[][] {Bytes.toBytes("s")});
    try (Table table = CLUSTER.connection().getTable(base)) {
      for (int i = 10; i < 30; i++) {
        table.put(new Put(Bytes.toBytes("r" + i)).addColumn(F, F, Bytes.toBytes(NEEDLE + i)));
      }
    }
  }

  private static IndexDefinition index(Boundaries boundaries) {
    return IndexDefinition.builder("v")
        .kind(IndexKind.GLOBAL)
        .column("f:f")
        .type(ValueType.STRING)
        .boundaries(boundaries)
        .build();
  }

  private List<RegionInfo> regions() throws IOException {
    return admin().getRegions(indexTable);
  }

  private boolean isInMeta() throws IOException {
    try (Table meta = CLUSTER.connection().getTable(TableName.META_TABLE_NAME);
        ResultScanner rows =
            meta.getScanner(new Scan().setStartStopRowForPrefixScan(indexTable.getName()))) {
      for (Result r : rows) {
        for (Cell c : r.rawCells()) {
          if (shows(CellUtil.cloneRow(c)) || shows(CellUtil.cloneValue(c))) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private static boolean shows(byte[] bytes) {
    return Bytes.contains(bytes, NEEDLE_KEY);
  }

  private void awaitActive() throws IOException {
    indexes.waitUntilActive(base, Duration.ofSeconds(60));
  }

  /** One region, which nobody splits, and all rows are found. */
  private void assertHidden() throws Exception {
    awaitActive();
    assertThat(regions()).hasSize(1);
    assertThat(isInMeta()).isFalse();
    byte[] region = regions().get(0).getRegionName();
    assertThatThrownBy(
            () ->
                admin()
                    .splitRegionAsync(region, Bytes.toBytes(NEEDLE + "15"))
                    .get(60, TimeUnit.SECONDS))
        .hasMessageMatching("(?s).*(split is disabled for the table|NOT splittable).*");
    assertThat(regions()).hasSize(1);
    TableDescriptor table = admin().getDescriptor(indexTable);
    TableDescriptor open = TableDescriptorBuilder.newBuilder(table).setSplitEnabled(true).build();
    TableDescriptor unmarked =
        TableDescriptorBuilder.newBuilder(table).removeValue(IndexTable.BOUNDARIES).build();
    for (TableDescriptor changed : List.of(open, unmarked)) {
      assertThatThrownBy(() -> admin().modifyTable(changed))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining("holds a global index");
    }
    assertThat(indexes.status(base).get(0).errors()).isEmpty();
  }

  @Test
  void valuesUnlessSaidOtherwise() throws Exception {
    create(null);
    indexes.createIndex(base, index(Boundaries.VALUES));
    awaitActive();
    assertThat(regions()).hasSize(2);
    assertThat(isInMeta()).isTrue();
    assertThat(IndexTable.hidesBoundaries(admin().getDescriptor(indexTable))).isFalse();
  }

  @Test
  void noneWhereTheDefinitionSaysSo() throws Exception {
    create(null);
    IndexDefinition index = index(Boundaries.NONE);
    assertThatThrownBy(() -> indexes.createIndex(base, index, SPLITS))
        .isInstanceOf(InvalidIndexException.class)
        .hasMessageContaining("leave split values out");
    indexes.createIndex(base, index);
    assertHidden();
    assertThat(indexes.listIndexes(base)).containsExactly(index);
    admin().flush(indexTable);
    indexes.rebuildIndex(base, "v");
    assertHidden();
  }

  /** The client is not believed: older ones sample values for every index. */
  @Test
  void noneForAnEncryptedFamily() throws Exception {
    create("AES");
    IndexDefinition index = index(Boundaries.VALUES);
    assertThatThrownBy(() -> indexes.createIndex(base, index, SPLITS))
        .isInstanceOf(InvalidIndexException.class);
    new GlobalIndexes(CLUSTER.connection())
        .create(admin(), base, index, SplitSampler.ofValues(index, SPLITS));
    assertHidden();
  }

  @Test
  void theOptionOfAnIndexIsNotChanged() throws Exception {
    create(null);
    IndexDefinition index = index(Boundaries.VALUES);
    indexes.createIndex(base, index);
    awaitActive();
    TableDescriptor table = admin().getDescriptor(base);
    IndexDefinition none = index.toBuilder().boundaries(Boundaries.NONE).build();
    TableDescriptor changed =
        IndexSchema.withIndex(IndexSchema.withoutIndex(table, index.name()), none);
    assertThatThrownBy(() -> admin().modifyTable(changed))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("boundaries");
  }

  /** The index has old boundaries, which its status names, and is rebuilt without. */
  @Test
  void aRebuildRemovesOldBoundaries() throws Exception {
    create(null);
    indexes.createIndex(base, index(Boundaries.VALUES));
    awaitActive();
    assertThat(isInMeta()).isTrue();
    admin()
        .modifyColumnFamily(
            base, ColumnFamilyDescriptorBuilder.newBuilder(F).setEncryptionType("AES").build());
    await("the index table to follow")
        .atMost(Duration.ofSeconds(60))
        .until(() -> IndexTable.hidesBoundaries(admin().getDescriptor(indexTable)));
    awaitActive();
    assertThat(indexes.status(base).get(0).errors())
        .anyMatch(e -> e.contains("show values") && e.contains("index rebuild"));
    indexes.rebuildIndex(base, "v");
    assertHidden();
  }

  @Test
  void aTruncationRemovesOldBoundaries() throws Exception {
    create(null);
    indexes.createIndex(base, index(Boundaries.VALUES));
    awaitActive();
    admin().modifyTable(IndexTable.hidingBoundaries(admin().getDescriptor(indexTable)));
    assertThat(regions()).hasSize(2);
    admin().disableTable(base);
    admin().truncateTable(base, true);
    awaitActive();
    assertThat(regions()).hasSize(1);
    assertThat(isInMeta()).isFalse();
  }
}
