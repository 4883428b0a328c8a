package io.spyhop.bench.deli;

import io.spyhop.bench.BenchCluster;
import io.spyhop.bench.Latency;
import io.spyhop.bench.Numbers;
import io.spyhop.bench.Placement;
import io.spyhop.bench.Progress;
import io.spyhop.bench.PutLoader;
import io.spyhop.bench.Tables;
import io.spyhop.core.schema.Maintenance;
import io.spyhop.core.schema.Repair;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;

/**
 * A cluster with the product that is measured on it; makes, writes and flushes tables. Thread-safe.
 *
 * @param writer writes slices
 */
record Scene(BenchCluster cluster, Product product, PutLoader writer, Settings settings) {
  Connection connection() {
    return cluster.connection();
  }

  /** A table without an index. */
  void create(TableName table, long rows) throws IOException {
    try (Admin admin = connection().getAdmin()) {
      admin.createTable(
          DeliTable.descriptor(table), Tables.splits(rows, settings.regions(), DeliTable::row));
    }
    Placement.spread(connection(), table, 0);
  }

  /** A table with an index. */
  void create(TableName table, long rows, long values, Maintenance maintenance, Repair repair)
      throws IOException {
    create(table, rows);
    createIndex(table, DeliTable.INDEXED, values, maintenance, repair);
  }

  /** An index on a column with values below a limit. */
  void createIndex(
      TableName table, String column, long values, Maintenance maintenance, Repair repair)
      throws IOException {
    product.createIndex(table, column, maintenance, repair, settings.valueSplits(values));
    for (TableName index : product.indexTables(table)) {
      Placement.spread(connection(), index, 1);
    }
  }

  /**
   * Writes a slice and returns when the last put is acknowledged.
   *
   * @param batch puts in one call; 1 for single puts
   * @param calls is told how long each call takes
   * @return how many seconds it took
   */
  double write(TableName table, Slice slice, int batch, Latency calls) throws IOException {
    try (Progress silent = Progress.NONE.start("", 1)) {
      return Numbers.seconds(writer.load(table, slice.batches(batch), silent, calls));
    }
  }

  /** Writes the memstores of a table and its index into HFiles. */
  void flush(TableName table) throws IOException {
    List<TableName> tables = new ArrayList<>(List.of(table));
    tables.addAll(product.indexTables(table));
    Tables.flush(connection(), tables);
  }

  /** Writes a slice that is not measured, flushes, and waits until no delete is pending. */
  void fill(TableName table, Slice slice) throws IOException {
    write(table, slice, Settings.BATCH, new Latency());
    flush(table);
    product.quiesce(table);
  }
}
