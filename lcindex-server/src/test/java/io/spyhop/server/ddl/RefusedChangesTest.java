package io.spyhop.server.ddl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.client.IndexAdmin;
import io.spyhop.client.Spyhop;
import io.spyhop.client.admin.GlobalIndexes;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.InvalidIndexException;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.testing.GlobalFixture;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotDisabledException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is refused, by HBase or by Spyhop, leaves indexes as they are (correctness rule 31). */
class RefusedChangesTest {
  private static final TestCluster CLUSTER = TestCluster.get();
  private static final byte[] OTHER = Bytes.toBytes("g");

  private GlobalFixture table;
  private Spyhop spyhop;
  private IndexAdmin indexes;

  @BeforeEach
  void create() throws IOException {
    table = new GlobalFixture();
    table.write(GlobalFixture.put("r", 5));
    table.awaitBuilt();
    spyhop = Spyhop.connect(CLUSTER.connection());
    indexes = spyhop.admin();
  }

  @AfterEach
  void drop() throws IOException {
    spyhop.close();
    table.close();
  }

  private static Admin admin() throws IOException {
    return CLUSTER.admin();
  }

  private void assertUnharmed() throws IOException {
    assertThat(table.built().isComplete()).as("built").isTrue();
    assertThat(table.entries()).hasSize(1).isEqualTo(table.expected());
  }

  @Test
  void aTruncateOfAnEnabledTable() throws IOException {
    assertThatThrownBy(() -> admin().truncateTable(table.name(), true))
        .isInstanceOf(TableNotDisabledException.class);
    assertUnharmed();
  }

  @Test
  void anAlterWithABadValue() throws IOException {
    ColumnFamilyDescriptor bad =
        ColumnFamilyDescriptorBuilder.newBuilder(GlobalFixture.F)
            .setMaxVersions(5)
            .setBlocksize(10)
            .build();
    assertThatThrownBy(() -> admin().modifyColumnFamily(table.name(), bad))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("Block size");
    assertUnharmed();
  }

  @Test
  void thatAnIndexedFamilyGoes() throws IOException {
    admin().addColumnFamily(table.name(), ColumnFamilyDescriptorBuilder.of(OTHER));
    indexes.createIndex(
        table.name(), IndexDefinition.builder("local").column("g:x").type(ValueType.INT).build());
    assertThatThrownBy(() -> admin().deleteColumnFamily(table.name(), GlobalFixture.F))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("index 'v'")
        .hasMessageContaining("drop the index before");
    assertThatThrownBy(() -> admin().deleteColumnFamily(table.name(), OTHER))
        .hasMessageContaining("index 'local'");
    assertUnharmed();
    indexes.dropIndex(table.name(), "local");
    admin().deleteColumnFamily(table.name(), OTHER);
  }

  /** What an index table notes about itself is read in its first region. */
  @Test
  void aSplitAmongTheNotes() throws Exception {
    byte[] first = admin().getRegions(table.indexName()).get(0).getRegionName();
    for (byte[] row : List.of(new byte[] {0}, new byte[] {0, 'o', '5'})) {
      assertThatThrownBy(() -> admin().splitRegionAsync(first, row).get(60, TimeUnit.SECONDS))
          .hasStackTraceContaining("notes about the index");
      assertThat(admin().getRegions(table.indexName())).hasSize(1);
      assertUnharmed();
    }
    byte[] entry = table.indexRow("r", 5);
    admin().splitRegionAsync(first, entry).get(60, TimeUnit.SECONDS);
    assertThat(admin().getRegions(table.indexName())).hasSize(2);
    table.awaitBuilt();
    assertUnharmed();
  }

  /** HBase takes the middle of the largest file, wherever that is. */
  @Test
  void aForcedSplitOfManyNotesAndFewEntries() throws Exception {
    TableName name = table.indexName();
    List<Put> notes = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      notes.add(
          new Put(Bytes.add(new byte[] {0, 'x'}, Bytes.toBytes(i)))
              .addColumn(IndexTable.CONTROL, IndexTable.QUALIFIER, new byte[200]));
    }
    try (Table index = CLUSTER.connection().getTable(name)) {
      index.put(notes);
    }
    admin().flush(name);
    byte[] first = admin().getRegions(name).get(0).getRegionName();
    assertThatThrownBy(() -> admin().splitRegionAsync(first).get(60, TimeUnit.SECONDS))
        .hasStackTraceContaining("notes about the index");
    assertThat(admin().getRegions(name)).hasSize(1);
    assertUnharmed();
  }

  @Test
  void namesThatNoFileSystemHolds() throws IOException {
    TableName wide = TableName.valueOf("w".repeat(190));
    admin()
        .createTable(
            TableDescriptorBuilder.newBuilder(wide)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(GlobalFixture.F))
                .build());
    IndexDefinition index =
        IndexDefinition.builder("i".repeat(60))
            .kind(table.definition().kind())
            .column("f:v")
            .type(ValueType.LONG)
            .build();
    assertThatThrownBy(() -> indexes.createIndex(wide, index))
        .isInstanceOf(InvalidIndexException.class)
        .hasMessageContaining("259 bytes")
        .hasMessageContaining("4 bytes shorter");
    GlobalIndexes master = new GlobalIndexes(CLUSTER.connection());
    assertThatThrownBy(() -> master.create(admin(), wide, index, List.of()))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("259 bytes");
    admin().disableTable(wide);
    admin().deleteTable(wide);
  }
}
