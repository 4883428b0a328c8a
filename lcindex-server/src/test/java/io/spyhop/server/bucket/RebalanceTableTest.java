package io.spyhop.server.bucket;

import static io.spyhop.server.bucket.BucketedTwins.D;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.spyhop.client.BucketAdmin;
import io.spyhop.client.BucketInfo;
import io.spyhop.client.Diagnosis.Finding;
import io.spyhop.client.SpyhopNotInstalledException;
import io.spyhop.core.bucket.BucketOptions;
import io.spyhop.core.bucket.Rebalance;
import io.spyhop.core.bucket.Rebalance.Move;
import io.spyhop.core.protocol.RebalanceState;
import io.spyhop.core.protocol.RebalanceState.Phase;
import io.spyhop.server.testing.ServerWithoutSpyhop;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Buckets go to servers that come, and leave those that go. */
class RebalanceTableTest {
  private final TestCluster cluster = TestCluster.get();

  private static Map<ServerName, Long> counts(BucketAdmin admin, BucketedTwins twins)
      throws IOException {
    return admin.buckets(twins.bucketedName()).stream()
        .map(BucketInfo::server)
        .collect(Collectors.groupingBy(s -> s.orElseThrow(), Collectors.counting()));
  }

  @Test
  void serversGoAndCome() throws Exception {
    BucketOptions options = BucketOptions.usual(8).withBits(4);
    try (BucketedTwins twins = new BucketedTwins(options)) {
      fill(twins);
      BucketAdmin admin = twins.spyhop().buckets();
      Set<ServerName> all = admin.servers(twins.bucketedName(), List.of(), List.of());
      assertThat(all).hasSizeGreaterThanOrEqualTo(3);
      rebalance(twins, all);
      ServerName gone = all.iterator().next();
      Set<ServerName> others = admin.servers(twins.bucketedName(), List.of(), List.of(gone));
      long held = counts(admin, twins).getOrDefault(gone, 0L);
      assertThat(others).doesNotContain(gone);
      assertThat(rebalance(twins, others)).hasSize((int) held);
      assertThat(counts(admin, twins)).doesNotContainKey(gone);
      assertThat(rebalance(twins, all)).hasSize(8 / all.size()).allMatch(m -> m.to().equals(gone));
      assertThat(counts(admin, twins).values()).allMatch(n -> n >= 8 / all.size());
      assertThatThrownBy(() -> admin.servers(twins.bucketedName(), List.of(gone), List.of(gone)))
          .hasMessageContaining("both added and removed");
      ServerName nobody = ServerName.valueOf("nowhere.example", 16020, 1);
      assertThatThrownBy(() -> admin.plan(twins.bucketedName(), Set.of(nobody)))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining("is not there");
      assertThatThrownBy(() -> admin.plan(twins.plainName(), all))
          .hasMessageContaining("has no buckets");
    }
  }

  /** The dry run is what the master would do, and what begins without names leaves them out. */
  @Test
  void aDecommissionedServerIsNotPlannedFor() throws Exception {
    BucketOptions options = BucketOptions.usual(8).withBits(4);
    try (BucketedTwins twins = new BucketedTwins(options)) {
      BucketAdmin admin = twins.spyhop().buckets();
      Set<ServerName> all = admin.servers(twins.bucketedName(), List.of(), List.of());
      rebalance(twins, all);
      ServerName drained = all.iterator().next();
      cluster.admin().decommissionRegionServers(List.of(drained), false);
      try {
        Set<ServerName> others = admin.servers(twins.bucketedName(), List.of(), List.of());
        assertThat(others).hasSize(all.size() - 1).doesNotContain(drained);
        ServerName other = others.iterator().next();
        assertThat(admin.servers(twins.bucketedName(), List.of(), List.of(other)))
            .doesNotContain(drained, other);
        assertThatThrownBy(() -> admin.plan(twins.bucketedName(), all))
            .hasMessageContaining("server " + drained + " is decommissioned");
        assertThat(rebalance(twins, others)).isNotEmpty();
        assertThat(counts(admin, twins)).doesNotContainKey(drained);
      } finally {
        cluster.admin().recommissionRegionServer(drained, List.of());
      }
    }
  }

  /** By callers that have not begun it. */
  @Test
  void aRebalanceIsSeenJoinedAndStopped() throws Exception {
    BucketOptions options = BucketOptions.usual(8).withBits(4);
    try (BucketedTwins twins = new BucketedTwins(options)) {
      TableName table = twins.bucketedName();
      BucketAdmin admin = twins.spyhop().buckets();
      assertThat(admin.lastRebalance(table)).isEmpty();
      Set<ServerName> all = admin.servers(table, List.of(), List.of());
      rebalance(twins, all);
      assertThat(admin.lastRebalance(table).orElseThrow().phase()).isEqualTo(Phase.DONE);
      Set<ServerName> one = Set.of(all.iterator().next());
      CountDownLatch first = new CountDownLatch(1);
      CompletableFuture<Throwable> began =
          CompletableFuture.supplyAsync(
              () ->
                  catchThrowable(
                      () ->
                          admin.rebalance(
                              table, one, Rebalance.MOST_PAUSE, move -> first.countDown())));
      first.await();
      RebalanceState running = admin.lastRebalance(table).orElseThrow();
      assertThat(running.phase().isOpen()).isTrue();
      CompletableFuture<Throwable> joined =
          CompletableFuture.supplyAsync(
              () -> catchThrowable(() -> admin.follow(running.request(), move -> {})));
      RebalanceState stopped = admin.stop(running.request());
      assertThat(stopped.phase()).isEqualTo(Phase.STOPPED);
      assertThat(stopped.moves())
          .hasSize(1)
          .allMatch(m -> m.move().to().equals(one.iterator().next()));
      for (CompletableFuture<Throwable> waiting : List.of(began, joined)) {
        assertThat(waiting.get()).hasMessageContaining("the rebalance was stopped after 1 moves");
      }
      assertThat(admin.lastRebalance(table)).contains(stopped);
      twins.scan(new Scan());
    }
  }

  @Test
  void theDoctorNamesOneThatWasGivenUp() throws Exception {
    try (BucketedTwins twins = new BucketedTwins(BucketOptions.usual(8))) {
      TableName table = twins.bucketedName();
      BucketAdmin admin = twins.spyhop().buckets();
      Set<ServerName> one = Set.of(admin.servers(table, List.of(), List.of()).iterator().next());
      CountDownLatch first = new CountDownLatch(1);
      CompletableFuture<Throwable> began =
          CompletableFuture.supplyAsync(
              () ->
                  catchThrowable(
                      () ->
                          admin.rebalance(
                              table, one, Duration.ofSeconds(15), move -> first.countDown())));
      first.await();
      assertThat(findings(twins)).noneMatch(f -> f.what().contains("rebalance"));
      cluster.admin().disableTable(table);
      assertThat(began.get()).hasMessageContaining("the rebalance was given up");
      cluster.admin().enableTable(table);
      assertThat(findings(twins))
          .filteredOn(f -> f.where().equals("table " + table))
          .singleElement()
          .satisfies(
              f -> {
                assertThat(f.what()).contains("its last rebalance was given up after ", "disabled");
                assertThat(f.remedy()).contains("spyhop rebalance " + table + " --status");
              });
    }
  }

  private static List<Finding> findings(BucketedTwins twins) throws IOException {
    return twins.spyhop().admin().diagnose().findings();
  }

  /** Where a server has not Spyhop a bucket's region would not open. */
  @Test
  void aServerWithoutSpyhopGetsNoBucket() throws Exception {
    BucketOptions options = BucketOptions.usual(4).withBits(4);
    try (BucketedTwins twins = new BucketedTwins(options);
        ServerWithoutSpyhop without = new ServerWithoutSpyhop(cluster)) {
      BucketAdmin admin = twins.spyhop().buckets();
      Map<ServerName, Long> before = counts(admin, twins);
      Set<ServerName> asked =
          admin.servers(twins.bucketedName(), List.of(without.name()), List.of());
      assertThatThrownBy(
              () -> admin.rebalance(twins.bucketedName(), asked, Duration.ZERO, move -> {}))
          .isInstanceOf(SpyhopNotInstalledException.class)
          .hasMessageContaining(without.name().toString());
      assertThat(counts(admin, twins)).isEqualTo(before);
    }
  }

  private Collection<Move<ServerName>> rebalance(BucketedTwins twins, Set<ServerName> staying)
      throws IOException {
    BucketAdmin admin = twins.spyhop().buckets();
    List<Move<ServerName>> plan = admin.plan(twins.bucketedName(), staying).buckets();
    List<Move<ServerName>> told = new ArrayList<>();
    assertThat(admin.rebalance(twins.bucketedName(), staying, Duration.ZERO, told::add))
        .isEqualTo(plan)
        .isEqualTo(told);
    assertThat(admin.plan(twins.bucketedName(), staying).isEmpty()).isTrue();
    twins.scan(new Scan());
    assertThat(cluster.admin().getRegionServers()).containsAll(staying);
    return plan;
  }

  private static void fill(BucketedTwins twins) throws Exception {
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      byte[] key = Bytes.toBytes("key" + i);
      puts.add(new Put(key).addColumn(D, D, key));
    }
    twins.both(
        t -> {
          t.put(puts);
          return true;
        });
  }
}
