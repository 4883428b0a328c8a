package io.spyhop.core.bucket;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Plans the places of buckets by the greedy algorithm of the paper (section V-A, Algorithm 2), on
 * sizes that follow from depths alone. The best balance is NP-hard (the partition problem); this
 * one moves little.
 *
 * <ol>
 *   <li>Buckets of servers that go are given to the least loaded, the largest first.
 *   <li>The smallest bucket of the most loaded server goes to the least loaded, as long as that
 *       brings the two nearer to each other.
 * </ol>
 *
 * <p>A hash gives each bucket of a depth the same share of the keys, so that a bucket's size is
 * 2^(global depth - its depth). What is alike is taken in order, of servers as of buckets: the same
 * question has the same answer, and the answer to what it leads to is to do nothing. Not
 * thread-safe.
 *
 * @param <S> how servers are named
 */
public final class Rebalance<S extends Comparable<? super S>> {
  /**
   * How long is usual between the moves of two buckets. One or two of a client's queries find that
   * a bucket is moving, and should be fewer than one in a hundred.
   */
  public static final Duration USUAL_PAUSE = Duration.ofSeconds(10);

  /** The longest: servers keep what was shipped for ten minutes. */
  public static final Duration MOST_PAUSE = Duration.ofMinutes(5);

  private final SortedMap<S, TreeSet<Bucket>> held = new TreeMap<>();
  private final SortedMap<S, Long> loads = new TreeMap<>();
  private final SortedMap<Bucket, S> before = new TreeMap<>();
  private final Comparator<Bucket> smallestFirst =
      Comparator.comparingLong(this::size).thenComparing(Comparator.naturalOrder());
  private final int globalDepth;

  /**
   * One bucket that changes its server.
   *
   * @param from where it is, perhaps a server that goes
   */
  public record Move<S>(Bucket bucket, S from, S to) {}

  private Rebalance(Map<S, ? extends Collection<Bucket>> now, Set<S> staying) {
    new TreeMap<S, Collection<Bucket>>(now)
        .forEach((server, buckets) -> buckets.forEach(b -> note(b, server)));
    this.globalDepth = before.keySet().stream().mapToInt(Bucket::depth).max().orElse(0);
    for (S server : staying) {
      held.put(server, new TreeSet<>());
      loads.put(server, 0L);
    }
  }

  private void note(Bucket bucket, S server) {
    S other = before.put(bucket, server);
    if (other != null) {
      throw new InvalidBucketsException(
          "bucket " + bucket + " is on two servers, " + other + " and " + server);
    }
  }

  /**
   * What to move.
   *
   * @param now the buckets of each server, also of those that go
   * @param staying the servers that shall have buckets, also those that have none yet
   * @return each bucket that moves, once, in order; empty if all are where they should be
   * @throws InvalidBucketsException if no server stays, or two have the same bucket
   */
  public static <S extends Comparable<? super S>> List<Move<S>> plan(
      Map<S, ? extends Collection<Bucket>> now, Set<S> staying) {
    if (staying.isEmpty()) {
      throw new InvalidBucketsException("no server would be left to have the buckets");
    }
    return new Rebalance<>(now, staying).moves();
  }

  private List<Move<S>> moves() {
    List<Bucket> homeless = new ArrayList<>();
    before.forEach(
        (bucket, server) -> {
          if (held.containsKey(server)) {
            give(bucket, server);
          } else {
            homeless.add(bucket);
          }
        });
    homeless.sort(Comparator.comparingLong(this::size).reversed().thenComparing(Bucket::compareTo));
    homeless.forEach(b -> give(b, leastLoaded()));
    boolean improved;
    do {
      improved = improve();
    } while (improved);
    return changes();
  }

  /** One step; each makes the sum of the squares of all loads smaller, so that they end. */
  private boolean improve() {
    S most = mostLoaded();
    S least = leastLoaded();
    long difference = loads.get(most) - loads.get(least);
    if (difference == 0) {
      return false;
    }
    Bucket smallest = held.get(most).stream().min(smallestFirst).orElseThrow();
    if (size(smallest) >= difference) {
      return false;
    }
    held.get(most).remove(smallest);
    loads.merge(most, -size(smallest), Long::sum);
    give(smallest, least);
    return true;
  }

  private void give(Bucket bucket, S server) {
    held.get(server).add(bucket);
    loads.merge(server, size(bucket), Long::sum);
  }

  private long size(Bucket bucket) {
    return bucket.normalisedSize(globalDepth);
  }

  private S mostLoaded() {
    S most = loads.firstKey();
    for (Map.Entry<S, Long> server : loads.entrySet()) {
      most = server.getValue() > loads.get(most) ? server.getKey() : most;
    }
    return most;
  }

  private S leastLoaded() {
    S least = loads.firstKey();
    for (Map.Entry<S, Long> server : loads.entrySet()) {
      least = server.getValue() < loads.get(least) ? server.getKey() : least;
    }
    return least;
  }

  private List<Move<S>> changes() {
    SortedMap<Bucket, S> after = new TreeMap<>();
    held.forEach((server, buckets) -> buckets.forEach(b -> after.put(b, server)));
    List<Move<S>> moves = new ArrayList<>();
    after.forEach(
        (bucket, server) -> {
          S from = before.get(bucket);
          if (!from.equals(server)) {
            moves.add(new Move<>(bucket, from, server));
          }
        });
    return moves;
  }
}
