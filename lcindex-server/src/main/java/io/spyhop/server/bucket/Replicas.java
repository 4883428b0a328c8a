package io.spyhop.server.bucket;

import io.spyhop.core.bucket.Bucket;
import io.spyhop.server.bucket.BucketCluster.Place;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hbase.ServerName;

/**
 * Places for the region replicas of buckets: none on a server that has the bucket, or another
 * replica of it, and none on a server that shall have nothing of the table. Those that are well
 * placed stay. Where there are fewer servers than replicas, some stay together. Not thread-safe.
 */
final class Replicas {
  private final Set<ServerName> staying;

  /** How many regions of the table each server has. */
  private final Map<ServerName, Integer> loads = new TreeMap<>();

  /** Which servers have something of each bucket. */
  private final Map<Bucket, Set<ServerName>> taken = new HashMap<>();

  /**
   * A move of a region replica.
   *
   * @param from where it is
   */
  record Move(Place from, ServerName to) {}

  private Replicas(Map<Bucket, Place> places, List<Place> replicas, Set<ServerName> staying) {
    this.staying = staying;
    staying.forEach(s -> loads.put(s, 0));
    places.forEach(
        (bucket, place) -> {
          take(bucket, place.server());
          count(place.server(), 1);
        });
    replicas.forEach(r -> count(r.server(), 1));
  }

  /**
   * The moves, in the order of the replicas; empty if all are where they may be.
   *
   * @param places where the buckets are, and stay
   * @param replicas of these
   * @param staying servers that shall have buckets
   */
  static List<Move> plan(Map<Bucket, Place> places, List<Place> replicas, Set<ServerName> staying) {
    return new Replicas(places, replicas, staying).moves(replicas);
  }

  private List<Move> moves(List<Place> replicas) {
    List<Place> strays = new ArrayList<>();
    replicas.stream()
        .sorted(Comparator.comparing(Place::region))
        .forEach(
            replica -> {
              boolean stays =
                  staying.contains(replica.server())
                      && bucket(replica).filter(b -> take(b, replica.server())).isPresent();
              if (!stays) {
                strays.add(replica);
              }
            });
    List<Move> moves = new ArrayList<>();
    for (Place stray : strays) {
      free(stray).ifPresent(to -> moves.add(new Move(stray, to)));
    }
    return moves;
  }

  private Optional<ServerName> free(Place stray) {
    Optional<Bucket> bucket = bucket(stray);
    if (bucket.isEmpty()) {
      return Optional.empty();
    }
    Set<ServerName> others = taken.getOrDefault(bucket.get(), Set.of());
    Optional<ServerName> to =
        staying.stream()
            .filter(s -> !others.contains(s))
            .min(Comparator.<ServerName>comparingInt(loads::get).thenComparing(s -> s));
    to.ifPresent(
        server -> {
          take(bucket.get(), server);
          count(stray.server(), -1);
          count(server, 1);
        });
    return to;
  }

  /** The bucket that a replica is of. */
  static Optional<Bucket> bucket(Place replica) {
    return Bucket.ofRange(replica.region().getStartKey(), replica.region().getEndKey());
  }

  private boolean take(Bucket bucket, ServerName server) {
    return taken.computeIfAbsent(bucket, b -> new HashSet<>()).add(server);
  }

  private void count(ServerName server, int change) {
    loads.merge(server, change, Integer::sum);
  }
}
