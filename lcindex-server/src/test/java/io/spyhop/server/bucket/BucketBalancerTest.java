package io.spyhop.server.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spyhop.client.BucketInfo;
import io.spyhop.client.Spyhop;
import io.spyhop.core.bucket.BucketOptions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** HBase's balancer moves what it has always moved, and buckets are moved by rebalances. */
class BucketBalancerTest {
  private static final TableName BUCKETED = TableName.valueOf("bucketed");
  private static final TableName PLAIN = TableName.valueOf("plain");
  private static final int REGIONS = 12;
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private static TestCluster cluster;

  @BeforeAll
  static void start() {
    cluster =
        TestCluster.start(
            2,
            conf -> {
              conf.set("hbase.master.loadbalancer.class", BucketBalancer.class.getName());
              conf.setFloat("hbase.master.balancer.stochastic.minCostNeedBalance", 0.01f);
            });
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  private static TableDescriptor descriptor(TableName name) {
    return TableDescriptorBuilder.newBuilder(name)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
        .build();
  }

  private static Map<ServerName, Long> buckets(Spyhop spyhop) throws IOException {
    return spyhop.buckets().buckets(BUCKETED).stream()
        .map(BucketInfo::server)
        .collect(Collectors.groupingBy(s -> s.orElseThrow(), Collectors.counting()));
  }

  private static int regions(TableName table, ServerName server) throws IOException {
    return (int)
        cluster.admin().getRegions(server).stream().filter(r -> r.getTable().equals(table)).count();
  }

  @Test
  void eachMovesItsOwn() throws Exception {
    try (Spyhop spyhop = Spyhop.connect(cluster.connection())) {
      List<ServerName> servers = new ArrayList<>(cluster.admin().getRegionServers());
      ServerName one = servers.get(0);
      spyhop.buckets().create(descriptor(BUCKETED), BucketOptions.usual(4));
      byte[] last = Bytes.toBytes("z");
      cluster.admin().createTable(descriptor(PLAIN), Bytes.toBytes("a"), last, REGIONS);
      List<RegionInfo> all = cluster.admin().getRegions(PLAIN);
      for (RegionInfo region : all) {
        cluster.admin().move(region.getEncodedNameAsBytes(), one);
      }
      for (RegionInfo region : cluster.admin().getRegions(BUCKETED)) {
        cluster.admin().move(region.getEncodedNameAsBytes(), one);
      }
      assertThat(buckets(spyhop)).isEqualTo(Map.of(one, 4L));

      await("both to be even")
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(500))
          .untilAsserted(
              () -> {
                cluster.admin().balance();
                assertThat(buckets(spyhop).values()).containsExactly(2L, 2L);
                assertThat(regions(PLAIN, one)).isBetween(3, 9);
              });

      await("the balancer's own rebalance to end")
          .atMost(PATIENCE)
          .ignoreExceptionsMatching(e -> e.getMessage().contains("is being rebalanced"))
          .untilAsserted(
              () -> spyhop.buckets().rebalance(BUCKETED, Set.of(one), Duration.ZERO, move -> {}));
      cluster.admin().balance();
      assertThat(spyhop.buckets().rebalance(BUCKETED, Set.of(one), Duration.ZERO, move -> {}))
          .as("nothing has begun, and what was asked for stays")
          .isEmpty();
      assertThat(buckets(spyhop)).isEqualTo(Map.of(one, 4L));
    }
  }
}
