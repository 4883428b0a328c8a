package io.spyhop.server.index.global;

import io.opentelemetry.context.Scope;
import io.spyhop.core.trace.Work;
import io.spyhop.server.index.global.WriteGroup.Pending;
import io.spyhop.server.index.global.entry.EntryWriter;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hbase.thirdparty.com.google.common.base.Ticker;

/**
 * Writes to index tables as the server's own user: regions that are here directly, others over a
 * connection of its own, writes of the same moment together ({@link WriteGroup}, {@link
 * EntrySender}), served there by handlers of their own ({@link IndexRpcScheduler}), within a
 * deadline, as the base write waits with a row lock in its hands. Thread-safe.
 */
final class IndexWriter implements EntryWriter, Closeable {
  /** Calls of this priority are served apart; above all priorities of HBase's own. */
  static final int PRIORITY = 1_000;

  private static final int ATTEMPTS = 4;
  private static final long PAUSE_MILLIS = 20;

  private final long deadlineMillis;
  private final LocalIndexRegions local;
  private final GlobalMetrics metrics;

  /** A table's writes are joined, or not, for speed alone: a second group beside one is no harm. */
  private final PerTable<WriteGroup> groups = new PerTable<>(Ticker.systemTicker());

  private final PerTable<EntrySenders> lanes = new PerTable<>(Ticker.systemTicker());
  private final IndexTableCalls calls;

  /**
   * @param user the owner of index tables
   * @param deadlineMillis for all of one write
   * @param local the index tables' regions that are on this server
   */
  IndexWriter(
      Configuration conf,
      User user,
      long deadlineMillis,
      LocalIndexRegions local,
      GlobalMetrics metrics) {
    this.calls = new IndexTableCalls(conf, user, 10 * deadlineMillis);
    this.deadlineMillis = deadlineMillis;
    this.local = local;
    this.metrics = metrics;
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
    long begin = System.nanoTime();
    try {
      write(indexTable, entries, new WriteGroup.Kind(true, log));
    } catch (IOException e) {
      metrics.failedWrites.increment();
      throw e;
    } finally {
      metrics.writeMicros.update(TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - begin));
    }
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
    IndexTableCalls.await(acknowledged, deadlineMillis, "write to '" + indexTable + "'");
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
          AsyncConnection to = calls.connection();
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
      AsyncTable<?> table = bounded(calls.connection(), indexTable);
      return calls.relocating(
          indexTable,
          CompletableFuture.allOf(table.batch(mutations).toArray(new CompletableFuture<?>[0])));
    } catch (IOException e) {
      return CompletableFuture.failedFuture(e);
    }
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

  @Override
  public void close() {
    calls.close();
  }
}
