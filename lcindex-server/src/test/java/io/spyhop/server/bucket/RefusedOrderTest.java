package io.spyhop.server.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.client.BucketedTable;
import io.spyhop.client.Spyhop;
import io.spyhop.core.bucket.BucketOptions;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import io.spyhop.server.view.store.BackwardStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/**
 * Regions whose stores are HBase's own do not merge their prefixes downwards, and the client does.
 */
class RefusedOrderTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final int ROWS = 200;

  private final TestCluster cluster = TestCluster.get();

  @Test
  void rowsOfAFamilyWithMobsComeInBothOrders() throws Exception {
    TableName name = TableName.valueOf("mobs");
    try (Spyhop spyhop = Spyhop.connect(cluster.connection())) {
      spyhop
          .buckets()
          .create(
              TableDescriptorBuilder.newBuilder(name)
                  .setColumnFamily(
                      ColumnFamilyDescriptorBuilder.newBuilder(F).setMobEnabled(true).build())
                  .build(),
              BucketOptions.usual());
      assertThat(cluster.regions(name)).isNotEmpty().noneMatch(BackwardStore::isEverywhereIn);
      try (BucketedTable table = spyhop.bucketed(name)) {
        List<String> rows = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
          String row = String.format("r%03d", i);
          rows.add(row);
          table.put(new Put(Bytes.toBytes(row)).addColumn(F, F, F));
          if (i == ROWS / 2) {
            Regions.flush(cluster, name);
          }
        }
        assertThat(rows(table, new Scan())).isEqualTo(rows);
        Collections.reverse(rows);
        assertThat(rows(table, new Scan().setReversed(true))).isEqualTo(rows);
        assertThat(rows(table, new Scan().setReversed(true).setLimit(7)))
            .isEqualTo(rows.subList(0, 7));
      }
    }
    cluster.admin().disableTable(name);
    cluster.admin().deleteTable(name);
  }

  private static List<String> rows(BucketedTable table, Scan scan) throws IOException {
    List<String> rows = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result row = scanner.next(); row != null; row = scanner.next()) {
        rows.add(Bytes.toString(row.getRow()));
      }
    }
    return rows;
  }
}
