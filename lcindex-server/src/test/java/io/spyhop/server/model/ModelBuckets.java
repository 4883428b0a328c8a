package io.spyhop.server.model;

import io.spyhop.client.BucketAdmin;
import io.spyhop.client.Spyhop;
import io.spyhop.core.bucket.Bucket;
import io.spyhop.core.bucket.BucketOptions;
import io.spyhop.core.bucket.Directory;
import io.spyhop.core.bucket.Rebalance;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.awaitility.Awaitility;

/** The buckets of the model's table, if it has any, and what differs then. */
final class ModelBuckets implements AutoCloseable {
  /** Of a rebalance, for each server that has buckets then but one. */
  private static final Duration PAUSE = Duration.ofMillis(100);

  private static final int MOST_BITS = 4;

  private Optional<BucketOptions> options;
  private final TestCluster cluster;
  private final TableName name;
  private final Spyhop spyhop;

  /** The share of the model's tables that have buckets. */
  enum Share {
    NONE,
    SOME,
    ALL;

    /** Drawn for a seed; beside what the seed draws otherwise, which is the same either way. */
    Optional<BucketOptions> draw(long seed) {
      Random r = new Random(~seed);
      r.nextInt();
      if (this == NONE || this == SOME && r.nextInt(3) > 0) {
        return Optional.empty();
      }
      return Optional.of(ModelBuckets.draw(r));
    }
  }

  private static BucketOptions draw(Random r) {
    int bits = 1 + r.nextInt(MOST_BITS);
    return BucketOptions.usual(1 << r.nextInt(Math.min(bits, 2) + 1)).withBits(bits);
  }

  ModelBuckets(Optional<BucketOptions> options, TestCluster cluster, TableName name)
      throws IOException {
    this.options = options;
    this.cluster = cluster;
    this.name = name;
    this.spyhop = Spyhop.connect(cluster.connection());
  }

  boolean isPresent() {
    return options.isPresent();
  }

  void createTable(TableDescriptor table) throws IOException {
    if (options.isPresent()) {
      spyhop.buckets().create(table, options.get());
    } else {
      cluster.admin().createTable(table, Operation.splits());
    }
  }

  /**
   * The same with another life, and now and then with other buckets: handles of the one before are
   * kept, and have to answer all the same.
   */
  void createTableAgain(TableDescriptor same, Random r) throws IOException {
    TableDescriptor table = same;
    if (isPresent() && r.nextBoolean()) {
      options = Optional.of(draw(r));
      table =
          TableDescriptorBuilder.newBuilder(same)
              .setValue(BucketOptions.KEY, options.get().text())
              .build();
    }
    byte[][] splits =
        options.map(o -> Directory.even(o.initial()).splitKeys()).orElseGet(Operation::splits);
    cluster.admin().createTable(table, splits.length == 0 ? null : splits);
  }

  /** The table as its users have it. */
  Table open() throws IOException {
    return spyhop.open(name);
  }

  /** The row as it is stored. */
  byte[] stored(byte[] row) {
    return options.map(o -> o.keys().stored(row)).orElse(row);
  }

  /** Where a region, drawn from all, can be split; empty if it is as deep as can be. */
  Optional<byte[]> border(List<RegionInfo> regions, Random r) {
    RegionInfo region = regions.get(r.nextInt(regions.size()));
    return Bucket.ofRange(region.getStartKey(), region.getEndKey())
        .filter(b -> b.depth() < options.orElseThrow().bits())
        .map(Bucket::middle);
  }

  /** Leaves the buckets to some of the servers, one of them or all, and takes them from others. */
  void rebalance(Random r) throws IOException {
    List<ServerName> servers = new ArrayList<>(cluster.admin().getRegionServers());
    servers.sort(null);
    Collections.shuffle(servers, r);
    BucketAdmin admin = spyhop.buckets();
    List<ServerName> some = servers.subList(0, 1 + r.nextInt(servers.size()));
    admin.rebalance(name, new HashSet<>(some), PAUSE.multipliedBy(some.size() - 1), move -> {});
  }

  /**
   * Begins one that would pause for long, now and then, and waits for its first move. Done when it
   * has ended, however it did.
   */
  CompletableFuture<?> rebalanceBeside(Random r) throws IOException {
    if (!isPresent() || r.nextBoolean()) {
      return CompletableFuture.completedFuture(null);
    }
    List<ServerName> servers = new ArrayList<>(cluster.admin().getRegionServers());
    Set<ServerName> one = Set.of(servers.get(r.nextInt(servers.size())));
    CountDownLatch first = new CountDownLatch(1);
    CompletableFuture<?> ended =
        CompletableFuture.runAsync(() -> moveSlowly(one, first))
            .whenComplete((x, e) -> first.countDown());
    Awaitility.await("the first bucket to move")
        .atMost(Duration.ofMinutes(1))
        .until(() -> first.getCount() == 0);
    return ended;
  }

  private void moveSlowly(Set<ServerName> staying, CountDownLatch first) {
    try {
      spyhop.buckets().rebalance(name, staying, Rebalance.MOST_PAUSE, move -> first.countDown());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    spyhop.close();
  }

  @Override
  public String toString() {
    return options.map(BucketOptions::text).orElse("no buckets");
  }
}
