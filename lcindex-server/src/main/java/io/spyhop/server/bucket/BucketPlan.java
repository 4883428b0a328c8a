package io.spyhop.server.bucket;

import io.spyhop.core.bucket.Bucket;
import io.spyhop.core.bucket.Rebalance;
import io.spyhop.core.bucket.Rebalance.Move;
import io.spyhop.core.protocol.RebalancePlan;
import io.spyhop.core.protocol.RebalancePlan.Replica;
import io.spyhop.server.bucket.BucketCluster.Place;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;

/**
 * The moves that make a table's servers even: its buckets, and then the replicas of these. Running
 * rebalances, those that begin by themselves and dry runs all go by it.
 *
 * @param replicas as they are to be moved when the buckets have been
 */
record BucketPlan(List<Move<ServerName>> buckets, List<Replicas.Move> replicas) {
  /**
   * As the cluster is now.
   *
   * @param places of the table's buckets
   * @param staying servers that shall have buckets, and take regions; at least one
   */
  static BucketPlan of(
      BucketCluster cluster, TableName table, Map<Bucket, Place> places, Set<ServerName> staying)
      throws IOException {
    List<Move<ServerName>> moves = Rebalance.plan(byServer(places), staying);
    Map<Bucket, Place> after = new TreeMap<>(places);
    moves.forEach(
        m -> after.computeIfPresent(m.bucket(), (b, place) -> new Place(place.region(), m.to())));
    return new BucketPlan(moves, Replicas.plan(after, cluster.replicas(table), staying));
  }

  private static Map<ServerName, List<Bucket>> byServer(Map<Bucket, Place> places) {
    Map<ServerName, List<Bucket>> held = new TreeMap<>();
    places.forEach(
        (bucket, p) -> held.computeIfAbsent(p.server(), s -> new ArrayList<>()).add(bucket));
    return held;
  }

  boolean isEmpty() {
    return buckets.isEmpty() && replicas.isEmpty();
  }

  /** As it is told. */
  RebalancePlan told() {
    return new RebalancePlan(buckets, replicas.stream().map(BucketPlan::told).toList());
  }

  private static Replica told(Replicas.Move move) {
    Bucket bucket = Replicas.bucket(move.from()).orElseThrow();
    return new Replica(
        move.from().region().getReplicaId(), new Move<>(bucket, move.from().server(), move.to()));
  }
}
