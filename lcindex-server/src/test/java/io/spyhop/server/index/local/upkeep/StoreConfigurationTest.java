package io.spyhop.server.index.local.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.StoreUtils;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class StoreConfigurationTest {
  @Test
  void hasWhatHBaseHasForTheStoreAndSoHasItsCopy() {
    Configuration server = new Configuration(false);
    List<String> keys = List.of("t.server", "t.table", "t.family", "t.metadata");
    keys.forEach(k -> server.set(k, "server"));
    ColumnFamilyDescriptor family =
        ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("f"))
            .setConfiguration("t.family", "family")
            .setConfiguration("t.metadata", "family")
            .setValue("t.metadata", "metadata")
            .build();
    TableDescriptor table =
        TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
            .setColumnFamily(family)
            .setValue("t.table", "table")
            .setValue("t.family", "table")
            .build();
    Configuration hbase = StoreUtils.createStoreConfiguration(server, table, family);

    Configuration conf = StoreConfiguration.of(server, table, family);

    Configuration copy = new Configuration(conf);
    assertThat(keys)
        .extracting(hbase::get)
        .containsExactly("server", "table", "family", "metadata");
    assertThat(keys).allSatisfy(k -> assertThat(conf.get(k)).isEqualTo(hbase.get(k)));
    assertThat(keys).allSatisfy(k -> assertThat(copy.get(k)).isEqualTo(hbase.get(k)));
    assertThat(server.get("t.table")).isEqualTo("server");
  }
}
