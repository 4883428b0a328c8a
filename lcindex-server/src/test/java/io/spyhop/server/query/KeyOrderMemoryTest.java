package io.spyhop.server.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.client.BucketedTable;
import io.spyhop.client.Spyhop;
import io.spyhop.core.bucket.BucketOptions;
import io.spyhop.core.order.KeyOrderRequest;
import io.spyhop.core.order.OrderRefusedException;
import io.spyhop.server.memory.MemoryBudget;
import io.spyhop.server.memory.QueryMemory;
import io.spyhop.server.query.scan.KeyOrderScanner;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The rows that a scan in the order of keys holds, one for each prefix, are bounded in bytes: it
 * held a copy of the first row of all of them, which took a region server with rows of 2 MB.
 */
class KeyOrderMemoryTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final int ROWS = 300;
  private static final int COLUMNS = 40;
  private static final int WIDTH = 500;
  private static final int STEP = 256 << 10;

  private final TestCluster cluster = TestCluster.get();
  private final TableName name = TableName.valueOf("wide-rows");
  private final List<String> expected = new ArrayList<>();
  private HRegion region;

  @BeforeEach
  void load() throws Exception {
    try (Spyhop spyhop = Spyhop.connect(cluster.connection())) {
      spyhop
          .buckets()
          .create(
              TableDescriptorBuilder.newBuilder(name)
                  .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                  .build(),
              BucketOptions.usual(1));
      region = cluster.regions(name).get(0);
      try (BucketedTable table = spyhop.bucketed(name)) {
        for (int i = 0; i < ROWS; i++) {
          Put put = new Put(Bytes.toBytes(String.format("r%03d", i)));
          for (int c = 0; c < COLUMNS; c++) {
            put.addColumn(F, Bytes.toBytes(c), new byte[WIDTH]);
          }
          table.put(put);
          expected.add(Bytes.toString(put.getRow()) + " " + COLUMNS);
          if (i == ROWS / 2) {
            region.flush(true);
          }
        }
      }
    }
  }

  @AfterEach
  void drop() throws IOException {
    cluster.admin().disableTable(name);
    cluster.admin().deleteTable(name);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void rowsWithoutRoomAreReadTwice(boolean descending) throws IOException {
    if (descending) {
      Collections.reverse(expected);
    }
    long all = (long) ROWS * COLUMNS * WIDTH;
    MemoryBudget plenty = new MemoryBudget(10 * all);
    assertThat(rows(descending, plenty, 10 * all)).isEqualTo(expected);
    assertThat(plenty.used()).isZero();

    MemoryBudget some = new MemoryBudget(all / 10 + STEP);
    assertThat(rows(descending, some, all / 10)).isEqualTo(expected);
    assertThat(some.used()).isZero();

    MemoryBudget keys = new MemoryBudget(STEP + 10_000);
    assertThat(rows(descending, keys, 10_000)).isEqualTo(expected);
  }

  @Test
  void withoutRoomForKeysTheClientMerges() throws IOException {
    assertThatThrownBy(() -> rows(false, new MemoryBudget(1_000), STEP))
        .isInstanceOf(OrderRefusedException.class)
        .hasMessageContaining("spyhop.query.memory");
  }

  private List<String> rows(boolean descending, MemoryBudget server, long budget)
      throws IOException {
    KeyOrderRequest request =
        new KeyOrderRequest(new byte[0], new byte[0], new byte[0], descending);
    List<String> rows = new ArrayList<>();
    long most = 0;
    Scan scan = new Scan().addFamily(F);
    try (RegionScanner core = region.getScanner(scan);
        RegionScanner scanner =
            KeyOrderScanner.open(region, scan, request, new QueryMemory(server, budget), core)) {
      List<Cell> cells = new ArrayList<>();
      for (boolean more = scanner.nextRaw(cells); more; more = scanner.nextRaw(cells)) {
        byte[] stored = CellUtil.cloneRow(cells.get(0));
        rows.add(Bytes.toString(BucketOptions.usual().keys().user(stored)) + " " + cells.size());
        cells.clear();
        most = Math.max(most, server.used());
      }
      assertThat(most).as("bytes held").isPositive().isLessThanOrEqualTo(budget + STEP);
    }
    return rows;
  }
}
