package io.spyhop.server.ddl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.spyhop.client.IndexAdmin;
import io.spyhop.client.Spyhop;
import io.spyhop.client.internal.admin.GlobalIndexes;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.schema.DescriptorChange;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.schema.InvalidIndexException;
import io.spyhop.core.schema.StaleDescriptorException;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.testing.GlobalFixture;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotDisabledException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.master.procedure.MasterProcedureEnv;
import org.apache.hadoop.hbase.master.procedure.TruncateRegionProcedure;
import org.apache.hadoop.hbase.procedure2.ProcedureExecutor;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Changes that HBase or Spyhop refuses leave indexes as they are (correctness rule 31). */
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
  void aTruncateOfAnIndexTablesRegion() throws IOException {
    RegionInfo region = admin().getRegions(table.indexName()).get(0);
    assertThatThrownBy(() -> admin().truncateRegion(region.getRegionName()))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("holds a global index")
        .hasMessageContaining("index rebuild");
    assertUnharmed();
  }

  @Test
  void thatAProcedureTruncatesAnIndexTablesRegion() throws IOException {
    HMaster master = CLUSTER.util().getMiniHBaseCluster().getMaster();
    ProcedureExecutor<MasterProcedureEnv> procedures = master.getMasterProcedureExecutor();
    RegionInfo region = admin().getRegions(table.indexName()).get(0);
    long id =
        procedures.submitProcedure(
            new TruncateRegionProcedure(procedures.getEnvironment(), region));
    await("the procedure to end").until(() -> procedures.isFinished(id));
    assertThat(procedures.getResult(id).getException())
        .hasMessageContaining("holds a global index");
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
    table.awaitBuilt();
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

  /** The table is changed between each reading of the descriptor and its replacement. */
  @Test
  void aChangeOfIndexesUndoesNoOther() throws IOException {
    List<ColumnFamilyDescriptor> others = new ArrayList<>();
    for (String family : List.of("g", "h", "i")) {
      others.add(ColumnFamilyDescriptorBuilder.of(family));
    }
    IndexDefinition local = IndexDefinition.builder("l").column("f:x").type(ValueType.INT).build();
    Iterator<ColumnFamilyDescriptor> next = others.iterator();
    DescriptorChange.apply(
        admin(),
        table.name(),
        current -> {
          if (next.hasNext()) {
            admin().addColumnFamily(table.name(), next.next());
          }
          return IndexSchema.withIndex(current, local);
        });
    TableDescriptor after = admin().getDescriptor(table.name());
    assertThat(after.getColumnFamilies()).containsAll(others);
    assertThat(IndexSchema.of(after).index("l")).contains(local);
    table.awaitBuilt();
    assertUnharmed();
  }

  @Test
  void aDescriptorThatUndoesAChangeOfIndexes() throws IOException {
    TableDescriptor old = admin().getDescriptor(table.name());
    indexes.createIndex(
        table.name(), IndexDefinition.builder("l").column("f:x").type(ValueType.INT).build());
    table.awaitBuilt();
    TableDescriptor stale =
        TableDescriptorBuilder.newBuilder(old)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(OTHER))
            .build();
    assertThatThrownBy(() -> admin().modifyTable(stale))
        .isInstanceOf(StaleDescriptorException.class)
        .hasMessageContaining("read its descriptor again");
    assertThat(indexes.listIndexes(table.name())).hasSize(2);
    assertUnharmed();
  }

  /** Entries would go, and the index would still be believed. */
  @Test
  void whatAnIndexTableNeeds() throws IOException {
    TableDescriptor index = admin().getDescriptor(table.indexName());
    ColumnFamilyDescriptor entries = index.getColumnFamily(IndexTable.ENTRIES);
    List<ColumnFamilyDescriptor> refused =
        List.of(
            ColumnFamilyDescriptorBuilder.newBuilder(entries).setTimeToLive(1).build(),
            ColumnFamilyDescriptorBuilder.newBuilder(entries).setMaxVersions(1).build(),
            ColumnFamilyDescriptorBuilder.newBuilder(entries).setNewVersionBehavior(false).build());
    for (ColumnFamilyDescriptor family : refused) {
      assertThatThrownBy(() -> admin().modifyColumnFamily(table.indexName(), family))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining("holds a global index");
    }
    for (byte[] family : List.of(IndexTable.ENTRIES, IndexTable.CONTROL)) {
      assertThatThrownBy(() -> admin().deleteColumnFamily(table.indexName(), family))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining("family '" + Bytes.toString(family) + "'");
    }
    TableDescriptor nameless =
        TableDescriptorBuilder.newBuilder(index).removeValue(IndexTable.BASE).build();
    assertThatThrownBy(() -> admin().modifyTable(nameless))
        .hasMessageContaining("value " + IndexTable.BASE);
    TableDescriptor unwritable = TableDescriptorBuilder.newBuilder(index).setReadOnly(true).build();
    assertThatThrownBy(() -> admin().modifyTable(unwritable))
        .as("the base table would take no writes")
        .hasMessageContaining("READONLY");
    admin()
        .modifyColumnFamily(
            table.indexName(),
            ColumnFamilyDescriptorBuilder.newBuilder(entries).setBlocksize(8_192).build());
    assertThat(admin().getDescriptor(table.indexName()).getColumnFamily(IndexTable.ENTRIES))
        .matches(f -> f.getBlocksize() == 8_192 && f.getMaxVersions() == entries.getMaxVersions());
    table.awaitBuilt();
    assertUnharmed();
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
