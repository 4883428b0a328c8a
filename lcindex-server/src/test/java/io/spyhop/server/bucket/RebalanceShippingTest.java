package io.spyhop.server.bucket;

import static io.spyhop.server.bucket.BucketedTwins.D;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spyhop.client.BucketAdmin;
import io.spyhop.client.Query;
import io.spyhop.client.RowCursor;
import io.spyhop.core.bucket.BucketOptions;
import io.spyhop.core.protocol.RebalanceState;
import io.spyhop.core.protocol.RebalanceState.Phase;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.junit.jupiter.api.Test;

/** Buckets that move have their index files where they go, and lose no write. */
class RebalanceShippingTest {
  private static final BucketOptions OPTIONS = BucketOptions.usual(4).withBits(4);
  private static final int ROWS = 300;

  private final TestCluster cluster = TestCluster.get();

  private RebalanceState noted(TableName table) throws IOException {
    Path root = CommonFSUtils.getRootDir(cluster.util().getConfiguration());
    return new RebalanceJournal(cluster.util().getTestFileSystem(), root).read(table).orElseThrow();
  }

  private static List<Put> puts(int from, int to) {
    List<Put> puts = new ArrayList<>();
    for (int i = from; i < to; i++) {
      byte[] value = Bytes.toBytes((long) i % 20);
      puts.add(new Put(Bytes.toBytes("row" + i)).addColumn(D, Bytes.toBytes("l"), value));
    }
    return puts;
  }

  private static void put(BucketedTwins twins, int from, int to) throws Exception {
    twins.both(
        t -> {
          t.put(puts(from, to));
          return true;
        });
  }

  @Test
  void aBucketTakesItsIndexAlong() throws Exception {
    try (BucketedTwins twins = new BucketedTwins(OPTIONS)) {
      TableName table = twins.bucketedName();
      IndexDefinition index =
          IndexDefinition.builder("l")
              .kind(IndexKind.LOCAL)
              .column("d:l")
              .type(ValueType.LONG)
              .build();
      twins.spyhop().admin().createIndexes(table, List.of(index));
      put(twins, 0, ROWS);
      Regions.flush(cluster, table);
      twins.spyhop().admin().waitUntilActive(table, Duration.ofMinutes(1));
      put(twins, ROWS, 2 * ROWS);
      BucketAdmin admin = twins.spyhop().buckets();
      List<ServerName> all = cluster.admin().getRegionServers().stream().sorted().toList();
      for (ServerName server : all) {
        admin.rebalance(table, Set.of(server), Duration.ZERO, m -> {});
        RebalanceState state = noted(table);
        assertThat(state.phase()).isEqualTo(Phase.DONE);
        assertThat(state.moves())
            .allSatisfy(
                m -> {
                  assertThat(m.to()).isEqualTo(server);
                  assertThat(m.missing()).isZero();
                });
        // Where a bucket was a moment ago its files are still there.
        assertThat(state.moves()).anySatisfy(m -> assertThat(m.bytes()).isPositive());
        twins.scan(new Scan());
        answersFromTheIndex(twins);
      }
    }
  }

  /** What the memstore had was flushed before, so that nothing is left to scan. */
  private void answersFromTheIndex(BucketedTwins twins) throws IOException {
    Query query = Query.where("l = 7").hint("l");
    await("the files that are there to be taken")
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(
            () ->
                assertThat(
                        twins.spyhop().table(twins.bucketedName()).explainAnalyze(query).toText())
                    .doesNotContain("scan"));
    try (RowCursor rows = twins.spyhop().table(twins.bucketedName()).query(query)) {
      List<String> found = new ArrayList<>();
      rows.forEach(r -> found.add(Bytes.toString(r.getRow())));
      assertThat(found).hasSize(2 * ROWS / 20);
    }
  }

  /** Writes that are held up for a moment are all there afterwards. */
  @Test
  void writesGoOn() throws Exception {
    try (BucketedTwins twins = new BucketedTwins(OPTIONS)) {
      TableName table = twins.bucketedName();
      AtomicBoolean over = new AtomicBoolean();
      List<String> written = new ArrayList<>();
      CompletableFuture<Void> writer =
          CompletableFuture.runAsync(
              () -> {
                for (int i = 0; !over.get(); i++) {
                  Put put = puts(i, i + 1).get(0);
                  try {
                    twins.bucketed().put(put);
                  } catch (IOException e) {
                    throw new AssertionError("row " + i, e);
                  }
                  written.add(Bytes.toString(put.getRow()));
                }
              });
      BucketAdmin admin = twins.spyhop().buckets();
      Set<ServerName> all = Set.copyOf(cluster.admin().getRegionServers());
      ServerName one = all.iterator().next();
      admin.rebalance(table, Set.of(one), Duration.ZERO, m -> {});
      admin.rebalance(table, all, Duration.ZERO, m -> {});
      over.set(true);
      writer.join();
      assertThat(written).hasSizeGreaterThan(10);
      List<Get> gets = written.stream().map(r -> new Get(Bytes.toBytes(r))).toList();
      assertThat(List.of(twins.bucketed().get(gets))).noneMatch(r -> r.isEmpty());
      assertThat(noted(table).moves().stream().map(m -> m.blockedMillis()).toList())
          .allMatch(ms -> ms < RebalanceRun.HOLD.toMillis());
      assertThat(noted(table).phase()).isEqualTo(Phase.DONE);
    }
  }
}
