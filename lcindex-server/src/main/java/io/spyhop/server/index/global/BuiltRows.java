package io.spyhop.server.index.global;

import io.spyhop.core.protocol.BuiltLease;
import io.spyhop.core.protocol.BuiltRanges;
import io.spyhop.core.protocol.Question;
import io.spyhop.core.protocol.ServerCalls;
import io.spyhop.core.wire.DecimalNumber;
import io.spyhop.server.index.global.opening.Leases;
import io.spyhop.server.index.global.opening.LiveServers;
import io.spyhop.server.index.global.opening.MetaOpenings;
import io.spyhop.server.index.global.opening.SharedAnswer;
import io.spyhop.server.index.global.opening.WatchedMarks;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.security.User;

/**
 * The rows of base tables that have all their entries, for queries that read any region of their
 * index tables. The first region of an index table has the notes; where it is elsewhere, its server
 * is asked, once for all queries that come meanwhile, and believed for a moment. Thread-safe.
 */
final class BuiltRows implements Closeable {
  /** How long a query waits for the first region's server, as it holds a handler. */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  /** How long it is left alone after it did not answer. */
  private static final Duration SILENCE = Duration.ofSeconds(2);

  private final LiveServers servers;
  private final MetaOpenings meta;
  private final Executor aside;
  private final IndexTableCalls calls;
  private final Map<TableName, First> firsts = new ConcurrentHashMap<>();
  private final Map<TableName, Elsewhere> elsewhere = new ConcurrentHashMap<>();

  /** A first region that is here. */
  private record First(HRegion region, KeptNotes notes, WatchedMarks marks, Leases leases) {}

  /** The answers of a first region's server that is another one. */
  private static final class Elsewhere {
    private final SharedAnswer<BuiltRanges> asked =
        new SharedAnswer<>(PATIENCE, SILENCE, System::nanoTime);
    private volatile Kept kept;
  }

  /** An answer that may be believed until a time of the clock. */
  private record Kept(long incarnation, BuiltRanges built, long until) {}

  /**
   * @param user the owner of index tables
   * @param aside runs what nobody waits for
   */
  BuiltRows(LiveServers servers, MetaOpenings meta, Executor aside, Configuration conf, User user) {
    this.servers = servers;
    this.meta = meta;
    this.aside = aside;
    this.calls = new IndexTableCalls(conf, user, PATIENCE.toMillis());
  }

  /** A region of an index table opens. */
  void opened(HRegion region) {
    if (isFirst(region)) {
      KeptNotes notes = new KeptNotes(() -> new EntryPages(region).notes());
      WatchedMarks marks = new WatchedMarks(notes, servers, meta, aside, System::nanoTime);
      firsts.put(
          tableOf(region), new First(region, notes, marks, new Leases(marks, System::nanoTime)));
    }
  }

  /** A region of an index table closes; its notes may be written until this returns. */
  void closing(HRegion region) {
    First first = firsts.get(tableOf(region));
    if (first != null && first.region.equals(region)) {
      first.leases.end();
    }
    firsts.computeIfPresent(tableOf(region), (t, f) -> f.region.equals(region) ? null : f);
    elsewhere.remove(tableOf(region));
  }

  private static boolean isFirst(HRegion region) {
    return region.getRegionInfo().getStartKey().length == 0;
  }

  private static TableName tableOf(HRegion region) {
    return region.getTableDescriptor().getTableName();
  }

  /** A batch was applied to a region of an index table, or some of it; not acknowledged yet. */
  void written(HRegion region, MiniBatchOperationInProgress<Mutation> batch) {
    First first = firsts.get(tableOf(region));
    if (first == null || !first.region.equals(region)) {
      return;
    }
    boolean notes = true;
    try {
      notes = first.notes.written(batch);
    } finally {
      if (notes) {
        first.leases.await();
      }
    }
  }

  /**
   * The rows that have all their entries now.
   *
   * @param first a first region that is here
   * @throws NotServingRegionException if it closes
   */
  BuiltRanges here(HRegion first) throws IOException {
    return present(first).marks.built();
  }

  /**
   * The same for another server, which may go on believing it for a moment.
   *
   * @throws NotServingRegionException if the region closes
   */
  BuiltLease lease(HRegion first) throws IOException {
    return present(first).leases.grant();
  }

  private First present(HRegion first) throws NotServingRegionException {
    First here = firsts.get(tableOf(first));
    if (here == null || !here.region.equals(first)) {
      throw new NotServingRegionException(first + " closes");
    }
    return here;
  }

  /**
   * The same for any region of the table.
   *
   * @param incarnation of the index, which the region has
   * @throws IOException if that cannot be told now
   */
  BuiltRanges of(HRegion region, long incarnation) throws IOException {
    TableName table = tableOf(region);
    First first = firsts.get(table);
    if (first != null) {
      return first.marks.built();
    }
    Elsewhere away = elsewhere.computeIfAbsent(table, t -> new Elsewhere());
    Kept kept = away.kept;
    if (kept != null && kept.incarnation == incarnation && System.nanoTime() - kept.until < 0) {
      return kept.built;
    }
    try {
      return away.asked.get(() -> ask(away, table, incarnation));
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      // HBase's client would ask again and again.
      throw new DoNotRetryIOException(
          "what is built of '" + table + "' cannot be told now: " + e.getMessage(), e);
    }
  }

  /** The lease began when it was asked for. */
  private BuiltRanges ask(Elsewhere away, TableName table, long incarnation) throws IOException {
    long asked = System.nanoTime();
    BuiltLease lease;
    try {
      lease = BuiltLease.decode(ask(table, Question.LEASE, incarnation));
    } catch (DoNotRetryIOException e) {
      if (!String.valueOf(e.getMessage()).contains(ServerCalls.UNKNOWN_QUESTION)) {
        throw e;
      }
      // A server of an earlier version.
      lease = new BuiltLease(0, BuiltRanges.decode(ask(table, Question.BUILT, incarnation)));
    }
    away.kept =
        new Kept(
            incarnation, lease.built(), asked + Math.min(lease.nanos(), Leases.TERM.toNanos()));
    return lease.built();
  }

  private byte[] ask(TableName indexTable, Question question, long incarnation) throws IOException {
    AsyncTable<?> table =
        calls
            .connection()
            .getTableBuilder(indexTable)
            .setOperationTimeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
            .setRpcTimeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
            .build();
    CompletableFuture<byte[]> answer =
        ServerCalls.write(
            table, HConstants.EMPTY_START_ROW, question, DecimalNumber.encode(incarnation));
    return IndexTableCalls.await(
        calls.relocating(indexTable, answer),
        PATIENCE.toMillis(),
        "ask what is built of '" + indexTable + "'");
  }

  @Override
  public void close() {
    calls.close();
  }
}
