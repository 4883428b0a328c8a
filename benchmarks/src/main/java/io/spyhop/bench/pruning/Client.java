package io.spyhop.bench.pruning;

import io.spyhop.bench.tpcds.TpcdsTable;
import io.spyhop.client.IndexedTable;
import io.spyhop.client.Query;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Result;

/**
 * A client of Spyhop with a connection of its own, the paper's p-node. With and without pruning it
 * scans through the same code on the same pool of threads. Thread-safe.
 */
final class Client implements Closeable {
  private static final int CACHING = 1_000;

  private final Connection connection;
  private final Spyhop spyhop;
  private final Map<TpcdsTable, IndexedTable> tables = new EnumMap<>(TpcdsTable.class);

  /** Connects. */
  Client(Configuration conf, Dataset data) throws IOException {
    connection = ConnectionFactory.createConnection(conf);
    spyhop = Spyhop.connect(connection);
    data.tables().forEach(t -> tables.put(t, spyhop.table(data.name(t))));
  }

  /** Asks all scans of a query, one after the other. */
  void ask(List<TableScan> query, Way way, Consumer<Result> rows) throws IOException {
    for (TableScan scan : query) {
      ask(scan, way, rows);
    }
  }

  private void ask(TableScan scan, Way way, Consumer<Result> rows) throws IOException {
    Query query = Query.where(scan.where()).caching(CACHING);
    try (RowCursor cursor = tables.get(scan.table()).query(query)) {
      cursor.forEach(rows);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** The rows of a scan, in the order of their keys. */
  List<Result> rows(TableScan scan, Way way) throws IOException {
    List<Result> rows = new ArrayList<>();
    ask(scan, way, rows::add);
    return rows;
  }

  /** What pruning did so far, over all tables. */
  Counters counters() {
    return Counters.NONE;
  }

  @Override
  public void close() throws IOException {
    try (connection) {
      spyhop.close();
    }
  }
}
