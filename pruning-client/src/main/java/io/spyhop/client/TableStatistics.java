package io.spyhop.client;

import io.spyhop.client.internal.prune.PruningCounters;
import io.spyhop.client.internal.prune.StatisticsCache.Known;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.stats.ColumnSummary;
import io.spyhop.core.stats.CompactSummary;
import io.spyhop.core.stats.RegionSummary;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A client's statistics of a table's regions, and what partition pruning did with them since the
 * client first used the table. Immutable, thread-safe.
 *
 * @param regions regions whose statistics the cache holds
 * @param unknownRegions of these, the ones that gave none and are always read
 * @param coarseRegions regions whose statistics are kept coarser than they were told, for want of
 *     memory ({@code spyhop.pruning.cache.bytes})
 * @param cacheBytes size of the statistics as the paper counts it (section 6.3): for each region
 *     and column a least and a greatest value and the bits of the bloom filter
 * @param heapBytes what they take in this client's memory, about
 * @param queries queries whose predicates statistics could answer
 * @param regionsPruned regions that they left out
 * @param regionsRead regions that they read
 * @param memstoresSkipped of those, the ones whose memstores were known to be empty
 * @param hits decisions on what the cache had, without waiting for a request
 * @param misses decisions that waited for a request
 * @param confirmed of those, the early ones that stood
 * @param synchronisations rounds of requests
 * @param regionsAsked regions asked in all rounds
 * @param calls calls to region servers in all rounds
 * @param bytesSent bytes of requests
 * @param bytesReceived bytes of answers
 * @param synchronisationTime that all rounds took
 */
public record TableStatistics(
    int regions,
    int unknownRegions,
    int coarseRegions,
    long cacheBytes,
    long heapBytes,
    long queries,
    long regionsPruned,
    long regionsRead,
    long memstoresSkipped,
    long hits,
    long misses,
    long confirmed,
    long synchronisations,
    long regionsAsked,
    long calls,
    long bytesSent,
    long bytesReceived,
    Duration synchronisationTime) {

  static TableStatistics of(List<Known> known, PruningCounters c) {
    List<CompactSummary> summaries = known.stream().map(Known::summary).toList();
    return new TableStatistics(
        summaries.size(),
        (int) summaries.stream().filter(s -> !s.isKnown()).count(),
        (int) summaries.stream().filter(CompactSummary::isCoarse).count(),
        summaries.stream().mapToLong(s -> bytes(s.unpacked())).sum(),
        summaries.stream().mapToLong(CompactSummary::heapSize).sum(),
        c.queries.sum(),
        c.regionsPruned.sum(),
        c.regionsRead.sum(),
        c.memstoresSkipped.sum(),
        c.hits.sum(),
        c.misses.sum(),
        c.confirmed.sum(),
        c.rounds.sum(),
        c.regionsAsked.sum(),
        c.calls.sum(),
        c.bytesSent.sum(),
        c.bytesReceived.sum(),
        Duration.ofNanos(c.roundNanos.sum()));
  }

  /** The paper's formula, one region: each column's bounds, and its bloom filter's bits. */
  private static long bytes(RegionSummary summary) {
    long sum = 0;
    for (Map.Entry<ColumnName, ColumnSummary> e : summary.union().columns().entrySet()) {
      ColumnSummary c = e.getValue();
      sum += c.min() == null ? 0 : c.min().length + c.max().length;
      sum += c.bloom() == null ? 0 : c.bloom().bits() / Byte.SIZE;
    }
    return sum;
  }

  /** One line for people. */
  @Override
  public String toString() {
    return regions
        + " regions known ("
        + unknownRegions
        + " without statistics, "
        + coarseRegions
        + " coarser for want of memory, "
        + cacheBytes
        + " bytes); "
        + queries
        + " queries left out "
        + regionsPruned
        + " regions and read "
        + regionsRead
        + " ("
        + memstoresSkipped
        + " with empty memstores); "
        + synchronisations
        + " synchronisations in "
        + synchronisationTime.toMillis()
        + " ms, "
        + (bytesSent + bytesReceived)
        + " bytes";
  }
}
