package io.spyhop.client.internal.prune;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.spyhop.core.stats.RegionSummary;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.TableName;

/**
 * A client's cache of region statistics (paper, section 4.2), of all its tables. Bounded in bytes;
 * what is evicted is unknown, and its region is read or asked again. Thread-safe and linearizable:
 * once an answer of a round is in, nobody sees an older one.
 */
public final class StatisticsCache {
  private static final int OVERHEAD = 128;

  private final Cache<Key, Known> regions;
  private final AtomicLong rounds = new AtomicLong();

  /** A region by where it starts: a split's first half and a merger take their parent's place. */
  private record Key(TableName table, ByteBuffer startKey) {}

  /**
   * A region's answer.
   *
   * @param summary as of some moment after the request was sent
   * @param round the round of requests, see {@link Synchroniser}
   * @param sentAt when the request was sent, by the client's clock in nanoseconds
   */
  public record Known(RegionSummary summary, long round, long sentAt) {}

  /**
   * @param maxBytes what all entries may take together, about
   */
  public StatisticsCache(long maxBytes) {
    this.regions =
        Caffeine.newBuilder()
            .maximumWeight(maxBytes)
            .weigher((Key key, Known known) -> OVERHEAD + known.summary().heapSize())
            .executor(Runnable::run)
            .build();
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
    return Optional.ofNullable(regions.getIfPresent(key(table, startKey)));
  }

  /**
   * Takes in an answer, unless one of a later round is there.
   *
   * @param startKey where the region was asked
   */
  public void put(TableName table, byte[] startKey, Known known) {
    regions
        .asMap()
        .merge(
            key(table, startKey), known, (old, added) -> added.round() < old.round() ? old : added);
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

  private static Key key(TableName table, byte[] startKey) {
    return new Key(table, ByteBuffer.wrap(startKey));
  }
}
