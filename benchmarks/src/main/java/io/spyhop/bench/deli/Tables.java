package io.spyhop.bench.deli;

import io.spyhop.bench.BenchCluster;
import io.spyhop.bench.Placement;
import io.spyhop.core.schema.Maintenance;
import io.spyhop.core.schema.Repair;
import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;

/** Makes tables with and without an index, and flushes them. Thread-safe. */
final class Tables {
  private final Connection connection;
  private final Product product;
  private final Settings settings;

  Tables(BenchCluster cluster, Product product, Settings settings) {
    this.connection = cluster.connection();
    this.product = product;
    this.settings = settings;
  }

  /** A table without an index. */
  void create(TableName table, long rows) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(DeliTable.descriptor(table), DeliTable.splits(rows, settings.regions()));
    }
    Placement.spread(connection, table, 0);
  }

  /** A table with an index. */
  void create(TableName table, long rows, long values, Maintenance maintenance, Repair repair)
      throws IOException {
    create(table, rows);
    product.createIndex(table, maintenance, repair, settings.valueSplits(values));
    for (TableName index : product.indexTables(table)) {
      Placement.spread(connection, index, 1);
    }
  }

  /** Writes the memstores of a table and its index into HFiles. */
  void flush(TableName table) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.flush(table);
      for (TableName index : product.indexTables(table)) {
        admin.flush(index);
      }
    }
  }
}
