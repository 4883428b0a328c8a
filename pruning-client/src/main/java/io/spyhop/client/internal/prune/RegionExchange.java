package io.spyhop.client.internal.prune;

import io.spyhop.client.internal.admin.RegionAnswer;
import io.spyhop.client.internal.exec.RowRange;
import io.spyhop.client.internal.exec.ScanPool;
import io.spyhop.client.internal.prune.StatisticsCache.Known;
import io.spyhop.core.protocol.SummaryAnswer;
import io.spyhop.core.protocol.SummaryRequest;
import io.spyhop.core.stats.CompactSummary;
import io.spyhop.core.stats.RegionSummary;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
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
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A round of requests (paper, section 5.2): sends each region what the cache has of it, and takes
 * in what has changed since. Thread-safe, if each region is asked by one thread at a time.
 */
final class RegionExchange implements Synchroniser.Exchange {
  private static final Logger LOG = LoggerFactory.getLogger(RegionExchange.class);

  private final TableName table;
  private final KeySpace keys;
  private final TableCache cache;
  private final SummaryCalls calls;
  private final PruningCounters counters;
  private final ScanPool pool;
  private final LongSupplier nanoTime;

  /** Regions whose last call failed; few, and gone when they are listed no more. */
  private final Set<String> silent = ConcurrentHashMap.newKeySet();

  RegionExchange(
      KeySpace keys,
      TableCache cache,
      SummaryCalls calls,
      PruningCounters counters,
      ScanPool pool,
      LongSupplier nanoTime) {
    this.table = cache.table();
    this.keys = keys;
    this.cache = cache;
    this.calls = calls;
    this.counters = counters;
    this.pool = pool;
    this.nanoTime = nanoTime;
  }

  /** The regions of some ranges; none if they cannot be told, which is not thrown. */
  List<HRegionLocation> regions(List<RowRange> ranges) throws InterruptedIOException {
    try {
      if (!silent.isEmpty()) {
        silent.retainAll(keys.regions().values().stream().map(RegionExchange::nameOf).toList());
      }
      return keys.overlapping(ranges);
    } catch (IOException | RuntimeException e) {
      requireNotInterrupted(e);
      LOG.warn("Table {}: its regions cannot be listed; they are read", table, e);
      return List.of();
    }
  }

  @Override
  public boolean isSilent(HRegionLocation region) {
    return silent.contains(nameOf(region));
  }

  /**
   * One call a server, all at once as far as the pool has threads, and the rest by this thread.
   * Regions that gave no answer last time are called apart from those of their server that did.
   */
  @Override
  public void send(
      List<HRegionLocation> regions, long round, Consumer<Collection<HRegionLocation>> ended)
      throws InterruptedIOException {
    List<List<HRegionLocation>> groups = groups(regions);
    Sending sending = new Sending(round, nanoTime.getAsLong(), groups.size(), ended);
    List<FutureTask<Void>> calls = new ArrayList<>();
    groups.forEach(g -> calls.add(new FutureTask<>(() -> sending.call(g), null)));
    calls.subList(1, calls.size()).forEach(pool::offer);
    calls.forEach(FutureTask::run);
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException("interrupted while asking for statistics");
    }
  }

  private List<List<HRegionLocation>> groups(List<HRegionLocation> regions) {
    Map<ServerName, List<HRegionLocation>> answering = new LinkedHashMap<>();
    Map<ServerName, List<HRegionLocation>> others = new LinkedHashMap<>();
    for (HRegionLocation region : regions) {
      (isSilent(region) ? others : answering)
          .computeIfAbsent(region.getServerName(), s -> new ArrayList<>())
          .add(region);
    }
    List<List<HRegionLocation>> groups = new ArrayList<>(answering.values());
    groups.addAll(others.values());
    return groups;
  }

  /** The calls of one round. Thread-safe. */
  private final class Sending {
    private final long round;
    private final long sentAt;
    private final AtomicInteger open;
    private final Consumer<Collection<HRegionLocation>> ended;

    Sending(long round, long sentAt, int calls, Consumer<Collection<HRegionLocation>> ended) {
      this.round = round;
      this.sentAt = sentAt;
      this.open = new AtomicInteger(calls);
      this.ended = ended;
    }

    void call(List<HRegionLocation> regions) {
      try {
        ask(regions);
      } catch (IOException | RuntimeException e) {
        if (!Thread.currentThread().isInterrupted()) {
          LOG.warn("Table {}: asking for statistics failed; its regions are read", table, e);
        }
      } finally {
        counters.regionsAsked.add(regions.size());
        counters.called(open.decrementAndGet() == 0, nanoTime.getAsLong() - sentAt);
        ended.accept(regions);
      }
    }

    private void ask(List<HRegionLocation> regions) throws IOException {
      Map<String, Known> had = had(regions);
      List<RegionAnswer<SummaryAnswer>> answers =
          calls.ask(regions, region -> cache.request(Optional.ofNullable(had.get(nameOf(region)))));
      for (RegionAnswer<SummaryAnswer> a : answers) {
        take(a, Optional.ofNullable(had.get(nameOf(a.location()))), round, sentAt);
      }
    }
  }

  /** A timeout is an InterruptedIOException, too: the thread itself must say so. */
  private static void requireNotInterrupted(Exception e) throws InterruptedIOException {
    if (Thread.currentThread().isInterrupted()) {
      throw (InterruptedIOException)
          new InterruptedIOException("interrupted while asking for statistics").initCause(e);
    }
  }

  private Map<String, Known> had(List<HRegionLocation> regions) {
    Map<String, Known> had = new HashMap<>();
    for (HRegionLocation region : regions) {
      cache
          .get(region.getRegion().getStartKey())
          .ifPresent(known -> had.put(nameOf(region), known));
    }
    return had;
  }

  /** What tells regions apart: locations on the same server are equal. */
  private static String nameOf(HRegionLocation location) {
    return location.getRegion().getEncodedName();
  }

  private void take(
      RegionAnswer<SummaryAnswer> answered, Optional<Known> had, long round, long sentAt) {
    RegionInfo listed = answered.location().getRegion();
    byte[] startKey = listed.getStartKey();
    CompactSummary now =
        answered
            .answer()
            .flatMap(a -> cache.take(startKey, a, had, round, sentAt))
            .orElseGet(() -> cache.take(startKey, silent(answered), round, sentAt));
    boolean asListed =
        Bytes.equals(now.startKey(), startKey) && Bytes.equals(now.endKey(), listed.getEndKey());
    if (!asListed) {
      keys.outdated();
    }
    if (answered.failure().isEmpty()) {
      silent.remove(nameOf(answered.location()));
    } else {
      silent.add(nameOf(answered.location()));
    }
  }

  private static RegionSummary silent(RegionAnswer<SummaryAnswer> answered) {
    String why =
        answered.answer().isPresent()
            ? "its answer does not follow what is known"
            : answered.failure().isEmpty()
                ? "it gives no statistics to this user, or has none"
                : "no answer: " + answered.failure();
    RegionInfo region = answered.location().getRegion();
    return RegionSummary.unknown(
        region.getEncodedName(),
        region.getStartKey(),
        region.getEndKey(),
        SummaryRequest.NOTHING,
        why);
  }
}
