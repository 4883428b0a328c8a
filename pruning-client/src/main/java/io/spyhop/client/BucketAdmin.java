package io.spyhop.client;

import io.spyhop.client.internal.admin.InstallationCheck;
import io.spyhop.client.internal.admin.MasterCalls;
import io.spyhop.client.internal.admin.Poll;
import io.spyhop.client.internal.admin.TableInfo;
import io.spyhop.core.bucket.Bucket;
import io.spyhop.core.bucket.BucketOptions;
import io.spyhop.core.bucket.Directory;
import io.spyhop.core.bucket.InvalidBucketsException;
import io.spyhop.core.bucket.Rebalance;
import io.spyhop.core.global.IndexTable;
import io.spyhop.core.protocol.RebalancePlan;
import io.spyhop.core.protocol.RebalanceRequest;
import io.spyhop.core.protocol.RebalanceState;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates, watches and rebalances bucketed tables. Thread-safe. */
public final class BucketAdmin {
  /** The split policy of bucketed tables, in the servers' jar. */
  public static final String SPLIT_POLICY = "io.spyhop.server.bucket.BucketSplitPolicy";

  private static final Logger LOG = LoggerFactory.getLogger(BucketAdmin.class);

  private final Connection connection;
  private final InstallationCheck installation = new InstallationCheck();

  BucketAdmin(Connection connection) {
    this.connection = connection;
  }

  /**
   * Creates a table with buckets. Its regions are split at borders of buckets alone, by Spyhop's
   * policy, and never merged.
   *
   * @param table name, families and whatever else a table has, but no split policy
   * @throws TableExistsException if there is such a table: buckets are for new ones
   * @throws InvalidBucketsException if the descriptor has buckets already, or a split policy
   * @throws SpyhopNotInstalledException if a server of the cluster does not run Spyhop; then
   *     nothing has been created
   * @throws IOException if HBase refuses the table; where its master lacks the jar it says that it
   *     does not know the split policy
   */
  public void create(TableDescriptor table, BucketOptions options) throws IOException {
    Objects.requireNonNull(table, "the table is null");
    Objects.requireNonNull(options, "the bucket options are null");
    TableName name = table.getTableName();
    TableDescriptor bucketed = bucketed(table, options);
    try (Admin admin = connection.getAdmin()) {
      if (admin.tableExists(name)) {
        throw exists(name);
      }
      installation.require(admin, Optional.empty());
      byte[][] splits = Directory.even(options.initial()).splitKeys();
      admin.createTable(bucketed, splits.length == 0 ? null : splits);
    }
    LOG.info("Created table {} with buckets: {}", name, options);
  }

  private static TableExistsException exists(TableName name) {
    return new TableExistsException(
        "table '"
            + name
            + "' exists: a table gets buckets when it is created; create another one, and copy the"
            + " rows");
  }

  private static TableDescriptor bucketed(TableDescriptor table, BucketOptions options) {
    String on = "table '" + table.getTableName() + "'";
    if (IndexTable.isReserved(table.getTableName()) || table.getTableName().isSystemTable()) {
      throw new InvalidBucketsException(on + " cannot have buckets: its name is not for users");
    }
    if (table.getValue(BucketOptions.KEY) != null) {
      throw new InvalidBucketsException(
          on + ": leave " + BucketOptions.KEY + " out of the descriptor; it is put there");
    }
    String policy = table.getRegionSplitPolicyClassName();
    if (policy != null && !policy.equals(SPLIT_POLICY)) {
      throw new InvalidBucketsException(
          on
              + " cannot have split policy "
              + policy
              + ": buckets are split at their borders alone");
    }
    return TableDescriptorBuilder.newBuilder(table)
        .setValue(BucketOptions.KEY, options.text())
        .setRegionSplitPolicyClassName(SPLIT_POLICY)
        .setMergeEnabled(false)
        .setNormalizationEnabled(false)
        .build();
  }

  /**
   * What a table was created with.
   *
   * @throws InvalidBucketsException if it has no buckets, or some that this version does not know
   * @throws org.apache.hadoop.hbase.TableNotFoundException if there is no such table
   */
  public BucketOptions options(TableName table) throws IOException {
    return BucketOptions.of(TableInfo.descriptor(connection, table))
        .orElseThrow(
            () ->
                new InvalidBucketsException(
                    "table '" + table + "' has no buckets: a table gets them when it is created"));
  }

  /**
   * The buckets of a table in the order of their rows, as hbase:meta lists them now: the global
   * directory (paper, section III).
   *
   * @throws InvalidBucketsException if the table has no buckets, or a region of it is none
   * @throws org.apache.hadoop.hbase.TableNotFoundException if there is no such table
   */
  public List<BucketInfo> buckets(TableName table) throws IOException {
    BucketOptions options = options(table);
    List<HRegionLocation> regions = TableInfo.regions(connection, table);
    requireBuckets(table, options, regions);
    Map<byte[], Long> sizes = sizes(table, regions);
    List<BucketInfo> buckets = new ArrayList<>();
    for (HRegionLocation r : regions) {
      RegionInfo region = r.getRegion();
      Bucket bucket = Bucket.ofRange(region.getStartKey(), region.getEndKey()).orElseThrow();
      buckets.add(
          new BucketInfo(
              bucket,
              Optional.ofNullable(r.getServerName()),
              Optional.ofNullable(sizes.get(region.getRegionName()))));
    }
    return buckets;
  }

  /**
   * The servers that a rebalance is to spread buckets over.
   *
   * @param added to those that have buckets of the table now
   * @param removed from these
   * @return those of all region servers that live, if none is added or removed; without those that
   *     are decommissioned, unless they are added, which the master refuses
   * @throws InvalidBucketsException if a server is both added and removed
   */
  public Set<ServerName> servers(
      TableName table, Collection<ServerName> added, Collection<ServerName> removed)
      throws IOException {
    for (ServerName server : added) {
      if (removed.contains(server)) {
        throw new InvalidBucketsException(server + " cannot be both added and removed");
      }
    }
    Set<ServerName> servers = new HashSet<>();
    try (Admin admin = connection.getAdmin()) {
      if (added.isEmpty() && removed.isEmpty()) {
        servers.addAll(admin.getRegionServers());
      } else {
        buckets(table).forEach(b -> b.server().ifPresent(servers::add));
      }
      servers.removeAll(admin.listDecommissionedRegionServers());
    }
    servers.addAll(added);
    servers.removeAll(removed);
    return servers;
  }

  /**
   * What a rebalance would move, as the master plans it: the paper's Algorithm 2, see {@link
   * Rebalance}, and the region replicas of the buckets.
   *
   * @param staying the servers that shall have buckets; all others give theirs away
   * @throws org.apache.hadoop.hbase.DoNotRetryIOException if the table has no buckets, a server
   *     that shall stay is not there or takes no regions, or none shall
   * @throws org.apache.hadoop.hbase.security.AccessDeniedException for who may not rebalance it
   * @throws IOException if a bucket is on no server that lives, as happens for a while after one
   *     died
   */
  public RebalancePlan plan(TableName table, Set<ServerName> staying) throws IOException {
    RebalanceRequest request =
        new RebalanceRequest(table, UUID.randomUUID(), List.copyOf(staying), Duration.ZERO);
    try (Admin admin = connection.getAdmin()) {
      options(table);
      return new MasterCalls(admin).plan(request);
    }
  }

  /**
   * Has the master move what {@link #plan} says, one bucket after the other, until nothing is left
   * to move. Before a bucket moves its index files are there already; its writes are held up, and
   * the bucket is offline, for as long as HBase moves a region. The master goes on whether the
   * caller waits or not, and so does the one after it. When it fails, what was moved stays; done
   * again, it goes on. At most one rebalance of a table runs at a time.
   *
   * @param pause between two buckets, while index files are copied already: at least so long after
   *     one has moved the next is closed; 0 to {@link Rebalance#MOST_PAUSE}; {@link
   *     Rebalance#USUAL_PAUSE} keeps the share of queries small that meet one
   * @param moving is told of each bucket when it moves
   * @return what was moved
   * @throws InvalidBucketsException if the table has no buckets
   * @throws SpyhopNotInstalledException if a server of the cluster does not run Spyhop; then
   *     nothing has been moved
   * @throws IllegalArgumentException if the pause is out of its bounds
   * @throws org.apache.hadoop.hbase.DoNotRetryIOException if the table is being rebalanced; the
   *     message says which user began that, and when
   * @throws org.apache.hadoop.hbase.security.AccessDeniedException for who has not ADMIN on
   *     everything
   * @throws IOException if it was given up or stopped; the message says why
   */
  public List<Rebalance.Move<ServerName>> rebalance(
      TableName table,
      Set<ServerName> staying,
      Duration pause,
      Consumer<Rebalance.Move<ServerName>> moving)
      throws IOException {
    RebalanceRequest request =
        new RebalanceRequest(table, UUID.randomUUID(), List.copyOf(staying), pause);
    try (Admin admin = connection.getAdmin()) {
      options(table);
      installation.require(admin, Optional.of("rebalancing a table"));
      MasterCalls master = new MasterCalls(admin);
      master.begin(request);
      return new MasterRebalance(master, Poll.inRealTime(), request).follow(moving);
    }
  }

  /**
   * How far the last rebalance of a table is, or how it ended.
   *
   * @return empty if there was none since the table was created
   * @throws InvalidBucketsException if the table has no buckets
   * @throws org.apache.hadoop.hbase.security.AccessDeniedException for who may not rebalance it
   */
  public Optional<RebalanceState> lastRebalance(TableName table) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      options(table);
      return new MasterCalls(admin).last(table);
    }
  }

  /**
   * Waits for a rebalance that has begun, by whichever caller.
   *
   * @param request of it, as {@link #lastRebalance} says
   * @param moving is told of each bucket that has moved or moves
   * @return what was moved
   * @throws IOException as {@link #rebalance}
   */
  public List<Rebalance.Move<ServerName>> follow(
      RebalanceRequest request, Consumer<Rebalance.Move<ServerName>> moving) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return new MasterRebalance(new MasterCalls(admin), Poll.inRealTime(), request).follow(moving);
    }
  }

  /**
   * Stops a rebalance before its next bucket moves, and waits for that: nothing is half done. No
   * rebalance of the table begins by itself until one is asked for.
   *
   * @param request of it, as {@link #lastRebalance} says
   * @return how it ended; it may have done so before
   * @throws org.apache.hadoop.hbase.security.AccessDeniedException for who may not rebalance it
   */
  public RebalanceState stop(RebalanceRequest request) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return new MasterRebalance(new MasterCalls(admin), Poll.inRealTime(), request).stop();
    }
  }

  private static void requireBuckets(
      TableName table, BucketOptions options, List<HRegionLocation> regions) {
    try {
      Directory.of(options, regions.stream().map(r -> r.getRegion().getStartKey()).toList());
    } catch (InvalidBucketsException e) {
      throw new InvalidBucketsException("table '" + table + "': " + e.getMessage(), e);
    }
  }

  /** As the servers tell; one that does not is left out. */
  private Map<byte[], Long> sizes(TableName table, List<HRegionLocation> regions)
      throws IOException {
    Map<byte[], Long> sizes = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    Set<ServerName> servers = new HashSet<>();
    regions.forEach(r -> servers.add(r.getServerName()));
    servers.remove(null);
    try (Admin admin = connection.getAdmin()) {
      for (ServerName server : servers) {
        try {
          for (RegionMetrics m : admin.getRegionMetrics(server, table)) {
            sizes.put(m.getRegionName(), (long) m.getStoreFileSize().get(Size.Unit.BYTE));
          }
        } catch (IOException e) {
          LOG.info("Server {} does not tell how large its regions of {} are", server, table, e);
        }
      }
    }
    return sizes;
  }
}
