package io.spyhop.server.bucket;

import static io.spyhop.server.bucket.BucketedTwins.D;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.spyhop.client.BucketAdmin;
import io.spyhop.client.BucketInfo;
import io.spyhop.client.Spyhop;
import io.spyhop.core.bucket.BucketOptions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;

/**
 * A rebalance that pauses ends with its table, and one of the same name is none of its business.
 */
class RebalanceRebornTest {
  private static final TableName TABLE = TableName.valueOf("reborn");
  private static final BucketOptions OPTIONS = BucketOptions.usual(8).withBits(4);

  /** Longer than it takes to drop a table and to create another. */
  private static final Duration PAUSE = Duration.ofSeconds(30);

  private final TestCluster cluster = TestCluster.get();

  /** A change of the table while the rebalance pauses. */
  private interface Change {
    void make(BucketAdmin buckets) throws IOException;
  }

  private static void create(BucketAdmin buckets) throws IOException {
    TableDescriptor table =
        TableDescriptorBuilder.newBuilder(TABLE)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(D))
            .build();
    buckets.create(table, OPTIONS);
  }

  private void drop() throws IOException {
    cluster.admin().disableTable(TABLE);
    cluster.admin().deleteTable(TABLE);
  }

  /** Of the buckets that are open. */
  private static List<ServerName> servers(BucketAdmin buckets) throws IOException {
    return buckets.buckets(TABLE).stream()
        .map(BucketInfo::server)
        .flatMap(Optional::stream)
        .toList();
  }

  @Test
  void droppedAndCreated() throws Exception {
    check(
        buckets -> {
          drop();
          create(buckets);
        });
  }

  @Test
  void truncated() throws Exception {
    check(
        buckets -> {
          cluster.admin().disableTable(TABLE);
          cluster.admin().truncateTable(TABLE, true);
        });
  }

  private void check(Change change) throws Exception {
    try (Spyhop spyhop = Spyhop.connect(cluster.connection())) {
      BucketAdmin buckets = spyhop.buckets();
      create(buckets);
      Set<ServerName> all = Set.copyOf(cluster.admin().getRegionServers());
      ServerName one = all.iterator().next();
      buckets.rebalance(TABLE, Set.of(one), Duration.ZERO, m -> {});
      AtomicInteger moved = new AtomicInteger();
      CompletableFuture<?> first =
          CompletableFuture.runAsync(
              () -> {
                try {
                  buckets.rebalance(TABLE, all, PAUSE, m -> moved.incrementAndGet());
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      await().atMost(Duration.ofMinutes(1)).until(() -> moved.get() > 0);
      change.make(buckets);
      assertThatThrownBy(first::join).isInstanceOf(CompletionException.class);
      List<ServerName> before = servers(buckets);
      cluster.admin().split(TABLE, buckets.buckets(TABLE).get(0).bucket().middle());
      await().atMost(Duration.ofMinutes(1)).until(() -> servers(buckets).size() == 9);
      assertThat(servers(buckets)).as("not moved").containsAll(before);
      buckets.rebalance(TABLE, Set.of(one), Duration.ZERO, m -> {});
      assertThat(servers(buckets)).hasSize(9).containsOnly(one);
    } finally {
      drop();
    }
  }
}
