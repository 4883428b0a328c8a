package io.spyhop.client.internal.query;

import io.spyhop.client.Consistency;
import io.spyhop.client.internal.exec.RowStream;
import io.spyhop.client.internal.exec.ScanPool;
import io.spyhop.client.internal.plan.TableSchema;
import io.spyhop.client.internal.prune.ClientPruning;
import io.spyhop.client.internal.prune.TablePruning;
import io.spyhop.core.protocol.Refusal;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/** Runs queries and scans on one table. Thread-safe. */
public final class QueryExecutor {
  private final TableContext table;

  /** Nothing is asked of the table before a query is run. */
  public QueryExecutor(
      TableName name, Connection connection, ScanPool pool, ClientPruning pruning) {
    this.table = TableContext.of(name, connection, pool, pruning);
  }

  /** The table's statistics. */
  public TablePruning pruning() {
    return table.pruning();
  }

  /**
   * Runs a query; nothing is asked of regions before its first row is.
   *
   * @param id under which regions keep what they did, if they shall
   * @throws IllegalStateException if the client has been closed
   */
  public QueryRun run(BoundQuery query, Optional<byte[]> id) {
    table.requireOpen();
    QueryContext context = new QueryContext(table, query, id);
    List<QueryPath> paths = PathChooser.of(context);
    PathRows rows = new PathRows(paths, query.rows());
    boolean stored = query.order().isEmpty() && !query.sorts();
    return new QueryRun(paths, stored ? context.inUsersKeys(rows) : rows);
  }

  /**
   * Runs a query with an aggregate.
   *
   * @throws io.spyhop.core.protocol.DefinitionsChangedException if it was bound by old definitions
   * @throws IOException if a scan fails, or the groups take too much memory
   * @throws IllegalStateException if the client has been closed
   */
  public AggregateRun aggregate(BoundQuery query) throws IOException {
    table.requireOpen();
    AggregateRun run = new AggregateRun(query.aggregate().orElseThrow(), table.conf());
    List<QueryPath> paths = PathChooser.of(new QueryContext(table, query, Optional.empty()));
    try (RowStream rows = new PathRows(paths, query.rows())) {
      run.take(rows);
    }
    if (run.isEmpty()) {
      requireTable(query);
    }
    return run;
  }

  /**
   * Checks that the table is the one that a query was bound for.
   *
   * @throws io.spyhop.core.protocol.DefinitionsChangedException if it is not
   */
  public void requireTable(BoundQuery query) throws IOException {
    Optional<Get> check = query.toCheck();
    if (check.isPresent()) {
      try (Table asked = table.connection().getTable(table.name())) {
        Refusal.checked(asked.get(check.get()));
      }
    }
  }

  /**
   * Runs a scan, and leaves out regions where that is known to be right.
   *
   * @throws IllegalStateException if the client has been closed
   */
  public ResultScanner scan(Scan scan, TableSchema schema, Consistency consistency)
      throws IOException {
    table.requireOpen();
    return new OwnScan(table, scan, schema, consistency).open();
  }
}
