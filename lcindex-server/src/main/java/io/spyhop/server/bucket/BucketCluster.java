package io.spyhop.server.bucket;

import io.spyhop.core.bucket.Bucket;
import io.spyhop.core.protocol.Handover;
import io.spyhop.core.protocol.HandoverState;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;

/** The view that a rebalance has of the cluster, and its means to change it. Thread-safe. */
interface BucketCluster {
  /**
   * The region of a bucket, and its server.
   *
   * @param region that it is
   */
  record Place(RegionInfo region, ServerName server) {}

  /** The region servers that live. */
  Set<ServerName> live();

  /** Those of them that regions may be moved to: that are not being drained. */
  Set<ServerName> open();

  /** The bucketed tables that are enabled. */
  Set<TableName> tables() throws IOException;

  /**
   * The buckets of a table.
   *
   * @throws org.apache.hadoop.hbase.DoNotRetryIOException if the table has none, or is none
   * @throws IOException if a bucket is on no server for the moment
   */
  Map<Bucket, Place> places(TableName table) throws IOException;

  /** The replicas of a table's buckets, but for the buckets themselves, that are open somewhere. */
  List<Place> replicas(TableName table) throws IOException;

  /** Has a server fetch the index files of a region that is going to come to it. */
  HandoverState receive(ServerName to, Handover region) throws IOException;

  /** Has a server write out what it has of a region in memory, and hold up its writes. */
  void hold(Handover region) throws IOException;

  /** Moves a region; returns when it is open there, or else fails. */
  void move(Place from, ServerName to) throws IOException;

  /** Whether this master is no master any more. */
  boolean isStopping();

  /** Waits, until something happens at the longest. */
  void pause(Duration time, CountDownLatch event) throws IOException;
}
