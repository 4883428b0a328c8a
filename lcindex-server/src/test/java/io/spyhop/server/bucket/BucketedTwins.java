package io.spyhop.server.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.client.BucketedTable;
import io.spyhop.client.RowOrder;
import io.spyhop.client.Spyhop;
import io.spyhop.core.bucket.BucketOptions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** A bucketed table and a plain one, to which the same is done, and which answer the same. */
final class BucketedTwins implements AutoCloseable {
  static final byte[] D = Bytes.toBytes("d");

  private static final AtomicInteger TABLES = new AtomicInteger();

  private final TestCluster cluster = TestCluster.get();
  private final Spyhop spyhop = Spyhop.connect(cluster.connection());
  private final TableName bucketedName = name();
  private final TableName plainName = name();
  private final BucketedTable bucketed;
  private final Table plain;

  /** An operation on both tables. */
  @FunctionalInterface
  interface Work {
    /** Does it, and says what came of it. */
    Object on(Table table) throws Exception;
  }

  BucketedTwins(BucketOptions options) throws IOException {
    spyhop.buckets().create(descriptor(bucketedName).build(), options);
    cluster.admin().createTable(descriptor(plainName).build());
    bucketed = spyhop.bucketed(bucketedName);
    plain = spyhop.open(plainName);
  }

  private static TableName name() {
    return TableName.valueOf("bucketed" + TABLES.incrementAndGet());
  }

  private static TableDescriptorBuilder descriptor(TableName name) {
    return TableDescriptorBuilder.newBuilder(name)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(D));
  }

  Spyhop spyhop() {
    return spyhop;
  }

  TableName bucketedName() {
    return bucketedName;
  }

  TableName plainName() {
    return plainName;
  }

  BucketedTable bucketed() {
    return bucketed;
  }

  /** Does the same to both, and compares what comes of it. */
  void both(Work work) throws Exception {
    Object expected = work.on(plain);
    assertThat(work.on(bucketed)).isEqualTo(expected);
  }

  /** Compares the answers to a scan, in order and as they come. */
  void scan(Scan scan) throws IOException {
    List<String> expected = rows(plain.getScanner(new Scan(scan)));
    assertThat(rows(bucketed.getScanner(scan))).as("%s", scan).isEqualTo(expected);
    List<String> any = rows(bucketed.getScanner(scan, RowOrder.ANY));
    if (scan.getLimit() > 0 && scan.getBatch() > 0) {
      assertThat(any.isEmpty()).isEqualTo(expected.isEmpty());
    } else if (scan.getLimit() > 0) {
      assertThat(any).as("in any order %s", scan).hasSameSizeAs(expected);
    } else {
      assertThat(any).as("in any order %s", scan).containsExactlyInAnyOrderElementsOf(expected);
    }
  }

  static List<String> rows(ResultScanner scanner) throws IOException {
    List<String> rows = new ArrayList<>();
    try (scanner) {
      for (Result row : scanner) {
        rows.add(text(row));
      }
    }
    return rows;
  }

  /** Row and cells without timestamps, which both tables have of their own. */
  static String text(Result row) {
    if (row.isEmpty()) {
      return "nothing" + row.getExists();
    }
    StringBuilder text = new StringBuilder(Bytes.toStringBinary(row.getRow()));
    for (Cell c : row.rawCells()) {
      assertThat(CellUtil.matchingRows(c, row.getRow())).isTrue();
      text.append(' ')
          .append(Bytes.toStringBinary(CellUtil.cloneQualifier(c)))
          .append('=')
          .append(Bytes.toStringBinary(CellUtil.cloneValue(c)));
    }
    return text.toString();
  }

  @Override
  public void close() throws IOException {
    bucketed.close();
    plain.close();
    spyhop.close();
    for (TableName name : List.of(bucketedName, plainName)) {
      cluster.admin().disableTable(name);
      cluster.admin().deleteTable(name);
    }
  }
}
