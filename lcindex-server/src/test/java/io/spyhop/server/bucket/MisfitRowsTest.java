package io.spyhop.server.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.client.BucketedTable;
import io.spyhop.client.Spyhop;
import io.spyhop.core.bucket.BucketOptions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Rows that are not where their keys' hashes lead are refused, however they come. */
class MisfitRowsTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final TableName NAME = TableName.valueOf("misfits");
  private static final int KEYS = 100;

  private final TestCluster cluster = TestCluster.get();

  private static void create(Spyhop spyhop, int bits) throws Exception {
    spyhop
        .buckets()
        .create(
            TableDescriptorBuilder.newBuilder(NAME)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                .build(),
            BucketOptions.usual().withBits(bits));
  }

  private void drop() throws Exception {
    cluster.admin().disableTable(NAME);
    cluster.admin().deleteTable(NAME);
  }

  private interface Work {
    void run() throws Exception;
  }

  private static void assertRefused(Work work) {
    assertThatThrownBy(work::run).hasStackTraceContaining("are not its key's hash");
  }

  @Test
  void aHandleThatOutlivesItsTableLosesNothing() throws Exception {
    try (Spyhop spyhop = Spyhop.connect(cluster.connection())) {
      create(spyhop, 8);
      try (BucketedTable stale = spyhop.bucketed(NAME)) {
        drop();
        create(spyhop, 4);
        try (BucketedTable table = spyhop.bucketed(NAME)) {
          int written = 0;
          for (int i = 0; i < KEYS; i++) {
            byte[] key = Bytes.toBytes("k" + i);
            try {
              stale.put(new Put(key).addColumn(F, F, F));
            } catch (IOException e) {
              assertThat(e).hasStackTraceContaining("open it again");
              assertRefused(() -> stale.get(new Get(key)));
              assertRefused(() -> stale.exists(new Get(key)));
              assertRefused(
                  () ->
                      stale.checkAndMutate(
                          CheckAndMutate.newBuilder(key)
                              .ifEquals(F, F, F)
                              .build(new Put(key).addColumn(F, F, F))));
              continue;
            }
            written++;
            assertThat(table.exists(new Get(key))).as("acknowledged").isTrue();
          }
          assertThat(written).isLessThan(KEYS / 2);
          List<Put> puts = new ArrayList<>();
          for (int i = 0; i < KEYS; i++) {
            puts.add(new Put(Bytes.toBytes("b" + i)).addColumn(F, F, F));
          }
          assertRefused(() -> stale.put(puts));
        }
      }
      drop();
    }
  }

  @Test
  void clientsWithoutSpyhopWriteNothingThatDoesNotFit() throws Exception {
    try (Spyhop spyhop = Spyhop.connect(cluster.connection())) {
      create(spyhop, 8);
      try (Table plain = cluster.connection().getTable(NAME);
          BucketedTable table = spyhop.bucketed(NAME)) {
        for (String text : List.of("a", "ab", "a row", "b row")) {
          byte[] row = Bytes.toBytes(text);
          Put put = new Put(row).addColumn(F, F, F);
          assertRefused(() -> plain.put(put));
          assertRefused(() -> plain.increment(new Increment(row).addColumn(F, F, 1)));
          assertRefused(() -> plain.append(new Append(row).addColumn(F, F, F)));
          assertRefused(() -> plain.mutateRow(RowMutations.of(List.of(put))));
          assertRefused(
              () ->
                  plain.checkAndMutate(
                      CheckAndMutate.newBuilder(row).ifNotExists(F, F).build(put)));
          assertRefused(() -> plain.batch(List.<Row>of(put), new Object[1]));
          if (row.length > BucketOptions.WIDTH) {
            assertRefused(() -> plain.delete(new Delete(row)));
          } else {
            plain.delete(new Delete(row));
          }
        }
        try (ResultScanner rows = plain.getScanner(new Scan())) {
          assertThat(rows.next()).isNull();
        }
        byte[] fits = table.options().keys().stored(Bytes.toBytes("a row"));
        plain.put(new Put(fits).addColumn(F, F, F));
        assertThat(table.exists(new Get(Bytes.toBytes("a row")))).isTrue();
      }
      drop();
    }
  }
}
