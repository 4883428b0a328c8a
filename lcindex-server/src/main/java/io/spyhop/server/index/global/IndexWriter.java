package io.spyhop.server.index.global;

import io.opentelemetry.context.Scope;
import io.spyhop.core.global.Entry;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.io.Interruption;
import io.spyhop.core.io.IoFunction;
import io.spyhop.core.trace.Work;
import io.spyhop.server.index.global.WriteGroup.Pending;
import io.spyhop.server.index.global.entry.EntryWriter;
import io.spyhop.server.index.global.repair.EntryLookup;
import io.spyhop.server.index.global.repair.EntryScan;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hbase.thirdparty.com.google.common.base.Ticker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes to index tables as the server's own user: regions that are here directly, others over a
 * connection of its own, writes of the same moment together ({@link WriteGroup}, {@link
 * EntrySender}), served there by handlers of their own ({@link IndexRpcScheduler}), within a
 * deadline, as the base write waits with a row lock in its hands. Thread-safe.
 */
final class IndexWriter implements EntryWriter, EntryLookup, EntryScan, Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(IndexWriter.class);

  /** Calls of this priority are served apart; above all priorities of HBase's own. */
  static final int PRIORITY = 1_000;

  private static final int ATTEMPTS = 4;
  private static final long PAUSE_MILLIS = 20;
  private static final long READ_MILLIS = 10_000;

  /** A first try, before regions are looked up again. */
  private static final int FIRST_READ_MILLIS = 2_000;

  private final Configuration conf;
  private final User user;
  private final long deadlineMillis;
  private final LocalIndexRegions local;

  /** A table's writes are joined, or not, for speed alone: a second group beside one is no harm. */
  private final PerTable<WriteGroup> groups = new PerTable<>(Ticker.systemTicker());

  private final PerTable<EntrySenders> lanes = new PerTable<>(Ticker.systemTicker());
  private final LateConnection<AsyncConnection> connection;
  private Connection others;
  private boolean closed;

  /**
   * @param user the owner of index tables
   * @param deadlineMillis for all of one write
   * @param local the index tables' regions that are on this server
   */
  IndexWriter(Configuration conf, User user, long deadlineMillis, LocalIndexRegions local) {
    this.conf = conf;
    this.user = user;
    this.connection =
        new LateConnection<>(() -> ConnectionFactory.createAsyncConnection(conf, user));
    this.deadlineMillis = deadlineMillis;
    this.local = local;
  }

  private AsyncConnection connection() throws IOException {
    return connection.get(10 * deadlineMillis);
  }

  /** A connection of the server's own; stays open. */
  synchronized Connection connect() throws IOException {
    if (closed) {
      throw new InterruptedIOException("the server stops");
    }
    if (others == null) {
      Configuration patient = new Configuration(conf);
      patient.setInt(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, (int) READ_MILLIS);
      patient.setInt(HConstants.HBASE_RPC_TIMEOUT_KEY, (int) READ_MILLIS);
      patient.setInt(HConstants.HBASE_CLIENT_SCANNER_TIMEOUT_PERIOD, (int) READ_MILLIS);
      others = ConnectionFactory.createConnection(patient, user);
    }
    return others;
  }

  @Override
  public void write(TableName indexTable, List<? extends Mutation> mutations) throws IOException {
    write(indexTable, mutations, new WriteGroup.Kind(false, null));
  }

  /**
   * Returns when all entries are acknowledged, or sure to be durable before anything that is
   * appended to a log from now on.
   *
   * @param log the log that the caller appends to next, or null
   * @throws IOException as {@link #write}
   */
  void add(TableName indexTable, List<Put> entries, WAL log) throws IOException {
    write(indexTable, entries, new WriteGroup.Kind(true, log));
  }

  private void write(TableName indexTable, List<? extends Mutation> mutations, WriteGroup.Kind kind)
      throws IOException {
    if (mutations.isEmpty()) {
      return;
    }
    try (Work work = Work.begin(Work.Kind.ENTRY_WRITE);
        Scope ignored = work.inThisThread()) {
      work.name("index_table", indexTable.getNameAsString()).count("entries", mutations.size());
      try {
        join(indexTable, mutations, kind);
      } catch (IOException e) {
        work.failed(e);
        throw e;
      }
    }
  }

  private void join(TableName indexTable, List<? extends Mutation> mutations, WriteGroup.Kind kind)
      throws IOException {
    CompletableFuture<Void> acknowledged =
        groups
            .get(indexTable, t -> new WriteGroup())
            .join(mutations, kind, deadlineMillis, group -> begin(indexTable, group));
    wait(acknowledged, deadlineMillis, "write to '" + indexTable + "'");
  }

  /**
   * What is elsewhere is on its way while what is here is written. A log is a sequence: entries
   * that are appended to the log of the base region need no sync of their own, as the base write
   * comes after them, and its sync is theirs.
   */
  private void begin(TableName indexTable, List<Pending> group) {
    Map<HRegion, List<Mutation>> here = new IdentityHashMap<>();
    Map<HRegion, List<Pending>> waiting = new IdentityHashMap<>();
    for (Pending p : group) {
      LocalIndexRegions.Parts parts = local.part(indexTable, p.mutations());
      sendElsewhere(indexTable, p, parts.elsewhere());
      parts
          .here()
          .forEach(
              (region, some) -> {
                if (p.kind().log() != null && p.kind().log() == region.getWAL()) {
                  some.forEach(m -> m.setDurability(Durability.ASYNC_WAL));
                }
                here.computeIfAbsent(region, r -> new ArrayList<>()).addAll(some);
                waiting.computeIfAbsent(region, r -> new ArrayList<>()).add(p);
              });
    }
    here.forEach(
        (region, some) -> {
          CompletableFuture<?> part = writeHere(indexTable, region, some);
          waiting.get(region).forEach(p -> p.await(part));
        });
  }

  private void sendElsewhere(TableName indexTable, Pending p, List<Mutation> mutations) {
    if (mutations.isEmpty()) {
      return;
    }
    if (!p.kind().entries()) {
      p.await(send(indexTable, mutations));
      return;
    }
    try {
      List<Put> puts = mutations.stream().map(Put.class::cast).toList();
      p.await(lanes(indexTable).send(puts));
    } catch (IOException e) {
      p.await(CompletableFuture.failedFuture(e));
    }
  }

  private EntrySenders lanes(TableName indexTable) throws IOException {
    return lanes.get(
        indexTable,
        t -> {
          AsyncConnection to = connection();
          return new EntrySenders(
              bounded(to, t),
              to.getRegionLocator(t),
              puts -> send(t, new ArrayList<Mutation>(puts)));
        });
  }

  private CompletableFuture<?> writeHere(
      TableName indexTable, HRegion region, List<Mutation> mutations) {
    try {
      return local.write(region, mutations)
          ? CompletableFuture.completedFuture(null)
          : send(indexTable, mutations);
    } catch (IOException | RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private CompletableFuture<?> send(TableName indexTable, List<Mutation> mutations) {
    mutations.forEach(
        m -> {
          m.setPriority(PRIORITY);
          m.setDurability(Durability.SYNC_WAL);
        });
    try {
      AsyncTable<?> table = bounded(connection(), indexTable);
      return relocating(
          indexTable,
          CompletableFuture.allOf(table.batch(mutations).toArray(new CompletableFuture<?>[0])));
    } catch (IOException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /**
   * After a failure regions are looked up again. HBase's asynchronous client goes on asking a
   * server that says that it has the region no more, if nothing was written there
   * (docs/decisions/0007).
   */
  private <T> CompletableFuture<T> relocating(TableName indexTable, CompletableFuture<T> call)
      throws IOException {
    AsyncConnection open = connection();
    return call.whenComplete(
        (ok, failure) -> {
          if (failure != null) {
            open.getRegionLocator(indexTable).clearRegionLocationCache();
          }
        });
  }

  private AsyncTable<?> bounded(AsyncConnection to, TableName indexTable) {
    return to.getTableBuilder(indexTable)
        .setOperationTimeout(deadlineMillis, TimeUnit.MILLISECONDS)
        .setRpcTimeout(deadlineMillis, TimeUnit.MILLISECONDS)
        .setWriteRpcTimeout(deadlineMillis, TimeUnit.MILLISECONDS)
        .setRetryPause(PAUSE_MILLIS, TimeUnit.MILLISECONDS)
        .setMaxAttempts(ATTEMPTS)
        .build();
  }

  /** Reads a few rows of an index table. */
  List<Result> read(TableName indexTable, Scan scan) throws IOException {
    AsyncTable<?> table =
        connection()
            .getTableBuilder(indexTable)
            .setOperationTimeout(READ_MILLIS, TimeUnit.MILLISECONDS)
            .setScanTimeout(READ_MILLIS, TimeUnit.MILLISECONDS)
            .build();
    try {
      return wait(table.scanAll(scan), READ_MILLIS, "read '" + indexTable + "'");
    } catch (IOException e) {
      connection().getRegionLocator(indexTable).clearRegionLocationCache();
      throw e;
    }
  }

  /**
   * Reads, and again after a failure, as regions may not be where they were: HBase's client may not
   * look them up again for minutes (docs/decisions/0007). Callers may have rows locked.
   */
  private <T> T lookedUp(TableName indexTable, IoFunction<Table, T> reading) throws IOException {
    Connection to = connect();
    try (Table table =
        to.getTableBuilder(indexTable, null).setOperationTimeout(FIRST_READ_MILLIS).build()) {
      return reading.apply(table);
    } catch (IOException e) {
      if (isFinal(e)) {
        throw e;
      }
      LOG.debug("Regions of {} are looked up again", indexTable, e);
      try (RegionLocator regions = to.getRegionLocator(indexTable)) {
        regions.clearRegionLocationCache();
      }
      try (Table table = to.getTable(indexTable)) {
        return reading.apply(table);
      }
    }
  }

  private static boolean isFinal(IOException e) {
    boolean interrupted =
        e instanceof InterruptedIOException && !(e instanceof SocketTimeoutException);
    return interrupted || e instanceof DoNotRetryIOException;
  }

  @Override
  public boolean[] exist(TableName indexTable, List<Entry> entries) throws IOException {
    List<Get> gets = new ArrayList<>(entries.size());
    for (Entry e : entries) {
      gets.add(new Get(e.indexRow()).addFamily(IndexTable.ENTRIES).setTimestamp(e.timestamp()));
    }
    Result[] found = lookedUp(indexTable, table -> table.get(gets));
    boolean[] exist = new boolean[found.length];
    for (int i = 0; i < found.length; i++) {
      exist[i] = !found[i].isEmpty();
    }
    return exist;
  }

  @Override
  public List<Entry> page(TableName indexTable, byte[] from, int rows) throws IOException {
    return lookedUp(indexTable, table -> page(table, from, rows));
  }

  private static List<Entry> page(Table table, byte[] from, int rows) throws IOException {
    Scan scan = new Scan().addFamily(IndexTable.ENTRIES).withStartRow(from).readAllVersions();
    List<Entry> entries = new ArrayList<>();
    try (ResultScanner found = table.getScanner(scan.setLimit(rows).setCacheBlocks(false))) {
      for (Result r : found) {
        byte[] row = r.getRow();
        for (Cell c : r.rawCells()) {
          entries.add(Entry.of(row, 0, row.length, c.getTimestamp()));
        }
      }
    }
    return entries;
  }

  /** A cause that is an IOException comes out as it is, so that callers can tell. */
  private static <T> T wait(CompletableFuture<T> future, long millis, String what)
      throws IOException {
    try {
      return future.get(millis, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new IOException("cannot " + what + ": " + e.getCause(), e.getCause());
    } catch (TimeoutException e) {
      future.cancel(true);
      throw new IOException("cannot " + what + " within " + millis + " ms", e);
    } catch (InterruptedException e) {
      throw Interruption.of("interrupted: " + what, e);
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    connection.close();
    try {
      if (others != null) {
        others.close();
      }
    } catch (IOException e) {
      LOG.warn("Closing a connection to index tables failed", e);
    }
  }
}
