package io.spyhop.server.bucket;

import io.spyhop.core.bucket.Bucket;
import io.spyhop.core.bucket.BucketOptions;
import io.spyhop.core.io.Interruption;
import io.spyhop.core.protocol.Handover;
import io.spyhop.core.protocol.HandoverState;
import io.spyhop.core.protocol.Question;
import io.spyhop.core.protocol.ServerCalls;
import io.spyhop.server.ddl.SystemConnection;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableState;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.master.RegionPlan;
import org.apache.hadoop.hbase.master.RegionState;
import org.apache.hadoop.hbase.master.assignment.RegionStates;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The cluster of a master. Thread-safe. */
final class MasterCluster implements BucketCluster {
  private static final Logger LOG = LoggerFactory.getLogger(MasterCluster.class);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final MasterServices master;
  private final SystemConnection connection;

  MasterCluster(MasterServices master, SystemConnection connection) {
    this.master = master;
    this.connection = connection;
  }

  @Override
  public Set<ServerName> live() {
    return Set.copyOf(master.getServerManager().getOnlineServersList());
  }

  @Override
  public Set<ServerName> open() {
    Set<ServerName> open = new TreeSet<>(live());
    open.removeAll(master.getServerManager().getDrainingServersList());
    return open;
  }

  @Override
  public Set<TableName> tables() throws IOException {
    Set<TableName> tables = new TreeSet<>();
    for (TableDescriptor table : master.getTableDescriptors().getAll().values()) {
      TableName name = table.getTableName();
      if (table.getValue(BucketOptions.KEY) != null
          && master.getTableStateManager().isTableState(name, TableState.State.ENABLED)) {
        tables.add(name);
      }
    }
    return tables;
  }

  @Override
  public Map<Bucket, Place> places(TableName table) throws IOException {
    TableDescriptor descriptor = master.getTableDescriptors().get(table);
    if (descriptor == null) {
      throw new TableNotFoundException(table);
    }
    if (descriptor.getValue(BucketOptions.KEY) == null) {
      throw new DoNotRetryIOException(
          "table '" + table + "' has no buckets: a table gets them when it is created");
    }
    if (master
        .getTableStateManager()
        .isTableState(table, TableState.State.DISABLED, TableState.State.DISABLING)) {
      throw new DoNotRetryIOException(
          "table '" + table + "' is disabled, and its buckets are on no server: enable it first");
    }
    Set<ServerName> live = live();
    RegionStates states = master.getAssignmentManager().getRegionStates();
    Map<Bucket, Place> places = new TreeMap<>();
    for (RegionInfo region : states.getRegionsOfTable(table)) {
      RegionState state = states.getRegionState(region);
      boolean counts =
          RegionReplicaUtil.isDefaultReplica(region)
              && state != null
              && !state.isSplit()
              && !state.isMerged();
      if (counts) {
        places.put(bucket(table, region), place(table, region, state, live));
      }
    }
    return places;
  }

  @Override
  public List<Place> replicas(TableName table) {
    Set<ServerName> live = live();
    RegionStates states = master.getAssignmentManager().getRegionStates();
    List<Place> replicas = new ArrayList<>();
    for (RegionInfo region : states.getRegionsOfTable(table)) {
      RegionState state = states.getRegionState(region);
      if (!RegionReplicaUtil.isDefaultReplica(region)
          && state != null
          && state.isOpened()
          && live.contains(state.getServerName())) {
        replicas.add(new Place(region, state.getServerName()));
      }
    }
    return replicas;
  }

  private static Bucket bucket(TableName table, RegionInfo region) throws DoNotRetryIOException {
    return Bucket.ofRange(region.getStartKey(), region.getEndKey())
        .orElseThrow(
            () ->
                new DoNotRetryIOException(
                    "table '"
                        + table
                        + "': region "
                        + region.getEncodedName()
                        + " is no bucket: it was split or merged by hand"));
  }

  private static Place place(
      TableName table, RegionInfo region, RegionState state, Set<ServerName> live)
      throws IOException {
    if (!state.isOpened() || !live.contains(state.getServerName())) {
      throw new IOException(
          "table '"
              + table
              + "': bucket "
              + bucket(table, region)
              + " is on no server now; try again when HBase has opened it");
    }
    return new Place(region, state.getServerName());
  }

  @Override
  public HandoverState receive(ServerName to, Handover region) throws IOException {
    return HandoverState.decode(ask(to, Question.RECEIVE, region));
  }

  @Override
  public void hold(Handover region) throws IOException {
    ask(region.from(), Question.HOLD, region);
  }

  /** What a server refuses for good it may not when it has been started again. */
  private byte[] ask(ServerName server, Question question, Handover region) throws IOException {
    try (Admin admin = connection.get().getAdmin()) {
      return ServerCalls.ask(admin.coprocessorService(server), question, region.encode());
    } catch (DoNotRetryIOException e) {
      throw new IOException(server + ": " + e.getMessage(), e);
    }
  }

  @Override
  public void move(Place from, ServerName to) throws IOException {
    RegionPlan plan = new RegionPlan(from.region(), from.server(), to);
    String what = "region " + from.region().getEncodedName() + " to " + to;
    try {
      Future<byte[]> moved = master.getAssignmentManager().moveAsync(plan);
      moved.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (DoNotRetryIOException | ExecutionException e) {
      throw new IOException("cannot move " + what + ": " + e, e);
    } catch (TimeoutException e) {
      throw new IOException(what + " takes longer than " + PATIENCE.toSeconds() + " s", e);
    } catch (InterruptedException e) {
      throw stopped(what, e);
    }
    RegionState state =
        master.getAssignmentManager().getRegionStates().getRegionState(from.region());
    if (state == null || !state.isOpened() || !to.equals(state.getServerName())) {
      throw new IOException("cannot move " + what + ": it is " + state);
    }
  }

  @Override
  public boolean isStopping() {
    return master.isStopping() || master.isStopped() || master.isAborted();
  }

  @Override
  public void pause(Duration time, CountDownLatch event) throws IOException {
    try {
      boolean happened = event.await(time.toMillis(), TimeUnit.MILLISECONDS);
      LOG.debug("Waited, and {}", happened ? "something happened" : "nothing happened");
    } catch (InterruptedException e) {
      throw stopped("a rebalance", e);
    }
  }

  private static InterruptedIOException stopped(String what, InterruptedException e) {
    return Interruption.of(what + ": this master stops", e);
  }
}
