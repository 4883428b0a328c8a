package io.spyhop.server.index.global;

import io.spyhop.core.global.Entry;
import io.spyhop.core.global.ServerTime;
import io.spyhop.core.protocol.EntryBatch;
import io.spyhop.core.protocol.EntryRemoval;
import io.spyhop.core.protocol.Question;
import io.spyhop.core.protocol.ServerCalls;
import io.spyhop.server.index.global.entry.EntryDeleter;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Deletes entries in such a way that no delete takes effect after the caller has let go of the base
 * rows (docs/decisions/0023). Each carries a fence: the index server that is meant, and the time by
 * that server's clock until which it counts. Without an answer the caller is kept until that time
 * has certainly passed. Thread-safe.
 *
 * <p>Every call is made once: of a call that was repeated the first one might come last.
 */
final class FencedDeletes implements EntryDeleter, Closeable {
  /** By how much two servers' clocks may run apart: one part of so many. */
  private static final long DRIFT = 100;

  private final long limitMillis;
  private final LocalIndexRegions local;
  private final RemovalGuard clock;
  private final IndexTableCalls calls;

  /**
   * @param user the owner of index tables
   * @param limitMillis how long a delete counts
   * @param local the index tables' regions that are on this server
   * @param clock this server's
   */
  FencedDeletes(
      Configuration conf,
      User user,
      long limitMillis,
      LocalIndexRegions local,
      RemovalGuard clock) {
    Configuration once = new Configuration(conf);
    once.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 0);
    this.calls = new IndexTableCalls(once, user, limitMillis);
    this.limitMillis = limitMillis;
    this.local = local;
    this.clock = clock;
  }

  /**
   * Entries that one other server has.
   *
   * @param fence of their deletes
   * @param over when the fence has passed, by this server's clock
   */
  private record Part(List<Entry> entries, ServerTime fence, long over) {}

  @Override
  public void delete(HRegion base, TableName indexTable, List<Entry> entries) throws IOException {
    if (entries.isEmpty()) {
      return;
    }
    List<Entry> here = new ArrayList<>();
    List<Entry> elsewhere = new ArrayList<>();
    List<Entry> sorted = new ArrayList<>(entries);
    sorted.sort(Comparator.comparing(Entry::indexRow, Bytes.BYTES_COMPARATOR));
    sorted.forEach(e -> (local.has(indexTable, e.indexRow()) ? here : elsewhere).add(e));
    List<Part> parts = elsewhere.isEmpty() ? List.of() : fenced(indexTable, elsewhere);
    ServerTime fence = clock.now().plus(TimeUnit.MILLISECONDS.toNanos(limitMillis));
    Ownership.prove(base);
    boolean answered = false;
    try {
      CompletableFuture<?> others = send(indexTable, parts);
      if (!here.isEmpty()) {
        requireAll(local.remove(indexTable, fence, here), indexTable);
      }
      await(others, "delete from '" + indexTable + "'");
      answered = true;
    } finally {
      if (!answered) {
        parts.forEach(p -> outlast(p.over));
      }
    }
  }

  /** Sorts entries by their servers, and asks each for the time. */
  private List<Part> fenced(TableName indexTable, List<Entry> entries) throws IOException {
    AsyncTable<?> table = table(indexTable);
    Map<ServerName, List<Entry>> servers = new HashMap<>();
    HRegionLocation at = null;
    AsyncTableRegionLocator locator = calls.connection().getRegionLocator(indexTable);
    for (Entry e : entries) {
      byte[] row = e.indexRow();
      if (at == null || !at.getRegion().containsRow(row)) {
        at = await(locator.getRegionLocation(row), "find the regions of '" + indexTable + "'");
      }
      servers.computeIfAbsent(at.getServerName(), s -> new ArrayList<>()).add(e);
    }
    List<CompletableFuture<Part>> asked = new ArrayList<>();
    servers.forEach((server, held) -> asked.add(fenced(table, held)));
    List<Part> parts = new ArrayList<>();
    for (CompletableFuture<Part> part : asked) {
      parts.add(
          await(calls.relocating(indexTable, part), "ask for the time of '" + indexTable + "'"));
    }
    return parts;
  }

  /** The server's reading is older than its answer, so this server's wait begins later. */
  private CompletableFuture<Part> fenced(AsyncTable<?> table, List<Entry> entries) {
    long limit = TimeUnit.MILLISECONDS.toNanos(limitMillis);
    byte[] row = entries.get(0).indexRow();
    return ServerCalls.write(table, row, Question.CLOCK, new byte[0])
        .thenApply(
            answer -> {
              long over = clock.now().nanos() + limit + limit / DRIFT;
              try {
                return new Part(entries, ServerTime.decode(answer).plus(limit), over);
              } catch (IOException e) {
                throw new CompletionException(e);
              }
            });
  }

  private CompletableFuture<?> send(TableName indexTable, List<Part> parts) throws IOException {
    List<CompletableFuture<?>> sent = new ArrayList<>();
    for (Part p : parts) {
      byte[] row = p.entries.get(0).indexRow();
      byte[] removal = new EntryRemoval(p.fence, p.entries).encode();
      sent.add(
          ServerCalls.write(table(indexTable), row, Question.REMOVE, removal)
              .thenAccept(answer -> requireAll(answer, indexTable)));
    }
    return calls.relocating(
        indexTable, CompletableFuture.allOf(sent.toArray(new CompletableFuture<?>[0])));
  }

  private static void requireAll(byte[] answer, TableName indexTable) {
    try {
      requireAll(EntryBatch.decodeAnswer(answer), indexTable);
    } catch (IOException e) {
      throw new CompletionException(e);
    }
  }

  private static void requireAll(List<Integer> refused, TableName indexTable) throws IOException {
    if (!refused.isEmpty()) {
      throw new IOException(
          refused.size() + " entries of '" + indexTable + "' are on another server by now");
    }
  }

  private AsyncTable<?> table(TableName indexTable) throws IOException {
    return calls
        .connection()
        .getTableBuilder(indexTable)
        .setOperationTimeout(limitMillis, TimeUnit.MILLISECONDS)
        .setRpcTimeout(limitMillis, TimeUnit.MILLISECONDS)
        .build();
  }

  private <T> T await(CompletableFuture<T> future, String what) throws IOException {
    return IndexTableCalls.await(future, limitMillis, what);
  }

  /** Waits until a time by this server's clock, also when interrupted. */
  private void outlast(long until) {
    boolean interrupted = false;
    for (long left = left(until); left > 0; left = left(until)) {
      LockSupport.parkNanos(this, left);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private long left(long until) {
    return until - clock.now().nanos();
  }

  @Override
  public void close() {
    calls.close();
  }
}
