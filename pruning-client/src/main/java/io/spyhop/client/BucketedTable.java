package io.spyhop.client;

import io.spyhop.client.internal.admin.DefinitionCalls;
import io.spyhop.client.internal.admin.LastKnown.Asker;
import io.spyhop.client.internal.bucket.BucketScans;
import io.spyhop.client.internal.bucket.StoredOperations;
import io.spyhop.client.internal.bucket.UserRows;
import io.spyhop.client.internal.exec.RowStream;
import io.spyhop.client.internal.exec.ScanPool;
import io.spyhop.client.internal.prune.KeySpace;
import io.spyhop.core.bucket.BucketOptions;
import io.spyhop.core.bucket.InvalidBucketsException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A bucketed table as if it were a plain one: an HBase {@link Table} whose row keys, in operations
 * and results, are the users'. What it does not have of that interface says so: the deprecated
 * methods, whose successors are here, and coprocessors' calls, which go to regions by stored rows.
 *
 * <p>Operations that are handed in are not changed. A key that is empty, or too long with the
 * prefix of {@link BucketOptions#WIDTH} bytes, is refused with {@link InvalidBucketsException};
 * filters that look at row keys are, with {@link UnsupportedOperationException}. As other tables of
 * HBase, for one thread; the connection stays open when it is closed.
 */
public final class BucketedTable implements Table {
  private final Table stored;
  private final BucketOptions options;
  private final StoredOperations operations;
  private final BucketScans scans;

  private BucketedTable(Table stored, BucketOptions options, BucketScans scans) {
    this.stored = stored;
    this.options = options;
    this.operations = new StoredOperations(options.keys());
    this.scans = scans;
  }

  static BucketedTable open(Connection connection, TableName name, ScanPool pool, KeySpace regions)
      throws IOException {
    BucketOptions options = options(connection, name);
    BucketScans scans =
        new BucketScans(
            connection, name, options.keys(), new RegionBorders(connection, name, regions), pool);
    return new BucketedTable(connection.getTable(name), options, scans);
  }

  /** Whether a table has buckets; throws what its definitions' question does. */
  static boolean isOne(Connection connection, TableName name) throws IOException {
    return text(connection, name).isPresent();
  }

  private static Optional<String> text(Connection connection, TableName name) throws IOException {
    return new DefinitionCalls(connection, name).ask(Asker.FIRST, () -> {}).buckets();
  }

  private static BucketOptions options(Connection connection, TableName name) throws IOException {
    String on = "table '" + name + "'";
    String text =
        text(connection, name)
            .orElseThrow(
                () ->
                    new InvalidBucketsException(
                        on + " has no buckets: a table gets them when it is created"));
    try {
      return BucketOptions.parse(text);
    } catch (InvalidBucketsException e) {
      throw new InvalidBucketsException(on + ": " + e.getMessage(), e);
    }
  }

  /** What the table was created with. */
  public BucketOptions options() {
    return options;
  }

  @Override
  public TableName getName() {
    return stored.getName();
  }

  @Override
  public Configuration getConfiguration() {
    return stored.getConfiguration();
  }

  @Override
  public TableDescriptor getDescriptor() throws IOException {
    return stored.getDescriptor();
  }

  /** Of the stored rows. */
  @Override
  public RegionLocator getRegionLocator() throws IOException {
    return stored.getRegionLocator();
  }

  @Override
  public boolean exists(Get get) throws IOException {
    return stored.exists(operations.of(get));
  }

  @Override
  public boolean[] exists(List<Get> gets) throws IOException {
    return stored.exists(of(gets));
  }

  @Override
  public Result get(Get get) throws IOException {
    return UserRows.of(stored.get(operations.of(get)));
  }

  @Override
  public Result[] get(List<Get> gets) throws IOException {
    return UserRows.of(stored.get(of(gets)));
  }

  private List<Get> of(List<Get> gets) throws IOException {
    List<Get> all = new ArrayList<>(gets.size());
    for (Get get : gets) {
      all.add(operations.of(get));
    }
    return all;
  }

  /**
   * Any operations; results have the users' keys. Throws what HBase's own throws.
   *
   * @param results as many as actions; where one failed, its exception
   */
  @Override
  public void batch(List<? extends Row> actions, Object[] results)
      throws IOException, InterruptedException {
    List<Row> all = new ArrayList<>(actions.size());
    for (Row action : actions) {
      all.add(operations.of(action));
    }
    try {
      stored.batch(all, results);
    } catch (RetriesExhaustedWithDetailsException e) {
      throw ofUsers(e, all, actions);
    } finally {
      for (int i = 0; results != null && i < results.length; i++) {
        results[i] = user(results[i]);
      }
    }
  }

  /** The same failures of users' operations: those who try them again have them as they were. */
  private static RetriesExhaustedWithDetailsException ofUsers(
      RetriesExhaustedWithDetailsException e, List<? extends Row> all, List<? extends Row> users) {
    Map<Row, Row> originals = new IdentityHashMap<>();
    for (int i = 0; i < all.size(); i++) {
      originals.put(all.get(i), users.get(i));
    }
    List<Throwable> causes = new ArrayList<>();
    List<Row> failed = new ArrayList<>();
    List<String> servers = new ArrayList<>();
    for (int i = 0; i < e.getNumExceptions(); i++) {
      causes.add(e.getCause(i));
      failed.add(originals.getOrDefault(e.getRow(i), e.getRow(i)));
      servers.add(e.getHostnamePort(i));
    }
    return new RetriesExhaustedWithDetailsException(causes, failed, servers);
  }

  private static Object user(Object result) {
    if (result instanceof Result row) {
      return UserRows.of(row);
    }
    return result instanceof CheckAndMutateResult check ? UserRows.of(check) : result;
  }

  @Override
  public void put(Put put) throws IOException {
    stored.put((Put) operations.of(put));
  }

  @Override
  public void put(List<Put> puts) throws IOException {
    List<Put> all = new ArrayList<>(puts.size());
    for (Put put : puts) {
      all.add((Put) operations.of(put));
    }
    try {
      stored.put(all);
    } catch (RetriesExhaustedWithDetailsException e) {
      throw ofUsers(e, all, puts);
    }
  }

  @Override
  public void delete(Delete delete) throws IOException {
    stored.delete((Delete) operations.of(delete));
  }

  /**
   * Deletes rows.
   *
   * @param deletes those that were done are taken out, as HBase's own does
   */
  @Override
  public void delete(List<Delete> deletes) throws IOException {
    List<Delete> all = new ArrayList<>(deletes.size());
    for (Delete delete : deletes) {
      all.add((Delete) operations.of(delete));
    }
    List<Delete> left = new ArrayList<>(all);
    try {
      stored.delete(left);
    } catch (RetriesExhaustedWithDetailsException e) {
      throw ofUsers(e, all, List.copyOf(deletes));
    } finally {
      keepAs(left, all, deletes);
    }
  }

  /** Of users' deletes those whose stored one is left, as the same object. */
  private static void keepAs(List<Delete> left, List<Delete> all, List<Delete> deletes) {
    List<Delete> kept = new ArrayList<>();
    int next = 0;
    for (int i = 0; i < all.size() && next < left.size(); i++) {
      if (left.get(next) == all.get(i)) {
        kept.add(deletes.get(i));
        next++;
      }
    }
    if (!deletes.isEmpty()) {
      deletes.clear();
      deletes.addAll(kept);
    }
  }

  @Override
  public CheckAndMutateResult checkAndMutate(CheckAndMutate check) throws IOException {
    return UserRows.of(stored.checkAndMutate(operations.of(check)));
  }

  @Override
  public List<CheckAndMutateResult> checkAndMutate(List<CheckAndMutate> checks) throws IOException {
    List<CheckAndMutate> all = new ArrayList<>(checks.size());
    for (CheckAndMutate check : checks) {
      all.add(operations.of(check));
    }
    return stored.checkAndMutate(all).stream().map(UserRows::of).toList();
  }

  @Override
  public Result mutateRow(RowMutations mutations) throws IOException {
    return UserRows.of(stored.mutateRow(operations.of(mutations)));
  }

  @Override
  public Result append(Append append) throws IOException {
    return UserRows.of(stored.append((Append) operations.of(append)));
  }

  @Override
  public Result increment(Increment increment) throws IOException {
    return UserRows.of(stored.increment((Increment) operations.of(increment)));
  }

  @Override
  public long incrementColumnValue(byte[] row, byte[] family, byte[] qualifier, long amount)
      throws IOException {
    return incrementColumnValue(row, family, qualifier, amount, Durability.SYNC_WAL);
  }

  @Override
  public long incrementColumnValue(
      byte[] row, byte[] family, byte[] qualifier, long amount, Durability durability)
      throws IOException {
    Increment increment = new Increment(row).addColumn(family, qualifier, amount);
    increment.setDurability(durability);
    return Bytes.toLong(increment(increment).getValue(family, qualifier));
  }

  @Override
  public long getRpcTimeout(TimeUnit unit) {
    return stored.getRpcTimeout(unit);
  }

  @Override
  public long getReadRpcTimeout(TimeUnit unit) {
    return stored.getReadRpcTimeout(unit);
  }

  @Override
  public long getWriteRpcTimeout(TimeUnit unit) {
    return stored.getWriteRpcTimeout(unit);
  }

  @Override
  public long getOperationTimeout(TimeUnit unit) {
    return stored.getOperationTimeout(unit);
  }

  /** Rows by their keys, as from any other table. */
  @Override
  public ResultScanner getScanner(Scan scan) throws IOException {
    return getScanner(scan, RowOrder.KEY);
  }

  /**
   * Runs a scan; buckets are read side by side.
   *
   * @param scan in users' keys. Its filter must not look at row keys; one that counts rows, as a
   *     page filter, counts those of each scan that this one becomes
   * @param order of its rows; with a limit and {@link RowOrder#ANY} they are some of the rows
   * @return the rows; the caller closes the scanner, which has no metrics
   */
  public ResultScanner getScanner(Scan scan, RowOrder order) throws IOException {
    Objects.requireNonNull(scan, "the scan is null");
    Objects.requireNonNull(order, "the order is null");
    RowStream rows = scans.open(new Scan(scan), order == RowOrder.KEY);
    return new RowScanner(rows, scan.getLimit() > 0 ? scan.getLimit() : Long.MAX_VALUE);
  }

  @Override
  public ResultScanner getScanner(byte[] family) throws IOException {
    return getScanner(new Scan().addFamily(family));
  }

  @Override
  public ResultScanner getScanner(byte[] family, byte[] qualifier) throws IOException {
    return getScanner(new Scan().addColumn(family, qualifier));
  }

  @Override
  public void close() throws IOException {
    stored.close();
  }
}
