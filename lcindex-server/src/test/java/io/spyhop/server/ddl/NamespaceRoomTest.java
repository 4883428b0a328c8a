package io.spyhop.server.ddl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.testing.TestCluster;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.namespace.NamespaceAuditor;
import org.apache.hadoop.hbase.quotas.QuotaExceededException;
import org.apache.hadoop.hbase.quotas.QuotaUtil;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A namespace with a quota, and tables that bring global indexes. */
class NamespaceRoomTest {
  private static TestCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster = TestCluster.start(1, conf -> conf.setBoolean(QuotaUtil.QUOTA_CONF_KEY, true));
    cluster.util().waitTableAvailable(QuotaUtil.QUOTA_TABLE_NAME);
    NamespaceAuditor auditor =
        cluster
            .util()
            .getMiniHBaseCluster()
            .getMaster()
            .getMasterQuotaManager()
            .getNamespaceQuotaManager();
    cluster.util().waitFor(60_000, auditor::isInitialized);
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  private static TableDescriptor table(String namespace, String name, String... indexes) {
    TableDescriptor table =
        TableDescriptorBuilder.newBuilder(TableName.valueOf(namespace, name))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
            .build();
    for (String index : indexes) {
      table =
          IndexSchema.withIndex(
              table,
              IndexDefinition.builder(index)
                  .kind(IndexKind.GLOBAL)
                  .column("f:" + index)
                  .type(ValueType.LONG)
                  .build());
    }
    return table;
  }

  private static void createNamespace(String name, String quota, int most) throws Exception {
    cluster
        .admin()
        .createNamespace(
            NamespaceDescriptor.create(name)
                .addConfiguration("hbase.namespace.quota.max" + quota, String.valueOf(most))
                .build());
  }

  @Test
  void aTableIsRefusedWhoseIndexesHaveNoRoom() throws Exception {
    Admin admin = cluster.admin();
    createNamespace("few_tables", "tables", 2);
    assertThatThrownBy(() -> admin.createTable(table("few_tables", "t", "v", "w")))
        .isInstanceOf(QuotaExceededException.class)
        .hasMessageContaining("few_tables:t")
        .hasMessageContaining("3 tables of at most 2");
    assertThat(admin.tableExists(TableName.valueOf("few_tables:t"))).isFalse();
    admin.createTable(table("few_tables", "t", "v"));
    createNamespace("few_regions", "regions", 3);
    byte[][] splits = {Bytes.toBytes("m"), Bytes.toBytes("s")};
    assertThatThrownBy(() -> admin.createTable(table("few_regions", "t", "v"), splits))
        .isInstanceOf(QuotaExceededException.class)
        .hasMessageContaining("4 regions of at most 3");
    admin.createTable(table("few_regions", "t"), splits);
  }
}
