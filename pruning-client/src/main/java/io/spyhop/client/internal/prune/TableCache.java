package io.spyhop.client.internal.prune;

import io.spyhop.client.internal.prune.StatisticsCache.Known;
import io.spyhop.core.protocol.SummaryAnswer;
import io.spyhop.core.protocol.SummaryRequest;
import io.spyhop.core.stats.CompactSummary;
import io.spyhop.core.stats.RegionSummary;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.TableName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One table's part of the cache. Answers are packed as small as the region's share of memory asks
 * for, by what queries use. Thread-safe.
 */
final class TableCache {
  private static final Logger LOG = LoggerFactory.getLogger(TableCache.class);
  private static final long MEGABYTE = 1 << 20;

  private final TableName table;
  private final StatisticsCache cache;
  private final ColumnUses uses = new ColumnUses();
  private final AtomicBoolean warned = new AtomicBoolean();

  TableCache(TableName table, StatisticsCache cache) {
    this.table = table;
    this.cache = cache;
  }

  TableName table() {
    return table;
  }

  /** What queries use of the table. */
  ColumnUses uses() {
    return uses;
  }

  /** What is known of the region that starts, or once started, at a key. */
  Optional<Known> get(byte[] startKey) {
    return cache.get(table, startKey);
  }

  /** All that is known of the table's regions, in no order. */
  List<Known> all() {
    return cache.of(table);
  }

  /** Whether something was left out that queries began to use since: it is to be asked for. */
  boolean isOutgrown(Known known) {
    return known.summary().isCoarse() && known.uses() < uses.version();
  }

  /** What to ask a region of which that is known, if anything is. */
  SummaryRequest request(Optional<Known> had) {
    return had.filter(k -> !isOutgrown(k))
        .map(k -> new SummaryRequest(k.summary().epoch(), k.summary().version()))
        .orElseGet(SummaryRequest::first);
  }

  /**
   * Takes in an answer.
   *
   * @param startKey where the region was asked
   * @param had what the request was made of
   * @return what is known now; empty if the answer's changes do not follow what was
   */
  Optional<CompactSummary> take(
      byte[] startKey, SummaryAnswer answer, Optional<Known> had, long round, long sentAt) {
    int version = uses.version();
    Optional<Known> now =
        answer.whole().isPresent()
            ? answer.whole().map(s -> new Known(packed(s), round, sentAt, version))
            : had.filter(k -> answer.follows(k.summary().epoch(), k.summary().version()))
                .map(k -> new Known(after(k, answer), round, sentAt, k.uses()));
    now.ifPresent(k -> cache.put(table, startKey, k));
    return now.map(Known::summary);
  }

  /** Takes in that a region tells nothing. */
  CompactSummary take(byte[] startKey, RegionSummary unknown, long round, long sentAt) {
    CompactSummary packed = packed(unknown);
    cache.put(table, startKey, new Known(packed, round, sentAt, uses.version()));
    return packed;
  }

  private CompactSummary after(Known had, SummaryAnswer answer) {
    return checked(had.summary().after(answer.changes(), uses::of, cache.share()));
  }

  private CompactSummary packed(RegionSummary summary) {
    return checked(CompactSummary.of(summary, cache::shared, uses::of, cache.share()));
  }

  private CompactSummary checked(CompactSummary summary) {
    if (summary.isCoarserThanUsed() && warned.compareAndSet(false, true)) {
      LOG.warn(
          "Table {}: the statistics of its regions do not fit into the {} MB of {}. They are kept"
              + " coarser, and queries read more regions; with about {} MB they would fit",
          table,
          cache.maxBytes() / MEGABYTE,
          ClientPruning.CACHE_BYTES,
          cache.bytesFor(summary.wholeSize()) / MEGABYTE + 1);
    }
    return summary;
  }
}
