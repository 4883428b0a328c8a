package io.spyhop.server.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.client.BucketedTable;
import io.spyhop.client.Spyhop;
import io.spyhop.core.bucket.BucketOptions;
import io.spyhop.server.testing.BulkFile;
import io.spyhop.server.testing.TestCluster;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.BloomType;
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

  /** Of a call's operations each is for itself, but for those that are done together. */
  @Test
  void aMisfitFailsNoOther() throws Exception {
    try (Spyhop spyhop = Spyhop.connect(cluster.connection())) {
      create(spyhop, 8);
      try (Table plain = cluster.connection().getTable(NAME);
          BucketedTable table = spyhop.bucketed(NAME)) {
        List<Row> puts = new ArrayList<>();
        for (int i = 0; i < KEYS; i++) {
          byte[] stored = table.options().keys().stored(Bytes.toBytes("k" + i));
          stored[0] ^= (byte) (i % 10 == 3 ? 1 : 0);
          puts.add(new Put(stored).addColumn(F, F, F));
        }
        Object[] results = new Object[KEYS];
        assertThatThrownBy(() -> plain.batch(puts, results))
            .isInstanceOfSatisfying(
                RetriesExhaustedWithDetailsException.class,
                e -> assertThat(e.getNumExceptions()).isEqualTo(KEYS / 10));
        for (int i = 0; i < KEYS; i++) {
          boolean fits = i % 10 != 3;
          assertThat(results[i]).isInstanceOf(fits ? Result.class : DoNotRetryIOException.class);
          assertThat(table.exists(new Get(Bytes.toBytes("k" + i)))).isEqualTo(fits);
        }
        byte[] row = puts.get(3).getRow();
        Put misfit = new Put(row).addColumn(F, F, F);
        Increment other = new Increment(row).addColumn(F, Bytes.toBytes("n"), 1);
        assertRefused(() -> plain.mutateRow(RowMutations.of(List.of(misfit, other))));
        assertRefused(() -> plain.batch(List.of(other, other), new Object[2]));
        try (ResultScanner rows = plain.getScanner(new Scan())) {
          assertThat(rows).hasSize(KEYS - KEYS / 10);
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

  @Test
  void aLoadWithAMisfitIsRefused() throws Exception {
    try (Spyhop spyhop = Spyhop.connect(cluster.connection())) {
      create(spyhop, 8);
      try (BucketedTable table = spyhop.bucketed(NAME)) {
        List<KeyValue> cells = new ArrayList<>();
        for (int i = 0; i < KEYS; i++) {
          byte[] stored = table.options().keys().stored(Bytes.toBytes("k" + i));
          cells.add(new KeyValue(stored, F, F, 1, F));
        }
        BulkFile.load(cluster, NAME, BloomType.ROW, cells);
        for (byte[] row : List.of(Bytes.toBytes("plain"), Bytes.toBytes("a"), misfit(cells))) {
          List<KeyValue> more = new ArrayList<>(cells);
          more.add(new KeyValue(row, F, F, 2, F));
          assertThatThrownBy(() -> BulkFile.load(cluster, NAME, BloomType.ROW, more))
              .hasStackTraceContaining("table 'misfits' has buckets of 8 bits of murmur3_32:1")
              .hasStackTraceContaining("row " + Bytes.toStringBinary(row))
              .hasStackTraceContaining("the region takes nothing of the load");
        }
        try (ResultScanner rows = table.getScanner(new Scan())) {
          assertThat(rows).hasSize(KEYS).allMatch(r -> r.rawCells()[0].getTimestamp() == 1);
        }
      }
      drop();
    }
  }

  /** In the midst of a file. */
  private static byte[] misfit(List<KeyValue> cells) {
    byte[] row = CellUtil.cloneRow(cells.get(KEYS / 2));
    row[row.length - 1]++;
    row[1] ^= 1;
    return row;
  }
}
