package io.spyhop.client.internal.prune;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.common.collect.Interner;
import com.google.common.collect.Interners;
import io.spyhop.core.stats.CompactSummary;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import org.apache.hadoop.hbase.TableName;

/**
 * A client's cache of region statistics (paper, section 4.2), of all its tables. Bounded in bytes,
 * of which each region has the same share: what is larger is kept coarser, so that all regions stay
 * ({@code docs/decisions/0071}). What is evicted all the same is unknown, and its region is read or
 * asked again. Thread-safe and linearizable: once an answer of a round is in, nobody sees an older
 * one.
 */
public final class StatisticsCache {
  /** What a region takes beside its summary: keys, and the cache's own, as measured. */
  private static final int OVERHEAD = 280;

  private final long maxBytes;
  private final IntSupplier listed;
  private final Cache<Key, Known> regions;
  private final AtomicLong rounds = new AtomicLong();
  private final Interner<CompactSummary.Columns> columns = Interners.newWeakInterner();

  /** A region by where it starts: a split's first half and a merger take their parent's place. */
  private record Key(TableName table, byte[] startKey) {
    @Override
    public boolean equals(Object o) {
      return o instanceof Key k && table.equals(k.table) && Arrays.equals(startKey, k.startKey);
    }

    @Override
    public int hashCode() {
      return 31 * table.hashCode() + Arrays.hashCode(startKey);
    }
  }

  /**
   * A region's answer.
   *
   * @param summary as of some moment after the request was sent
   * @param round the round of requests, see {@link Synchroniser}
   * @param sentAt when the request was sent, by the client's clock in nanoseconds
   * @param uses the version of the table's {@link ColumnUses} by which it was packed
   */
  public record Known(CompactSummary summary, long round, long sentAt, int uses) {}

  /**
   * @param maxBytes what all entries may take together, about
   * @param listed how many regions the tables in use have
   */
  public StatisticsCache(long maxBytes, IntSupplier listed) {
    this.maxBytes = maxBytes;
    this.listed = listed;
    this.regions =
        Caffeine.newBuilder()
            .maximumWeight(maxBytes)
            .weigher((Key key, Known known) -> weight(known.summary().heapSize()))
            .executor(Runnable::run)
            .build();
  }

  /** What a region takes whose summary takes that much. */
  private static int weight(int summary) {
    return OVERHEAD + summary;
  }

  /** What all entries may take together. */
  long maxBytes() {
    return maxBytes;
  }

  /** What would be enough for all regions if their summaries took that much each. */
  long bytesFor(int summary) {
    return (long) weight(summary) * regions();
  }

  private int regions() {
    return Math.max(1, listed.getAsInt());
  }

  /** The bytes that a region's summary may take, so that all have room. */
  long share() {
    return maxBytes / regions() - OVERHEAD;
  }

  /** The one instance of the columns that regions of a table have. */
  CompactSummary.Columns shared(CompactSummary.Columns some) {
    return columns.intern(some);
  }

  /** Numbers the rounds of requests whose answers come here, of whatever table. */
  AtomicLong rounds() {
    return rounds;
  }

  /**
   * What is known of the region that starts, or once started, at a key.
   *
   * @param startKey empty for the table's beginning; nobody may write to it
   */
  public Optional<Known> get(TableName table, byte[] startKey) {
    return Optional.ofNullable(regions.getIfPresent(new Key(table, startKey)));
  }

  /**
   * Takes in an answer, unless one of a later round is there.
   *
   * @param startKey where the region was asked; nobody may write to it
   */
  public void put(TableName table, byte[] startKey, Known known) {
    regions
        .asMap()
        .merge(
            new Key(table, startKey),
            known,
            (old, added) -> added.round() < old.round() ? old : added);
  }

  /** What all entries take together, about. */
  public long bytes() {
    return regions.policy().eviction().orElseThrow().weightedSize().orElse(0);
  }

  /** All that is known of a table's regions, in no order. */
  public List<Known> of(TableName table) {
    List<Known> all = new ArrayList<>();
    for (Map.Entry<Key, Known> e : regions.asMap().entrySet()) {
      if (e.getKey().table().equals(table)) {
        all.add(e.getValue());
      }
    }
    return all;
  }
}
