package io.spyhop.client;

import io.spyhop.core.bucket.Bucket;
import io.spyhop.core.bucket.InvalidBucketsException;
import io.spyhop.core.bucket.Rebalance;
import io.spyhop.core.bucket.Rebalance.Move;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;

/** Plans a rebalance of one table, as the master does when it is asked for it. Not thread-safe. */
final class BucketMoves {
  private final Admin admin;
  private final BucketAdmin buckets;
  private final TableName table;
  private final Set<ServerName> staying;

  BucketMoves(Connection connection, Admin admin, TableName table, Set<ServerName> staying) {
    this.admin = admin;
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
    if (admin.isTableDisabled(table)) {
      throw new InvalidBucketsException(
          "table '" + table + "' is disabled, and its buckets are on no server: enable it first");
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
}
