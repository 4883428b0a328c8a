package io.spyhop.core.bucket;

import java.util.Collection;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The spread of buckets over servers, by their normalised sizes. Immutable, thread-safe.
 *
 * @param globalDepth of the deepest bucket
 * @param loads the sum of the sizes of each server's buckets
 */
public record Balance<S extends Comparable<? super S>>(int globalDepth, SortedMap<S, Long> loads) {
  /** Of servers with their buckets, also those without any. */
  public static <S extends Comparable<? super S>> Balance<S> of(
      Map<S, ? extends Collection<Bucket>> held) {
    int deepest =
        held.values().stream().flatMap(Collection::stream).mapToInt(Bucket::depth).max().orElse(0);
    SortedMap<S, Long> loads = new TreeMap<>();
    held.forEach(
        (server, buckets) ->
            loads.put(server, buckets.stream().mapToLong(b -> b.normalisedSize(deepest)).sum()));
    return new Balance<>(deepest, loads);
  }

  /** The most loaded server's share over the mean: 1 if all have the same; 1 of no server. */
  public double maxOverMean() {
    long max = loads.values().stream().mapToLong(l -> l).max().orElse(0);
    double mean = loads.values().stream().mapToLong(l -> l).average().orElse(0);
    return mean == 0 ? 1 : max / mean;
  }

  /** What the most loaded server has more than the least loaded. */
  public long difference() {
    long max = loads.values().stream().mapToLong(l -> l).max().orElse(0);
    return max - loads.values().stream().mapToLong(l -> l).min().orElse(0);
  }
}
