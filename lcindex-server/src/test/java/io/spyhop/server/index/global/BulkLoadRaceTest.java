package io.spyhop.server.index.global;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spyhop.client.IndexStatus;
import io.spyhop.client.Spyhop;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.index.global.opening.OpeningMark;
import io.spyhop.server.testing.GlobalFixture;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.junit.jupiter.api.Test;

/**
 * A bulk load that has begun before an index was created, and ends after it is known: it has no
 * entries, so the region is built when it has ended, not before, and does not say until then that
 * the index may be believed.
 */
class BulkLoadRaceTest {
  private static final TestCluster CLUSTER = TestCluster.get();
  private static final TableName NAME = TableName.valueOf("bulk_load_race");

  @Test
  void indexIsBuiltAfterTheLoad() throws Exception {
    CLUSTER
        .admin()
        .createTable(
            TableDescriptorBuilder.newBuilder(NAME)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(GlobalFixture.F))
                .build());
    HRegion region = CLUSTER.regions(NAME).get(0);
    try (Spyhop spyhop = Spyhop.connect(CLUSTER.connection());
        Table table = CLUSTER.connection().getTable(NAME)) {
      region.getCoprocessorHost().preBulkLoadHFile(List.of());
      spyhop.admin().createIndex(NAME, index());
      await("the region to know of the index")
          .atMost(Duration.ofSeconds(60))
          .until(() -> isWrittenTo(table));
      await("nothing to be built")
          .during(Duration.ofSeconds(2))
          .atMost(Duration.ofSeconds(60))
          .until(() -> state(spyhop) == IndexStatus.State.BUILDING && marks().isEmpty());

      region.getCoprocessorHost().postBulkLoadHFile(List.of(), Map.of());
      spyhop.admin().waitUntilActive(NAME, Duration.ofSeconds(60));

      assertThat(marks()).hasSize(1);
      assertThat(CLUSTER.regions(NAME)).containsExactly(region);
    } finally {
      CLUSTER.admin().disableTable(NAME);
      CLUSTER.admin().deleteTable(NAME);
    }
  }

  /**
   * HBase closes what Hadoop's cache has of a user when one of that user's loads on the server has
   * ended.
   */
  @Test
  void theEndOfAnotherLoadOfTheUserClosesNothing() throws Exception {
    Configuration conf = CLUSTER.util().getConfiguration();
    Path root = CommonFSUtils.getRootDir(conf);
    User loader = User.createUserForTesting(conf, "loader", new String[0]);
    for (Path path : List.of(root, new Path(root.toUri().getPath()))) {
      PrivilegedExceptionAction<FileSystem> open = () -> BulkEntries.loadersView(path, conf);
      try (FileSystem fs = loader.runAs(open)) {
        FileSystem.closeAllForUGI(loader.getUGI());
        assertThat(fs.exists(root)).isTrue();
      }
    }
  }

  private static IndexDefinition index() {
    return IndexDefinition.builder("v")
        .kind(IndexKind.GLOBAL)
        .column("f:v")
        .type(ValueType.LONG)
        .build();
  }

  private static boolean isWrittenTo(Table base) throws IOException {
    base.put(GlobalFixture.put("x", 1, 1));
    try (Table index = CLUSTER.connection().getTable(IndexTable.nameOf(NAME, "v"));
        ResultScanner entries = index.getScanner(new Scan().addFamily(IndexTable.ENTRIES))) {
      return entries.next() != null;
    }
  }

  /** What is noted of openings: without it nobody believes the index. */
  private static Collection<OpeningMark> marks() throws IOException {
    List<Cell> cells = new ArrayList<>();
    try (Table index = CLUSTER.connection().getTable(IndexTable.nameOf(NAME, "v"));
        ResultScanner rows = index.getScanner(ControlRows.scan())) {
      for (Result r : rows) {
        cells.addAll(r.listCells());
      }
    }
    return ControlRows.notes(cells).marks();
  }

  private static IndexStatus.State state(Spyhop spyhop) throws IOException {
    return spyhop.admin().status(NAME).get(0).state();
  }
}
