package io.spyhop.server.view.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reversed scans of halves of files; HBase's own fail where the lower half has two rows. */
class SplitFilesTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final int ROWS = 6;

  private final TestCluster cluster = TestCluster.get();

  private static byte[] row(int i) {
    return Bytes.toBytes("r" + i);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5})
  void reversedScansOfHalves(int border) throws Exception {
    TableName name = TableName.valueOf("halves" + border);
    cluster
        .admin()
        .createTable(
            TableDescriptorBuilder.newBuilder(name)
                .setCompactionEnabled(false)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                .build());
    try (Table table = cluster.connection().getTable(name)) {
      for (int i = 0; i < ROWS; i++) {
        table.put(new Put(row(i)).addColumn(F, F, F));
      }
      Regions.flush(cluster, name);
      byte[] region = cluster.admin().getRegions(name).get(0).getRegionName();
      cluster.admin().splitRegionAsync(region, row(border)).get(1, TimeUnit.MINUTES);
      for (int from = 0; from < ROWS; from++) {
        assertThat(rows(table, new Scan().setReversed(true).withStartRow(row(from))))
            .as("from r%d", from)
            .isEqualTo(down(from));
        Scan behind = new Scan().setReversed(true).withStartRow(Bytes.toBytes("r" + from + "x"));
        assertThat(rows(table, behind)).as("from r%dx", from).isEqualTo(down(from));
      }
      assertThat(rows(table, new Scan().setReversed(true).setCaching(1))).isEqualTo(down(ROWS - 1));
    }
    cluster.admin().disableTable(name);
    cluster.admin().deleteTable(name);
  }

  private static List<String> down(int from) {
    List<String> rows = new ArrayList<>();
    for (int i = 0; i <= from; i++) {
      rows.add(Bytes.toString(row(i)));
    }
    Collections.reverse(rows);
    return rows;
  }

  private static List<String> rows(Table table, Scan scan) throws IOException {
    List<String> rows = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result row = scanner.next(); row != null; row = scanner.next()) {
        rows.add(Bytes.toString(row.getRow()));
      }
    }
    return rows;
  }
}
