package io.spyhop.server.ddl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.client.Spyhop;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.testing.Secured;
import io.spyhop.server.testing.TestCluster;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.security.visibility.VisibilityController;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** The boundaries of index tables tell nothing of cells that labels hide. */
class LabelledBoundariesTest {
  @Test
  void indexTablesAreOneRegion() throws Exception {
    try (TestCluster cluster = Secured.start("", VisibilityController.class.getName());
        Spyhop spyhop = Spyhop.connect(cluster.connection())) {
      cluster.util().waitTableAvailable(TableName.valueOf("hbase:labels"));
      TableName base = TableName.valueOf("labelled");
      Admin admin = cluster.admin();
      admin.createTable(
          TableDescriptorBuilder.newBuilder(base)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
              .build());
      IndexDefinition index =
          IndexDefinition.builder("v")
              .kind(IndexKind.GLOBAL)
              .column("f:v")
              .type(ValueType.STRING)
              .build();
      // The client does not know of labels: the master drops the values.
      spyhop.admin().createIndex(base, index, List.of("needle1", "needle2"));
      spyhop.admin().waitUntilActive(base, Duration.ofSeconds(60));
      TableName table = IndexTable.nameOf(base, "v");
      List<RegionInfo> regions = admin.getRegions(table);
      assertThat(regions).hasSize(1);
      assertThat(IndexTable.hidesBoundaries(admin.getDescriptor(table))).isTrue();
      assertThatThrownBy(
              () ->
                  admin
                      .splitRegionAsync(regions.get(0).getRegionName(), Bytes.toBytes("needle1"))
                      .get(60, TimeUnit.SECONDS))
          .hasMessageMatching("(?s).*(split is disabled for the table|NOT splittable).*");
    }
  }
}
