package io.spyhop.client;

import io.spyhop.client.internal.admin.DefinitionCalls;
import io.spyhop.client.internal.admin.LastKnown.Asker;
import io.spyhop.client.internal.bucket.BucketScans;
import io.spyhop.client.internal.bucket.StoredOperations;
import io.spyhop.client.internal.bucket.UserBatch;
import io.spyhop.client.internal.bucket.UserRows;
import io.spyhop.client.internal.exec.RowStream;
import io.spyhop.client.internal.exec.ScanPool;
import io.spyhop.client.internal.prune.KeySpace;
import io.spyhop.client.internal.query.ReboundRows;
import io.spyhop.client.internal.query.RegionBorders;
import io.spyhop.client.internal.query.RowScanner;
import io.spyhop.core.bucket.BucketKeys;
import io.spyhop.core.bucket.BucketOptions;
import io.spyhop.core.bucket.InvalidBucketsException;
import io.spyhop.core.io.Interruption;
import io.spyhop.core.io.IoFunction;
import io.spyhop.core.io.IoSupplier;
import io.spyhop.core.protocol.BelievedBuckets;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
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
 *
 * <p>If the table was dropped and created with other buckets since, its regions refuse what does
 * not fit, and this looks again and goes on; a scan that has rows already fails instead.
 */
public final class BucketedTable implements Table {
  private final Table stored;
  private final IoSupplier<Opened> opener;
  private Opened opened;

  /**
   * The ways to a table's rows as they are stored.
   *
   * @param options what the table was created with
   */
  private record Opened(BucketOptions options, StoredOperations operations, BucketScans scans) {}

  private BucketedTable(Table stored, IoSupplier<Opened> opener, Opened opened) {
    this.stored = stored;
    this.opener = opener;
    this.opened = opened;
  }

  static BucketedTable open(Connection connection, TableName name, ScanPool pool, KeySpace regions)
      throws IOException {
    IoSupplier<Opened> opener =
        () -> {
          BucketOptions options = options(connection, name);
          BucketKeys keys = options.keys();
          RegionBorders borders = new RegionBorders(connection, name, regions, pool);
          return new Opened(
              options,
              new StoredOperations(keys),
              new BucketScans(connection, name, keys, borders, pool));
        };
    Opened opened = opener.get();
    return new BucketedTable(connection.getTable(name), opener, opened);
  }

  /** Where the table was created with other buckets since, the operation is done once more. */
  private <T> T done(IoFunction<StoredOperations, T> operation) throws IOException {
    try {
      return operation.apply(opened.operations);
    } catch (IOException e) {
      if (!BelievedBuckets.isRefusal(e) || !isOtherNow()) {
        throw e;
      }
      return operation.apply(opened.operations);
    }
  }

  /** Looks again how rows are stored; whether that is otherwise than it was. */
  private boolean isOtherNow() throws IOException {
    Opened now = opener.get();
    boolean other = !now.options.keys().toString().equals(opened.options.keys().toString());
    opened = now;
    return other;
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

  /** What the table was created with; another one of its name is met when it is used. */
  public BucketOptions options() {
    return opened.options;
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
    return done(o -> stored.exists(o.of(get)));
  }

  @Override
  public boolean[] exists(List<Get> gets) throws IOException {
    return done(o -> stored.exists(of(o, gets)));
  }

  @Override
  public Result get(Get get) throws IOException {
    return done(o -> UserRows.of(stored.get(o.of(get))));
  }

  @Override
  public Result[] get(List<Get> gets) throws IOException {
    return done(o -> UserRows.of(stored.get(of(o, gets))));
  }

  private static List<Get> of(StoredOperations operations, List<Get> gets) throws IOException {
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
    Object[] all = results == null ? new Object[actions.size()] : results;
    try {
      send(actions, all, stored::batch);
    } finally {
      Arrays.setAll(all, i -> user(all[i]));
    }
  }

  private void send(List<? extends Row> users, Object[] results, UserBatch.Sender sender)
      throws IOException, InterruptedException {
    new UserBatch(users, results, sender)
        .run(
            opened.operations,
            () -> isOtherNow() ? Optional.of(opened.operations) : Optional.empty());
  }

  /** The same, for what is interrupted with an IOException. */
  private void sendAll(List<? extends Row> users, Object[] results, UserBatch.Sender sender)
      throws IOException {
    try {
      send(users, results, sender);
    } catch (InterruptedException e) {
      throw Interruption.of(e.getMessage(), e);
    }
  }

  private static Object user(Object result) {
    if (result instanceof Result row) {
      return UserRows.of(row);
    }
    return result instanceof CheckAndMutateResult check ? UserRows.of(check) : result;
  }

  @Override
  public void put(Put put) throws IOException {
    done(
        o -> {
          stored.put((Put) o.of(put));
          return true;
        });
  }

  @Override
  public void put(List<Put> puts) throws IOException {
    sendAll(
        puts,
        new Object[puts.size()],
        (rows, results) -> stored.put(rows.stream().map(Put.class::cast).toList()));
  }

  @Override
  public void delete(Delete delete) throws IOException {
    done(
        o -> {
          stored.delete((Delete) o.of(delete));
          return true;
        });
  }

  /**
   * Deletes rows.
   *
   * @param deletes those that were done are taken out, as HBase's own does
   */
  @Override
  public void delete(List<Delete> deletes) throws IOException {
    List<Delete> all = List.copyOf(deletes);
    Object[] results = new Object[all.size()];
    try {
      sendAll(all, results, stored::batch);
    } finally {
      List<Delete> left = new ArrayList<>();
      for (int i = 0; i < results.length; i++) {
        if (!(results[i] instanceof Result)) {
          left.add(all.get(i));
        }
      }
      if (!all.isEmpty()) {
        deletes.clear();
        deletes.addAll(left);
      }
    }
  }

  @Override
  public CheckAndMutateResult checkAndMutate(CheckAndMutate check) throws IOException {
    return done(o -> UserRows.of(stored.checkAndMutate(o.of(check))));
  }

  @Override
  public List<CheckAndMutateResult> checkAndMutate(List<CheckAndMutate> checks) throws IOException {
    Object[] results = new Object[checks.size()];
    sendAll(checks, results, stored::batch);
    return Stream.of(results).map(r -> UserRows.of((CheckAndMutateResult) r)).toList();
  }

  @Override
  public Result mutateRow(RowMutations mutations) throws IOException {
    return done(o -> UserRows.of(stored.mutateRow(o.of(mutations))));
  }

  @Override
  public Result append(Append append) throws IOException {
    return done(o -> UserRows.of(stored.append((Append) o.of(append))));
  }

  @Override
  public Result increment(Increment increment) throws IOException {
    return done(o -> UserRows.of(stored.increment((Increment) o.of(increment))));
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
    boolean ordered = order == RowOrder.KEY;
    RowStream rows =
        new ReboundRows(
            opened.scans.open(new Scan(scan), ordered),
            () -> {
              isOtherNow();
              return opened.scans.open(new Scan(scan), ordered);
            },
            () -> {});
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
