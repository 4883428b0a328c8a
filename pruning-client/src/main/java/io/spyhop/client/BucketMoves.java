package io.spyhop.client;

import io.spyhop.client.internal.admin.Poll;
import io.spyhop.client.internal.admin.TableInfo;
import io.spyhop.core.bucket.Bucket;
import io.spyhop.core.bucket.InvalidBucketsException;
import io.spyhop.core.bucket.Rebalance;
import io.spyhop.core.bucket.Rebalance.Move;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.exceptions.TimeoutIOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plans a rebalance of one table and moves its buckets, one after the other. What to do is computed
 * again when all of it is done, as buckets may have been split meanwhile. Not thread-safe.
 */
final class BucketMoves {
  private static final Logger LOG = LoggerFactory.getLogger(BucketMoves.class);

  /** How often it is computed again before somebody is told that it does not end. */
  private static final int ROUNDS = 5;

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration STEP = Duration.ofMillis(100);

  private final Connection connection;
  private final Admin admin;
  private final Poll poll;
  private final BucketAdmin buckets;
  private final TableName table;
  private final Set<ServerName> staying;

  BucketMoves(
      Connection connection, Admin admin, Poll poll, TableName table, Set<ServerName> staying) {
    this.connection = connection;
    this.admin = admin;
    this.poll = poll;
    this.buckets = new BucketAdmin(connection);
    this.table = table;
    this.staying = Set.copyOf(staying);
  }

  /**
   * What to move.
   *
   * @throws InvalidBucketsException if a server that shall stay is not there, or none shall
   * @throws IOException if a bucket is on no server that lives, as happens for a while after one
   *     died
   */
  List<Move<ServerName>> plan() throws IOException {
    Set<ServerName> live = new HashSet<>(admin.getRegionServers());
    for (ServerName server : staying) {
      if (!live.contains(server)) {
        throw new InvalidBucketsException(
            "server " + server + " is not there; there are " + live.stream().sorted().toList());
      }
    }
    Map<ServerName, List<Bucket>> held = new TreeMap<>();
    for (BucketInfo b : buckets.buckets(table)) {
      ServerName server =
          b.server()
              .filter(live::contains)
              .orElseThrow(
                  () ->
                      new IOException(
                          "table '"
                              + table
                              + "': bucket "
                              + b.bucket()
                              + " is on no server now; try again when HBase has opened it"));
      held.computeIfAbsent(server, s -> new ArrayList<>()).add(b.bucket());
    }
    return Rebalance.plan(held, staying);
  }

  /**
   * Moves until there is nothing to move.
   *
   * @param lease of the table, which is renewed before each move
   * @param moving is told of each bucket before it moves
   * @return what was moved
   */
  List<Move<ServerName>> run(RebalanceLease lease, Consumer<Move<ServerName>> moving)
      throws IOException {
    List<Move<ServerName>> done = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      List<Move<ServerName>> plan = plan();
      if (plan.isEmpty()) {
        return done;
      }
      for (Move<ServerName> move : plan) {
        Optional<RegionInfo> region = region(move);
        if (region.isPresent()) {
          lease.renew();
          moving.accept(move);
          move(region.get(), move);
          done.add(move);
        }
      }
    }
    throw new IOException(
        "table '"
            + table
            + "': its buckets are not where they should be after "
            + done.size()
            + " moves; is HBase's balancer at work, or are buckets split all the time?");
  }

  /** The bucket's region; empty if it has been split, or moved by somebody else. */
  private Optional<RegionInfo> region(Move<ServerName> move) throws IOException {
    Bucket bucket = move.bucket();
    return TableInfo.regions(connection, table).stream()
        .filter(r -> move.from().equals(r.getServerName()))
        .map(HRegionLocation::getRegion)
        .filter(r -> Bucket.ofRange(r.getStartKey(), r.getEndKey()).equals(Optional.of(bucket)))
        .findFirst();
  }

  private void move(RegionInfo region, Move<ServerName> move) throws IOException {
    LOG.info(
        "Moving bucket {} of table {} from {} to {}", move.bucket(), table, move.from(), move.to());
    admin.move(region.getEncodedNameAsBytes(), move.to());
    boolean there = poll.until(PATIENCE, STEP, () -> isAt(region, move.to()), at -> at);
    if (!there) {
      throw new TimeoutIOException(
          "table '"
              + table
              + "': bucket "
              + move.bucket()
              + " is not on "
              + move.to()
              + " after "
              + PATIENCE.toSeconds()
              + " s; the others stay where they are");
    }
  }

  private boolean isAt(RegionInfo region, ServerName server) throws IOException {
    return TableInfo.regions(connection, table).stream()
        .filter(r -> server.equals(r.getServerName()))
        .anyMatch(r -> r.getRegion().getEncodedName().equals(region.getEncodedName()));
  }
}
