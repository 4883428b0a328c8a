package io.spyhop.client;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.spyhop.client.internal.admin.Poll;
import io.spyhop.client.internal.exec.BackgroundExecutor;
import io.spyhop.client.internal.exec.ScanPool;
import io.spyhop.client.internal.global.IndexCalls;
import io.spyhop.client.internal.global.Repairs;
import io.spyhop.client.internal.prune.ClientPruning;
import io.spyhop.client.internal.query.KnownTables;
import io.spyhop.core.conf.HBaseLines;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.VersionInfo;

/**
 * The client's entry: finds rows of HBase tables by value.
 *
 * <pre>{@code
 * try (Connection connection = ConnectionFactory.createConnection(conf);
 *     Spyhop spyhop = Spyhop.connect(connection)) {
 *   TableName orders = TableName.valueOf("orders");
 *   spyhop.admin().createIndex(
 *       orders,
 *       IndexDefinition.builder("price").column("d:totalprice").type(ValueType.DOUBLE).build());
 *   spyhop.admin().waitUntilActive(orders, Duration.ofMinutes(5));
 *   Query query = Query.where("totalprice BETWEEN 20000 AND 45000");
 *   try (RowCursor rows = spyhop.table(orders).query(query)) {
 *     for (Result row : rows) {
 *       ...
 *     }
 *   }
 * }
 * }</pre>
 *
 * <p>Owns a bounded pool of daemon threads, and a bound of what its cursors read ahead, that all
 * its tables share; the connection stays the caller's. Thread-safe.
 */
public final class Spyhop implements Closeable {
  private final Connection connection;
  private final ScanPool pool;

  /** How long what was learnt of a table's servers is kept for a program that keeps no table. */
  private static final Duration KEPT = Duration.ofMinutes(10);

  private static final int MOST_KEPT = 256;

  /** What was learnt of a table's servers is there for who asks for it again in the meantime. */
  private final Cache<TableName, IndexedTable> opened = Caffeine.newBuilder().weakValues().build();

  /** Some of these, for programs that ask for a table at each query: the next GC would take it. */
  private final Cache<TableName, IndexedTable> kept =
      Caffeine.newBuilder().maximumSize(MOST_KEPT).expireAfterAccess(KEPT).build();

  /** Of tables that are read by value, as who opens one for each read meets its entries again. */
  private final Cache<TableName, Repairs> repairs =
      Caffeine.newBuilder().expireAfterAccess(Repairs.MEMORY).build();

  private final BackgroundExecutor beside;
  private final IndexAdmin admin;
  private final ClientPruning pruning;
  private final KnownTables tables;

  private Spyhop(Connection connection, ScanPool pool, BackgroundExecutor beside) {
    this.connection = connection;
    this.pool = pool;
    this.beside = beside;
    this.tables = new KnownTables(connection, beside, System::nanoTime);
    this.admin = new IndexAdmin(connection, Poll.inRealTime(), tables::changed);
    this.pruning = new ClientPruning(connection, pool, beside);
  }

  /**
   * A client over a connection, which must stay open as long as the client is used.
   *
   * @throws UnsupportedOperationException if HBase's client here is of a version that Spyhop does
   *     not fit
   */
  public static Spyhop connect(Connection connection) {
    Objects.requireNonNull(connection, "the connection is null");
    HBaseLines.check(VersionInfo.getVersion(), "use a client of these");
    ScanPool pool = ScanPool.forThisMachine(connection.getConfiguration());
    return new Spyhop(connection, pool, new BackgroundExecutor());
  }

  /** Creates, watches and rebalances bucketed tables. */
  public BucketAdmin buckets() {
    return new BucketAdmin(connection);
  }

  /**
   * Reads and writes a bucketed table as if it were a plain one. It asks a region for the options;
   * close it.
   *
   * @throws io.spyhop.core.bucket.InvalidBucketsException if the table has no buckets, or some that
   *     this version does not know
   * @throws org.apache.hadoop.hbase.TableNotFoundException if there is no such table
   */
  public BucketedTable bucketed(TableName name) throws IOException {
    Objects.requireNonNull(name, "the name of the table is null");
    return BucketedTable.open(connection, name, pool, pruning.of(name).keys());
  }

  /**
   * A table to be read and written by its users' keys, whether it has buckets or not: a {@link
   * BucketedTable}, or HBase's own. It asks a region what the table is; close it.
   *
   * @throws io.spyhop.core.bucket.InvalidBucketsException if it has buckets that this version does
   *     not know
   * @throws org.apache.hadoop.hbase.TableNotFoundException if there is no such table
   * @throws org.apache.hadoop.hbase.security.AccessDeniedException if the caller may read nothing
   *     of the table: then nobody tells whether it has buckets
   */
  public Table open(TableName name) throws IOException {
    Objects.requireNonNull(name, "the name of the table is null");
    return BucketedTable.isOne(connection, name) ? bucketed(name) : connection.getTable(name);
  }

  /** Creates, drops and watches indexes. */
  public IndexAdmin admin() {
    return admin;
  }

  /**
   * Queries a table. Whether it exists is checked by the first query. All such objects of a client
   * share what they know of a table.
   */
  public IndexedTable table(TableName name) {
    Objects.requireNonNull(name, "the name of the table is null");
    return kept.get(name, t -> opened.get(t, this::create));
  }

  private IndexedTable create(TableName name) {
    return new IndexedTable(name, connection, pool, pruning, tables.handle(name));
  }

  /**
   * Queries a table and lets no caller wait.
   *
   * @param executor runs the queries and calls the consumers of their rows; it stays the caller's.
   *     With as many threads as queries are to run at once, or a thread for each task where threads
   *     are virtual
   */
  public AsyncIndexedTable asyncTable(TableName name, Executor executor) {
    Objects.requireNonNull(executor, "the executor is null");
    return new AsyncIndexedTable(table(name), pool, executor);
  }

  /**
   * Reads a table by value through one of its global indexes, versions included. Whether it exists
   * is checked by the first read.
   */
  public DeferredIndexTable deferred(TableName table, String index) {
    Objects.requireNonNull(table, "the name of the table is null");
    Objects.requireNonNull(index, "the name of the index is null");
    Repairs shared = repairs.get(table, t -> new Repairs(new IndexCalls(connection, t), pool));
    return new DeferredIndexTable(table, index, connection, shared, tables.handle(table));
  }

  /**
   * Lets the threads end; the connection stays open. New queries are refused. A cursor that is
   * still open can be read on, in the thread that reads it, as long as the connection is open.
   */
  @Override
  public void close() {
    pool.close();
    beside.close();
  }
}
