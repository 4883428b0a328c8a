package io.spyhop.client.internal.query;

import io.spyhop.client.internal.exec.ReadAhead;
import io.spyhop.client.internal.exec.RowSource;
import io.spyhop.client.internal.exec.ScanPool;
import io.spyhop.client.internal.global.GlobalSearch;
import io.spyhop.client.internal.global.IndexAttempts;
import io.spyhop.client.internal.global.IndexCalls;
import io.spyhop.client.internal.global.OrderedSearch;
import io.spyhop.client.internal.global.Repairs;
import io.spyhop.client.internal.prune.ClientPruning;
import io.spyhop.client.internal.prune.KeySpace;
import io.spyhop.client.internal.prune.TablePruning;
import java.io.IOException;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;

/**
 * The parts of the client that all queries on one table share. Thread-safe.
 *
 * @param pool runs scans
 * @param pruning the table's statistics
 * @param mayPrune whether this client leaves out regions
 * @param globals searches global indexes
 * @param orders searches them for the first rows of an order
 * @param repairs takes entries to be looked at again
 * @param costs of queries where regions answer them
 * @param borders the regions' boundaries, known and of this moment
 * @param many asks many regions with few calls
 * @param usualPage bytes of a page where a scan does not say
 */
record TableContext(
    TableName name,
    Connection connection,
    ScanPool pool,
    TablePruning pruning,
    boolean mayPrune,
    GlobalSearch globals,
    OrderedSearch orders,
    Repairs repairs,
    ScanCosts costs,
    RegionBorders borders,
    ManyRegions many,
    long usualPage) {
  static TableContext of(
      TableName name, Connection connection, ScanPool pool, ClientPruning pruning) {
    IndexCalls calls = new IndexCalls(connection, name);
    IndexAttempts attempts = new IndexAttempts(calls, pool);
    Configuration conf = connection.getConfiguration();
    TablePruning statistics = pruning.of(name);
    RegionBorders borders = new RegionBorders(connection, name, statistics.keys(), pool);
    return new TableContext(
        name,
        connection,
        pool,
        statistics,
        pruning.isEnabled(),
        new GlobalSearch(calls, attempts, pool, conf),
        new OrderedSearch(calls, attempts, conf),
        new Repairs(calls, pool),
        new ScanCosts(connection, name, statistics.keys()),
        borders,
        new ManyRegions(statistics.keys(), borders, conf),
        ReadAhead.configuredPage(conf));
  }

  /**
   * Checks that queries may run.
   *
   * @throws IllegalStateException if the client has been closed
   */
  void requireOpen() {
    if (pool.isClosed()) {
      throw new IllegalStateException(
          "cannot query table '" + name + "': the Spyhop client has been closed");
    }
  }

  Configuration conf() {
    return connection.getConfiguration();
  }

  /** The regions' boundaries as they are known. */
  KeySpace keys() {
    return pruning.keys();
  }

  /**
   * Opens a scan with a condition.
   *
   * @param shape what the caller gets of a row; null drops the row
   */
  RowSource open(Scan scan, UnaryOperator<Result> shape) throws IOException {
    return ConditionRows.open(connection, name, scan, shape);
  }

  /** A scan whose pages are as large as the client has room for. */
  Scan paged(Scan scan) {
    long room = pool.readAhead().pageBytes();
    long own = scan.getMaxResultSize();
    return (own > 0 ? own : usualPage) > room ? scan.setMaxResultSize(room) : scan;
  }
}
