package io.spyhop.server.index.stats;

import io.spyhop.client.IndexedTable;
import io.spyhop.client.Query;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A table of regions {@code r0} to {@code r7} whose only definition is for statistics, of the LONG
 * column {@code f:n}, and a client that queries it.
 */
final class PrunedTable implements AutoCloseable {
  static final byte[] F = Bytes.toBytes("f");
  static final byte[] N = Bytes.toBytes("n");
  static final int REGIONS = 8;
  private static final AtomicInteger TABLES = new AtomicInteger();

  private final TestCluster cluster;
  private final TableName name;
  private final Table table;
  private final Spyhop spyhop;
  private final IndexedTable indexed;

  PrunedTable(TestCluster cluster) throws IOException {
    this.cluster = cluster;
    this.name = TableName.valueOf("pruned" + TABLES.incrementAndGet());
    TableDescriptor plain =
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
            .build();
    IndexDefinition statistics =
        IndexDefinition.builder("n")
            .kind(IndexKind.STATS)
            .column("f:n")
            .type(ValueType.LONG)
            .build();
    byte[][] splits = new byte[REGIONS - 1][];
    for (int i = 1; i < REGIONS; i++) {
      splits[i - 1] = Bytes.toBytes("r" + i);
    }
    cluster.admin().createTable(IndexSchema.withIndex(plain, statistics), splits);
    this.table = cluster.connection().getTable(name);
    this.spyhop = Spyhop.connect(cluster.connection());
    this.indexed = spyhop.table(name);
  }

  TableName name() {
    return name;
  }

  Table table() {
    return table;
  }

  IndexedTable indexed() {
    return indexed;
  }

  static Put put(String row, long value) {
    return new Put(Bytes.toBytes(row)).addColumn(F, N, Bytes.toBytes(value));
  }

  void write(String row, long value) throws IOException {
    table.put(put(row, value));
  }

  static List<String> rows(IndexedTable table, Query query) throws IOException {
    List<String> rows = new ArrayList<>();
    try (RowCursor cursor = table.query(query)) {
      for (Result row : cursor) {
        rows.add(Bytes.toString(row.getRow()));
      }
    }
    return rows;
  }

  List<String> rows(Query query) throws IOException {
    return rows(indexed, query);
  }

  @Override
  public void close() throws IOException {
    spyhop.close();
    table.close();
    cluster.admin().disableTable(name);
    cluster.admin().deleteTable(name);
  }
}
