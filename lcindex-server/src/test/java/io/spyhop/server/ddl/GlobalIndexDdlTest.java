package io.spyhop.server.ddl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.client.IndexAdmin;
import io.spyhop.client.IndexStatus;
import io.spyhop.client.Spyhop;
import io.spyhop.client.internal.admin.GlobalIndexes;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.protocol.BuiltRanges;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.schema.InvalidIndexException;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.testing.Secured;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** Global indexes come, go and follow their base table through the master alone. */
class GlobalIndexDdlTest {
  private static final TestCluster CLUSTER = TestCluster.get();
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] NOTE = {0x00, 'b', 0x07};

  private TableName base;
  private TableName indexTable;
  private Spyhop spyhop;
  private IndexAdmin indexes;

  @BeforeEach
  void create(TestInfo test) throws IOException {
    base = TableName.valueOf("ddl_" + test.getTestMethod().orElseThrow().getName());
    indexTable = IndexTable.nameOf(base, "price");
    spyhop = Spyhop.connect(CLUSTER.connection());
    indexes = spyhop.admin();
    admin()
        .createTable(table(base, f -> f.setMaxVersions(2).setTimeToLive(1000)), splits("h", "p"));
  }

  @AfterEach
  void drop() throws IOException {
    spyhop.close();
    if (admin().tableExists(base)) {
      delete(base);
    }
  }

  private static Admin admin() throws IOException {
    return CLUSTER.admin();
  }

  private static byte[][] splits(String... keys) {
    return List.of(keys).stream().map(Bytes::toBytes).toArray(byte[][]::new);
  }

  /** A way to make a family. */
  private interface FamilyOptions {
    ColumnFamilyDescriptorBuilder on(ColumnFamilyDescriptorBuilder family);
  }

  private static TableDescriptor table(TableName name, FamilyOptions options) {
    return TableDescriptorBuilder.newBuilder(name)
        .setColumnFamily(options.on(ColumnFamilyDescriptorBuilder.newBuilder(F)).build())
        .build();
  }

  private static void delete(TableName table) throws IOException {
    if (admin().isTableEnabled(table)) {
      admin().disableTable(table);
    }
    admin().deleteTable(table);
  }

  private static IndexDefinition price() {
    return IndexDefinition.builder("price")
        .kind(IndexKind.GLOBAL)
        .column("f:price")
        .type(ValueType.LONG)
        .build();
  }

  private IndexDefinition created() throws IOException {
    IndexDefinition index = price();
    indexes.createIndex(base, index);
    return index;
  }

  /** As a region of the base table does: rows of the base table that are built. */
  private void noteSomething() throws IOException {
    try (Table t = CLUSTER.connection().getTable(indexTable)) {
      t.put(new Put(NOTE).addColumn(IndexTable.CONTROL, F, new BuiltRanges(List.of()).encode()));
      t.put(new Put(Bytes.toBytes("entry")).addColumn(IndexTable.ENTRIES, new byte[0], F));
    }
  }

  private boolean isNoted() throws IOException {
    try (Table t = CLUSTER.connection().getTable(indexTable)) {
      return t.exists(new Get(NOTE));
    }
  }

  private boolean hasEntries() throws IOException {
    try (Table t = CLUSTER.connection().getTable(indexTable);
        ResultScanner rows = t.getScanner(new Scan().addFamily(IndexTable.ENTRIES))) {
      return rows.next() != null;
    }
  }

  private void alter(FamilyOptions options) throws IOException {
    TableDescriptor now = admin().getDescriptor(base);
    ColumnFamilyDescriptor family =
        options.on(ColumnFamilyDescriptorBuilder.newBuilder(now.getColumnFamily(F))).build();
    admin().modifyTable(TableDescriptorBuilder.newBuilder(now).modifyColumnFamily(family).build());
  }

  @Test
  void createsTableAndDefinition() throws IOException {
    IndexDefinition index = price();
    assertThatThrownBy(() -> indexes.createIndex(base, index, List.of(5, "7", 5L)))
        .hasMessageContaining("split value 5 is given twice");
    indexes.createIndex(base, index, List.of(5, "7"));
    assertThat(indexes.listIndexes(base)).containsExactly(index);
    TableDescriptor made = admin().getDescriptor(indexTable);
    assertThat(IndexTable.holds(made, index)).isTrue();
    assertThat(IndexTable.baseOf(made)).contains(base);
    assertThat(made.getColumnFamily(IndexTable.ENTRIES).getTimeToLive())
        .isEqualTo(1000 + IndexTable.EXTRA_TTL);
    byte[] five = ValueType.LONG.codec().operand(5).key().bytes();
    byte[] seven = ValueType.LONG.codec().operand(7).key().bytes();
    assertThat(admin().getRegions(indexTable))
        .extracting(RegionInfo::getStartKey)
        .containsExactly(new byte[0], five, seven);
  }

  @Test
  void splitsByTheTablesValues() throws IOException {
    try (Table t = CLUSTER.connection().getTable(base)) {
      for (long i = 0; i < 90; i++) {
        String row = List.of("a", "h", "p").get((int) i % 3) + i;
        t.put(new Put(Bytes.toBytes(row)).addColumn(F, Bytes.toBytes("price"), Bytes.toBytes(i)));
      }
    }
    created();
    byte[] third = ValueType.LONG.codec().operand(30).key().bytes();
    byte[] twoThirds = ValueType.LONG.codec().operand(60).key().bytes();
    assertThat(admin().getRegions(indexTable))
        .extracting(RegionInfo::getStartKey)
        .containsExactly(new byte[0], third, twoThirds);
  }

  @Test
  void createsOnceHoweverOftenAsked() throws IOException {
    IndexDefinition index = created();
    noteSomething();
    assertThatThrownBy(() -> indexes.createIndex(base, index))
        .isInstanceOf(InvalidIndexException.class);
    new GlobalIndexes(CLUSTER.connection()).create(admin(), base, index, List.of());
    assertThat(isNoted()).as("the index was left alone").isTrue();
  }

  @Test
  void dropsTableAndDefinition() throws IOException {
    IndexDefinition index = created();
    indexes.dropIndex(base, "price");
    assertThat(indexes.listIndexes(base)).isEmpty();
    assertThat(admin().tableExists(indexTable)).isFalse();
    new GlobalIndexes(CLUSTER.connection()).drop(admin(), base, index);
    assertThatThrownBy(() -> indexes.dropIndex(base, "price"))
        .isInstanceOf(InvalidIndexException.class);
  }

  @Test
  void rebuildsWithAnotherIncarnation() throws IOException {
    IndexDefinition old = created();
    noteSomething();
    indexes.rebuildIndex(base, "price");
    IndexDefinition renewed = indexes.listIndexes(base).get(0);
    assertThat(renewed.incarnation()).isNotEqualTo(old.incarnation());
    assertThat(IndexTable.holds(admin().getDescriptor(indexTable), renewed)).isTrue();
    assertThat(isNoted()).isFalse();
  }

  @Test
  void refusesDefinitionsWithoutTheirTable() throws IOException {
    TableDescriptor added = IndexSchema.withIndex(admin().getDescriptor(base), price());
    assertThatThrownBy(() -> admin().modifyTable(added))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("create it with IndexAdmin.createIndex");
    created();
    assertThatThrownBy(
            () ->
                admin()
                    .modifyTable(
                        IndexSchema.withIndex(
                            IndexSchema.withoutIndex(admin().getDescriptor(base), "price"),
                            price())))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("of its incarnation");
  }

  @Test
  void refusesThatUsersRemoveDefinitionsAlone() throws Exception {
    created();
    TableDescriptor removed = IndexSchema.withoutIndex(admin().getDescriptor(base), "price");
    User user = Secured.user(CLUSTER, "anybody");
    Secured.as(
        CLUSTER,
        user,
        base,
        (c, t) -> {
          assertThatThrownBy(() -> c.getAdmin().modifyTable(removed))
              .isInstanceOf(DoNotRetryIOException.class)
              .hasMessageContaining("drop it with IndexAdmin.dropIndex");
          return null;
        });
    assertThat(indexes.listIndexes(base)).hasSize(1);
  }

  @Test
  void reservesNames() throws IOException {
    TableName name = TableName.valueOf("_spyhop.nothing.of_ours");
    assertThatThrownBy(() -> admin().createTable(table(name, f -> f)))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("the name is reserved");
    created();
    assertThatThrownBy(
            () ->
                admin()
                    .modifyTable(
                        IndexSchema.withIndex(
                            admin().getDescriptor(indexTable),
                            IndexDefinition.builder("x")
                                .column("e:x")
                                .type(ValueType.INT)
                                .build())))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("cannot have indexes itself");
  }

  @Test
  void goesWithItsBaseTable() throws IOException {
    created();
    delete(base);
    assertThat(admin().tableExists(indexTable)).isFalse();
  }

  @Test
  void isEmptiedWithItsBaseTable() throws IOException {
    IndexDefinition index = price();
    indexes.createIndex(base, index, List.of(5, 7));
    noteSomething();
    admin().disableTable(base);
    admin().truncateTable(base, true);
    assertThat(isNoted()).isFalse();
    assertThat(hasEntries()).isFalse();
    assertThat(admin().getRegions(indexTable)).hasSize(3);
    assertThat(IndexTable.holds(admin().getDescriptor(indexTable), index)).isTrue();
  }

  @Test
  void listsAndDropsOrphans() throws IOException {
    created();
    assertThatThrownBy(() -> indexes.dropOrphan(indexTable))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("is no orphaned index table");
    admin().modifyTable(IndexSchema.withoutIndex(admin().getDescriptor(base), "price"));
    assertThat(indexes.orphans())
        .filteredOn(o -> o.base().equals(base))
        .singleElement()
        .satisfies(
            o -> {
              assertThat(o.table()).isEqualTo(indexTable);
              assertThat(o.why()).contains("has no index 'price'");
            });
    indexes.dropOrphan(indexTable);
    assertThat(admin().tableExists(indexTable)).isFalse();
  }

  @Test
  void isBuiltAgainByRegionsThatStayOpen() throws IOException {
    try (Table t = CLUSTER.connection().getTable(base)) {
      t.put(new Put(F).addColumn(F, Bytes.toBytes("price"), Bytes.toBytes(5L)));
    }
    created();
    indexes.waitUntilActive(base, Duration.ofSeconds(60));
    try (Table t = CLUSTER.connection().getTable(indexTable);
        ResultScanner notes = t.getScanner(new Scan().addFamily(IndexTable.CONTROL))) {
      for (Result r : notes) {
        t.delete(new Delete(r.getRow()).addFamily(IndexTable.CONTROL));
      }
    }
    assertThat(indexes.status(base).get(0).state()).isEqualTo(IndexStatus.State.BUILDING);
    indexes.waitUntilActive(base, Duration.ofSeconds(60));
  }

  @Test
  void isBuiltAgainWhenCellsComeBack() throws IOException {
    created();
    List<FamilyOptions> reviving =
        List.of(
            f -> f.setMaxVersions(3),
            f -> f.setTimeToLive(2000),
            f -> f.setMinVersions(1),
            f -> f.setKeepDeletedCells(KeepDeletedCells.TRUE));
    for (FamilyOptions options : reviving) {
      noteSomething();
      alter(options);
      assertThat(isNoted()).isFalse();
      assertThat(hasEntries()).isTrue();
    }
    ColumnFamilyDescriptor entries =
        admin().getDescriptor(indexTable).getColumnFamily(IndexTable.ENTRIES);
    assertThat(entries.getTimeToLive()).isEqualTo(HConstants.FOREVER);
    noteSomething();
    alter(f -> f.setMaxVersions(2).setBlocksize(1 << 17));
    assertThat(isNoted()).as("what hides cells needs nothing").isTrue();
  }

  @Test
  void changesThatItCannotFollowAreRefused() throws IOException {
    created();
    admin().disableTable(indexTable);
    assertThatThrownBy(() -> alter(f -> f.setMaxVersions(5)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(indexTable.getNameAsString());
    assertThat(admin().getDescriptor(base).getColumnFamily(F).getMaxVersions()).isEqualTo(2);
  }

  /** A disabled index table names the ways out; rebuilding is one way. */
  @Test
  void aDisabledIndexTableSaysTheWayOut() throws IOException {
    created();
    admin().disableTable(indexTable);
    assertThat(indexes.status(base).get(0).errors().get(0))
        .contains("'" + indexTable + "' is disabled", "enable it", "rebuild");
    HRegion region = CLUSTER.regions(base).get(0);
    Put put = new Put(Bytes.add(region.getRegionInfo().getStartKey(), F));
    put.addColumn(F, Bytes.toBytes("price"), Bytes.toBytes(1L));
    assertThatThrownBy(() -> region.put(put))
        .hasMessageContaining("'" + indexTable + "' (if it is disabled, enable it, or rebuild");
    indexes.rebuildIndex(base, "price");
    indexes.waitUntilActive(base, Duration.ofSeconds(60));
  }

  @Test
  void isBuiltAgainAfterRestoreAndMadeForClones() throws IOException {
    IndexDefinition index = created();
    admin().snapshot("ddl-snapshot", base);
    noteSomething();
    admin().disableTable(base);
    admin().restoreSnapshot("ddl-snapshot");
    admin().enableTable(base);
    assertThat(isNoted()).isFalse();
    assertThat(indexes.listIndexes(base)).containsExactly(index);
    TableName clone = TableName.valueOf(base + "_clone");
    admin().cloneSnapshot("ddl-snapshot", clone);
    indexes.waitUntilActive(clone, Duration.ofSeconds(60));
    assertThat(indexes.verify(clone, "price", false).missing()).isZero();

    TableName table = IndexTable.nameOf(clone, "price");
    admin().disableTable(table);
    admin().deleteTable(table);
    assertThat(indexes.status(clone).get(0).errors().get(0)).contains("has no table", "rebuild it");
    assertThatThrownBy(() -> indexes.verify(clone, "price", false))
        .isInstanceOf(InvalidIndexException.class)
        .hasMessageContaining("rebuild it");
    indexes.rebuildIndex(clone, "price");
    assertThat(admin().tableExists(table)).isTrue();

    TableDescriptor same = admin().getDescriptor(clone);
    delete(clone);
    admin().createTable(same);
    indexes.waitUntilActive(clone, Duration.ofSeconds(60));
    delete(clone);
    assertThatThrownBy(
            () -> admin().cloneSnapshot("ddl-snapshot", TableName.valueOf("_spyhop.x.y")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cannot be taken from a snapshot");
    admin().deleteSnapshot("ddl-snapshot");
  }
}
