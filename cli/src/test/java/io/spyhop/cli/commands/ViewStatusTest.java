package io.spyhop.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spyhop.cli.commands.Cli.Run;
import io.spyhop.core.schema.ViewOption;
import java.io.IOException;
import java.time.Duration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** {@code spyhop view}: what is on, how far it is, and where it is in vain. */
class ViewStatusTest {
  @RegisterExtension static final SharedHBase HBASE = new SharedHBase();

  private static final TableName NAME = TableName.valueOf("viewed");

  private static void fill() throws IOException {
    try (Connection connection = HBASE.connect();
        Admin admin = connection.getAdmin();
        Table table = connection.getTable(NAME)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(NAME)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("d"))
              .setColumnFamily(
                  ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("vain"))
                      .setDataBlockEncoding(DataBlockEncoding.PREFIX)
                      .setValue(ViewOption.NAME, "true")
                      .build())
              .build());
      for (int file = 0; file < 2; file++) {
        table.put(
            new Put(Bytes.toBytes(file)).addColumn(Bytes.toBytes("d"), null, Bytes.toBytes(1)));
        admin.flush(NAME);
      }
    }
  }

  @Test
  void saysHowFarTheyAre() throws IOException {
    fill();
    Run off = HBASE.run("view", "status", "viewed", "d");
    assertThat(off.out()).isEqualTo("Sorted views of family 'd' of table 'viewed' are off.\n");
    assertThat(HBASE.run("view", "enable", "viewed", "d").code()).isZero();
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () ->
                assertThat(HBASE.run("view", "status", "viewed", "d", "--wide").out())
                    .startsWith("Sorted views of family 'd' of table 'viewed' are on.\nregion ")
                    .containsPattern("\n[0-9a-f]{32} +\\S+,\\d+,\\d+ +2/2 +2 +0.0 MB +no +0 +0\n"));
    Run vain = HBASE.run("view", "status", "viewed", "vain", "--wide");
    assertThat(vain.out())
        .contains(": a sorted view reads cells by their positions")
        .as("unknown is not zero")
        .containsPattern("\n[0-9a-f]{32} +\\S+ +- +- +- +- +- +-\n");
    assertThat(HBASE.run("doctor").out())
        .contains("table viewed: family 'vain' has SORTED_VIEW in vain")
        .doesNotContain("hbase.hregion.impl");
    try (Connection connection = HBASE.connect();
        Admin admin = connection.getAdmin()) {
      admin.disableTable(NAME);
      admin.deleteTable(NAME);
    }
  }
}
