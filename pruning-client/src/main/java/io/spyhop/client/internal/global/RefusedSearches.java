package io.spyhop.client.internal.global;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.spyhop.client.internal.exec.RowRanges;
import io.spyhop.core.predicate.PredicateCodec;
import io.spyhop.core.schema.IndexDefinition;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Queries for which no index was worth reading a moment ago: asked again, they are spared the look
 * into it. Bounded, thread-safe.
 */
final class RefusedSearches {
  private static final int MOST = 1_000;

  /** Larger conditions are not kept. */
  private static final int MOST_BYTES = 4_096;

  private final Cache<Key, String> reasons;

  RefusedSearches(Duration age) {
    this.reasons = Caffeine.newBuilder().maximumSize(MOST).expireAfterWrite(age).build();
  }

  /** The key of a query: queries with equal keys are refused for the same reason. */
  private record Key(
      ByteBuffer predicate, List<Long> indexes, RowRanges rows, long limit, int maxEntries) {}

  /** Why, if it was. */
  Optional<String> reason(EntryQuery query) {
    return key(query).map(reasons::getIfPresent);
  }

  void put(EntryQuery query, String reason) {
    key(query).ifPresent(k -> reasons.put(k, reason));
  }

  private static Optional<Key> key(EntryQuery query) {
    byte[] predicate = PredicateCodec.encode(query.predicate());
    if (!query.isFree() || predicate.length > MOST_BYTES) {
      return Optional.empty();
    }
    return Optional.of(
        new Key(
            ByteBuffer.wrap(predicate),
            query.drivers().stream().map(IndexDefinition::incarnation).toList(),
            query.rows(),
            query.limit(),
            query.maxEntries()));
  }
}
