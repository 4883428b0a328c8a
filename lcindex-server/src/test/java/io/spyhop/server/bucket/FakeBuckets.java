package io.spyhop.server.bucket;

import io.spyhop.core.bucket.Bucket;
import io.spyhop.core.bucket.Directory;
import io.spyhop.core.protocol.Handover;
import io.spyhop.core.protocol.HandoverState;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;

/** A cluster of which servers and masters die where a test says. */
final class FakeBuckets implements BucketCluster {
  static final TableName TABLE = TableName.valueOf("orders");

  /** Moves that were made. */
  final List<Bucket> moved = Collections.synchronizedList(new ArrayList<>());

  /** How long was waited, each time. */
  final List<Duration> pauses = Collections.synchronizedList(new ArrayList<>());

  private final Map<Bucket, Place> places = new TreeMap<>();
  private final Set<ServerName> live = new HashSet<>();
  private final Set<ServerName> drained = new HashSet<>();
  private final List<Place> replicas = new ArrayList<>();
  private final Set<String> shipped = new HashSet<>();
  private final Set<String> held = new HashSet<>();
  private final Set<ServerName> unusable = new HashSet<>();
  private volatile boolean stopping;
  private long tables;

  /** Buckets of a new table, all on the first of some servers. */
  FakeBuckets(int buckets, List<ServerName> servers) {
    live.addAll(servers);
    create(buckets, servers.get(0));
  }

  /** The table comes, perhaps once more, with regions that no earlier one had. */
  synchronized void create(int buckets, ServerName server) {
    tables++;
    moved.clear();
    for (Bucket b : Directory.even(buckets).buckets()) {
      RegionInfo region =
          RegionInfoBuilder.newBuilder(TABLE)
              .setStartKey(b.start())
              .setEndKey(b.stop())
              .setRegionId(tables)
              .build();
      places.put(b, new Place(region, server));
    }
  }

  static ServerName server(int number) {
    return ServerName.valueOf("host" + number, 16020, 1);
  }

  static List<ServerName> servers(int count) {
    List<ServerName> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(server(i));
    }
    return all;
  }

  /** HBase opens its regions on another server. */
  synchronized void kill(ServerName server) {
    live.remove(server);
    ServerName heir = live.stream().sorted().findFirst().orElseThrow();
    places.replaceAll((b, p) -> p.server().equals(server) ? new Place(p.region(), heir) : p);
    replicas.replaceAll(p -> p.server().equals(server) ? new Place(p.region(), heir) : p);
    held.clear();
  }

  /** A server comes, in the place of one of the same address. */
  synchronized void start(ServerName server) {
    live.removeIf(s -> s.getAddress().equals(server.getAddress()));
    live.add(server);
  }

  /** The table is dropped. */
  synchronized void drop() {
    places.clear();
  }

  void stopping(boolean stops) {
    stopping = stops;
  }

  synchronized Map<ServerName, Integer> counts() {
    Map<ServerName, Integer> counts = new TreeMap<>();
    places.values().forEach(p -> counts.merge(p.server(), 1, Integer::sum));
    return counts;
  }

  synchronized Set<String> held() {
    return Set.copyOf(held);
  }

  @Override
  public synchronized Set<ServerName> live() {
    return Set.copyOf(live);
  }

  /** Regions are moved to it no more. */
  synchronized void drain(ServerName server) {
    drained.add(server);
  }

  /** It can keep no index files. */
  synchronized void spoil(ServerName server) {
    unusable.add(server);
  }

  synchronized void recommission(ServerName server) {
    drained.remove(server);
  }

  /** Each bucket has a replica beside it, on a server that has it, too. */
  synchronized void addReplicas() {
    for (Place p : places.values()) {
      replicas.add(new Place(RegionReplicaUtil.getRegionInfoForReplica(p.region(), 1), p.server()));
    }
  }

  @Override
  public synchronized Set<ServerName> open() {
    Set<ServerName> open = new HashSet<>(live);
    open.removeAll(drained);
    return open;
  }

  @Override
  public synchronized List<Place> replicas(TableName table) {
    return List.copyOf(replicas);
  }

  @Override
  public Set<TableName> tables() {
    return Set.of(TABLE);
  }

  @Override
  public synchronized Map<Bucket, Place> places(TableName table) throws IOException {
    if (places.isEmpty()) {
      throw new TableNotFoundException(table);
    }
    return new TreeMap<>(places);
  }

  @Override
  public synchronized HandoverState receive(ServerName to, Handover region) throws IOException {
    requireLive(to);
    requireLive(region.from());
    if (unusable.contains(to)) {
      shipped.add(region.region() + to);
      return new HandoverState(false, 0, 0, 2, HandoverState.UNUSABLE);
    }
    return new HandoverState(false, shipped.add(region.region() + to) ? 2 : 0, 10, 0, "");
  }

  @Override
  public synchronized void hold(Handover region) throws IOException {
    requireLive(region.from());
    if (region.holdMillis() > 0) {
      held.add(region.region());
    } else if (region.holdMillis() < 0) {
      held.remove(region.region());
    }
  }

  @Override
  public synchronized void move(Place from, ServerName to) throws IOException {
    requireLive(to);
    if (drained.contains(to)) {
      throw new IOException(to + " takes no regions");
    }
    if (replicas.remove(from)) {
      replicas.add(new Place(from.region(), to));
      return;
    }
    String region = from.region().getEncodedName();
    if (!shipped.contains(region + to)) {
      throw new AssertionError(region + " is moved without its files");
    }
    for (Map.Entry<Bucket, Place> e : places.entrySet()) {
      if (e.getValue().equals(from)) {
        e.setValue(new Place(from.region(), to));
        moved.add(e.getKey());
        held.remove(region);
        return;
      }
    }
    throw new IOException(region + " is elsewhere");
  }

  private void requireLive(ServerName server) throws IOException {
    if (!live.contains(server)) {
      throw new IOException(server + " is dead");
    }
  }

  @Override
  public boolean isStopping() {
    return stopping;
  }

  /** Time flies. */
  @Override
  public void pause(Duration time, CountDownLatch event) throws IOException {
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException("stopped");
    }
    pauses.add(time);
  }
}
