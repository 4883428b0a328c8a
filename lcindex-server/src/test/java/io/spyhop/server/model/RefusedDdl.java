package io.spyhop.server.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.spyhop.client.IndexAdmin;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.InvalidIndexException;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotDisabledException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Changes that are refused: nothing of them lasts, and no index is less than it was. */
final class RefusedDdl {
  private static final int TOO_SMALL = 10;
  private static final TableName WIDE = TableName.valueOf("w".repeat(200));

  private final GlobalIndexes globals;
  private final Admin admin;
  private final TableName base;
  private final IndexAdmin indexes;

  RefusedDdl(GlobalIndexes globals, Admin admin, TableName base, IndexAdmin indexes) {
    this.globals = globals;
    this.admin = admin;
    this.base = base;
    this.indexes = indexes;
  }

  /** Has one of them refused. */
  void one(Random r, IndexDefinition index) throws IOException {
    List<IndexDefinition> before = globals.definitions();
    List<IndexDefinition> built = built();
    byte[] family = index.column().family();
    switch (r.nextInt(TestCluster.truncatesRegions() ? 5 : 4)) {
      case 0 -> refused(DoNotRetryIOException.class, () -> reviveWithNonsense(family));
      case 1 -> refused(TableNotDisabledException.class, () -> admin.truncateTable(base, true));
      case 2 -> refused(DoNotRetryIOException.class, () -> admin.deleteColumnFamily(base, family));
      case 3 -> refused(InvalidIndexException.class, () -> createWithLongName(index));
      default -> refused(DoNotRetryIOException.class, () -> truncateRegion(r, index));
    }
    assertThat(globals.definitions()).isEqualTo(before);
    assertThat(built()).as("built after a refused change").containsAll(built);
  }

  private static void refused(Class<? extends Exception> how, ThrowingCallable change) {
    assertThat(catchThrowable(change)).as("what was to be refused").isInstanceOf(how);
  }

  private List<IndexDefinition> built() throws IOException {
    List<IndexDefinition> built = new ArrayList<>();
    for (IndexDefinition d : globals.definitions()) {
      if (globals.isBuilt(d)) {
        built.add(d);
      }
    }
    return built;
  }

  private void reviveWithNonsense(byte[] family) throws IOException {
    ColumnFamilyDescriptor now = admin.getDescriptor(base).getColumnFamily(family);
    admin.modifyColumnFamily(
        base,
        ColumnFamilyDescriptorBuilder.newBuilder(now)
            .setMaxVersions(Math.min(now.getMaxVersions(), 100) + 1)
            .setBlocksize(TOO_SMALL)
            .build());
  }

  private void truncateRegion(Random r, IndexDefinition index) throws IOException {
    List<RegionInfo> regions = admin.getRegions(IndexTable.nameOf(base, index.name()));
    admin.truncateRegion(regions.get(r.nextInt(regions.size())).getRegionName());
  }

  private void createWithLongName(IndexDefinition like) throws IOException {
    if (!admin.tableExists(WIDE)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(WIDE)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(like.column().family()))
              .build());
    }
    indexes.createIndex(
        WIDE,
        IndexDefinition.builder("n".repeat(60))
            .kind(like.kind())
            .column(like.column())
            .type(like.type())
            .build());
  }
}
