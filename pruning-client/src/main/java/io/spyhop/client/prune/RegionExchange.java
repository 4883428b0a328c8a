package io.spyhop.client.prune;

import io.spyhop.client.admin.RegionAnswer;
import io.spyhop.client.exec.RowRange;
import io.spyhop.client.prune.StatisticsCache.Known;
import io.spyhop.core.prune.RegionSummary;
import io.spyhop.core.prune.SummaryAnswer;
import io.spyhop.core.prune.SummaryRequest;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A round of requests (paper, section 5.2): sends each region what the cache has of it, and takes
 * in what has changed since. Used by one thread at a time.
 */
final class RegionExchange implements Synchroniser.Exchange {
  private static final Logger LOG = LoggerFactory.getLogger(RegionExchange.class);

  private final TableName table;
  private final KeySpace keys;
  private final StatisticsCache cache;
  private final SummaryCalls calls;
  private final PruningCounters counters;
  private final LongSupplier nanoTime;

  RegionExchange(
      TableName table,
      KeySpace keys,
      StatisticsCache cache,
      SummaryCalls calls,
      PruningCounters counters,
      LongSupplier nanoTime) {
    this.table = table;
    this.keys = keys;
    this.cache = cache;
    this.calls = calls;
    this.counters = counters;
    this.nanoTime = nanoTime;
  }

  @Override
  public void run(List<RowRange> ranges, long round) throws InterruptedIOException {
    long sentAt = nanoTime.getAsLong();
    try {
      List<HRegionLocation> regions = keys.overlapping(ranges);
      Map<String, RegionSummary> had = had(regions);
      List<RegionAnswer<SummaryAnswer>> answers =
          calls.ask(
              regions,
              region ->
                  Optional.ofNullable(had.get(nameOf(region)))
                      .map(SummaryRequest::since)
                      .orElseGet(SummaryRequest::first));
      for (RegionAnswer<SummaryAnswer> a : answers) {
        take(a, had.get(nameOf(a.location())), round, sentAt);
      }
      count(regions, nanoTime.getAsLong() - sentAt);
    } catch (IOException | RuntimeException e) {
      requireNotInterrupted(e);
      LOG.warn("Table {}: asking for statistics failed; its regions are read", table, e);
    }
  }

  /** A timeout is an InterruptedIOException, too: the thread itself must say so. */
  private static void requireNotInterrupted(Exception e) throws InterruptedIOException {
    if (Thread.currentThread().isInterrupted()) {
      throw (InterruptedIOException)
          new InterruptedIOException("interrupted while asking for statistics").initCause(e);
    }
  }

  private Map<String, RegionSummary> had(List<HRegionLocation> regions) {
    Map<String, RegionSummary> had = new HashMap<>();
    for (HRegionLocation region : regions) {
      cache
          .get(table, region.getRegion().getStartKey())
          .ifPresent(known -> had.put(nameOf(region), known.summary()));
    }
    return had;
  }

  /** What tells regions apart: locations on the same server are equal. */
  private static String nameOf(HRegionLocation location) {
    return location.getRegion().getEncodedName();
  }

  private void take(
      RegionAnswer<SummaryAnswer> answered, RegionSummary had, long round, long sentAt) {
    RegionInfo listed = answered.location().getRegion();
    RegionSummary now =
        answered
            .answer()
            .flatMap(a -> had == null ? a.whole() : had.apply(a))
            .orElseGet(() -> silent(answered));
    boolean asListed =
        Bytes.equals(now.startKey(), listed.getStartKey())
            && Bytes.equals(now.endKey(), listed.getEndKey());
    if (!asListed) {
      keys.outdated();
    }
    cache.put(table, listed.getStartKey(), new Known(now, round, sentAt));
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

  private void count(List<HRegionLocation> regions, long nanos) {
    counters.rounds.increment();
    counters.roundNanos.add(nanos);
    counters.regionsAsked.add(regions.size());
    counters.calls.add(regions.stream().map(HRegionLocation::getServerName).distinct().count());
  }
}
