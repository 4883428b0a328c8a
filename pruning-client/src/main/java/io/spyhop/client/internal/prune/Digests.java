package io.spyhop.client.internal.prune;

import io.spyhop.client.internal.exec.ScanPool;
import io.spyhop.client.internal.prune.StatisticsCache.Known;
import io.spyhop.core.protocol.DigestAnswer;
import io.spyhop.core.protocol.DigestRequest;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rounds of requests for digests of one table: a server says in few bytes which of its regions have
 * changed, so that the others need not be asked ({@code docs/decisions/0071}). A {@link
 * Synchroniser} sends them, each server's for the region of it that is listed first. Thread-safe.
 */
final class Digests implements Synchroniser.Exchange {
  /** How soon a server is asked again that gave none. */
  private static final Duration RETRY = Duration.ofSeconds(30);

  private static final Logger LOG = LoggerFactory.getLogger(Digests.class);

  private final TableName table;
  private final DigestCalls calls;
  private final PruningCounters counters;
  private final ScanPool pool;
  private final LongSupplier nanoTime;
  private final Map<ServerName, RegionStates> servers = new ConcurrentHashMap<>();

  /** When servers gave none: those of earlier versions, and those whose call failed. */
  private final Map<ServerName, Long> without = new ConcurrentHashMap<>();

  Digests(
      TableName table,
      DigestCalls calls,
      PruningCounters counters,
      ScanPool pool,
      LongSupplier nanoTime) {
    this.table = table;
    this.calls = calls;
    this.counters = counters;
    this.pool = pool;
    this.nanoTime = nanoTime;
  }

  /** What was told last of a server's regions; null if nothing was. */
  RegionStates of(HRegionLocation region) {
    ServerName server = region == null ? null : region.getServerName();
    return server == null ? null : servers.get(server);
  }

  /** When a region was known, by its answer or by a digest, to be as it is known. */
  long asOf(Known known, HRegionLocation region) {
    RegionStates states = of(region);
    return states != null && states.sentAt() > known.sentAt() && states.confirm(known.summary())
        ? states.sentAt()
        : known.sentAt();
  }

  /** Forgets servers that are not among these. */
  void retain(Set<ServerName> listed) {
    servers.keySet().retainAll(listed);
    without.keySet().retainAll(listed);
  }

  /** Whether a server is worth asking for one. */
  boolean has(ServerName server) {
    Long since = without.get(server);
    return since == null || nanoTime.getAsLong() - since > RETRY.toNanos();
  }

  /** Who waits for a digest waits for nothing else. */
  @Override
  public boolean isSilent(HRegionLocation region) {
    return true;
  }

  @Override
  public void send(
      List<HRegionLocation> regions, long round, Consumer<Collection<HRegionLocation>> ended)
      throws InterruptedIOException {
    long sentAt = nanoTime.getAsLong();
    AtomicInteger open = new AtomicInteger(regions.size());
    List<FutureTask<Void>> tasks = new ArrayList<>();
    for (HRegionLocation region : regions) {
      Runnable call =
          () -> {
            try {
              ask(region, round, sentAt);
            } finally {
              counters.called(open.decrementAndGet() == 0, nanoTime.getAsLong() - sentAt);
              ended.accept(List.of(region));
            }
          };
      tasks.add(new FutureTask<>(call, null));
    }
    tasks.subList(1, tasks.size()).forEach(pool::offer);
    tasks.forEach(FutureTask::run);
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException("interrupted while asking for digests");
    }
  }

  private void ask(HRegionLocation region, long round, long sentAt) {
    ServerName server = region.getServerName();
    RegionStates had = servers.get(server);
    Optional<DigestAnswer> answer = answer(region, RegionStates.request(had));
    Optional<RegionStates> now = answer.flatMap(a -> RegionStates.after(had, a, round, sentAt));
    if (now.isPresent()) {
      servers.put(server, now.get());
      without.remove(server);
    } else if (!Thread.currentThread().isInterrupted()) {
      servers.remove(server);
      without.put(server, sentAt);
    }
  }

  private Optional<DigestAnswer> answer(HRegionLocation region, DigestRequest request) {
    try {
      return calls.ask(region, request);
    } catch (IOException | RuntimeException e) {
      if (!Thread.currentThread().isInterrupted()) {
        LOG.warn("Table {}: no digest from {}; its regions are asked", table, region, e);
      }
      return Optional.empty();
    }
  }
}
