package io.spyhop.bench.mdrq;

import io.spyhop.bench.Row;
import io.spyhop.bench.Tables;
import io.spyhop.bench.tpch.OrdersTable;
import io.spyhop.client.IndexAdmin;
import io.spyhop.client.IndexStatus;
import io.spyhop.core.schema.Layout;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;

/** A table with indexes and its twin without, which get the same cells. */
final class Twins implements Closeable {
  /** The twin: no index. */
  static final TableName PLAIN = TableName.valueOf("orders_plain");

  /** The table with three indexes. */
  static final TableName INDEXED = TableName.valueOf("orders_indexed");

  private final Connection connection;
  private final Asker asker;
  private final Layout layout;

  /**
   * Tables that are not there yet.
   *
   * @param layout of the indexes
   */
  Twins(Connection connection, Layout layout) {
    this.connection = connection;
    this.layout = layout;
    this.asker = new Asker(connection, INDEXED);
  }

  /** Makes both tables, empty, as a load wants them. */
  void create(Load load, long rows, int regions) throws IOException {
    byte[][] splits = OrdersTable.splits(rows, regions);
    try (Admin admin = connection.getAdmin()) {
      for (TableName name : new TableName[] {PLAIN, INDEXED}) {
        admin.createTable(load.descriptor(name), splits);
      }
    }
    asker.admin().createIndexes(INDEXED, OrdersTable.indexes(layout));
  }

  /** Removes both tables. */
  void drop() throws IOException {
    Tables.drop(connection, PLAIN, INDEXED);
  }

  /** How much is on disk of the indexes, all regions together. */
  Row indexBytes() throws IOException {
    List<IndexStatus.Local> status =
        admin().status(INDEXED).stream().map(IndexStatus.Local.class::cast).toList();
    return Row.of("ifiles", status.stream().mapToLong(IndexStatus.Local::ifileBytes).sum())
        .and("sfiles", status.stream().mapToLong(IndexStatus.Local::sfileBytes).sum());
  }

  Layout layout() {
    return layout;
  }

  Connection connection() {
    return connection;
  }

  IndexAdmin admin() {
    return asker.admin();
  }

  Asker asker() {
    return asker;
  }

  @Override
  public void close() {
    asker.close();
  }
}
