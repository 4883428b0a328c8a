package io.spyhop.bench.pruning;

import io.spyhop.bench.tpcds.TpcdsTable;
import io.spyhop.client.Consistency;
import io.spyhop.client.IndexedTable;
import io.spyhop.client.Query;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import io.spyhop.core.protocol.Attributes;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
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

  /** How a predicate is asked in a way. */
  static Query query(String where, Way way) {
    Query query = Query.where(where).caching(CACHING);
    return switch (way) {
      case OPS -> query.pruning(false).hint(Attributes.PATH_SCAN);
      case INDEX -> query.pruning(false);
      case STRICT -> query.consistency(Consistency.STRICT);
      case BATCHED -> query.consistency(Consistency.BATCHED);
      case BOUNDED -> query.consistency(Consistency.bounded(Settings.BOUND));
    };
  }

  /** Gives all rows of a query to a consumer. */
  static void drain(IndexedTable table, Query query, Consumer<Result> rows) throws IOException {
    try (RowCursor cursor = table.query(query)) {
      cursor.forEach(rows);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** Asks all scans of a query, one after the other. */
  void ask(List<TableScan> query, Way way, Consumer<Result> rows) throws IOException {
    for (TableScan scan : query) {
      drain(tables.get(scan.table()), query(scan.where(), way), rows);
    }
  }

  /** Does the same with pruning, at a level of consistency. */
  void ask(List<TableScan> query, Consistency level, Consumer<Result> rows) throws IOException {
    for (TableScan scan : query) {
      Query asked = Query.where(scan.where()).caching(CACHING).consistency(level);
      drain(tables.get(scan.table()), asked, rows);
    }
  }

  /** The rows of a scan, in the order of their keys. */
  List<Result> rows(TableScan scan, Way way) throws IOException {
    List<Result> rows = new ArrayList<>();
    ask(List.of(scan), way, rows::add);
    return rows;
  }

  /** Gives all rows of a table to a consumer: there is nothing to leave out, in any way. */
  void all(TpcdsTable table, Consumer<Result> rows) throws IOException {
    drain(tables.get(table), Query.all().caching(CACHING), rows);
  }

  /** A table that is not of the workload. */
  IndexedTable table(TableName name) {
    return spyhop.table(name);
  }

  /** What pruning did so far, over all tables. */
  Counters counters() {
    return tables.values().stream()
        .map(t -> Counters.of(t.statistics()))
        .reduce(Counters.NONE, Counters::plus);
  }

  /** What pruning did so far for a table. */
  Counters counters(TpcdsTable table) {
    return Counters.of(tables.get(table).statistics());
  }

  @Override
  public void close() throws IOException {
    try (connection) {
      spyhop.close();
    }
  }
}
