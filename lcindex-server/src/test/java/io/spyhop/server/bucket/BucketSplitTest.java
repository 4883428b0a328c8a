package io.spyhop.server.bucket;

import static io.spyhop.server.bucket.BucketedTwins.D;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.spyhop.client.RowOrder;
import io.spyhop.core.bucket.Bucket;
import io.spyhop.core.bucket.BucketKeys;
import io.spyhop.core.bucket.BucketOptions;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Regions of bucketed tables are split at borders of buckets, wherever the data lies. */
class BucketSplitTest {
  private static final BucketOptions TINY = BucketOptions.usual(1).withBits(3).withMaxSize(1);

  private final TestCluster cluster = TestCluster.get();

  private List<String> buckets(BucketedTwins twins) throws IOException {
    return twins.spyhop().buckets().buckets(twins.bucketedName()).stream()
        .map(b -> b.bucket().toString())
        .toList();
  }

  /** HBase looks whether a region is to be split when it has been compacted, among others. */
  private List<String> split(BucketedTwins twins) throws IOException {
    cluster.admin().majorCompact(twins.bucketedName());
    return buckets(twins);
  }

  /** All keys are in one bucket of three bits: the others stay as they came about, empty. */
  @Test
  void theMiddleOfTheDataIsNeverWhereItIsSplit() throws Exception {
    BucketKeys keys = TINY.keys();
    Bucket only = new Bucket(0b110, 3);
    try (BucketedTwins twins = new BucketedTwins(TINY)) {
      List<Put> puts = new ArrayList<>();
      for (int i = 0; puts.size() < 100; i++) {
        byte[] key = Bytes.toBytes("key" + i);
        if (only.holds(keys.stored(key))) {
          puts.add(new Put(key).addColumn(D, D, key));
        }
      }
      twins.both(
          t -> {
            t.put(puts);
            return true;
          });
      Regions.flush(cluster, twins.bucketedName());
      await("the splits of all that is too large")
          .atMost(Duration.ofSeconds(120))
          .pollInterval(Duration.ofSeconds(1))
          .untilAsserted(() -> assertThat(split(twins)).containsExactly("00", "010", "110", "1"));
      twins.scan(new Scan());
      assertThatThrownBy(() -> split(twins, only, null)).hasMessageContaining("split");
    }
  }

  @Test
  void othersDoNotSplitItElsewhere() throws Exception {
    BucketOptions large = TINY.withMaxSize(BucketOptions.DEFAULT_MAX_SIZE);
    try (BucketedTwins twins = new BucketedTwins(large)) {
      twins.both(
          t -> {
            t.put(new Put(D).addColumn(D, D, D));
            return true;
          });
      Regions.flush(cluster, twins.bucketedName());
      assertThatThrownBy(() -> split(twins, Bucket.whole(), Bytes.toBytes("k")))
          .hasMessageContaining("but at \\x80\\x00 alone, into two buckets");
      assertThat(buckets(twins)).containsExactly("*");
      allow(twins, false);
      assertThatThrownBy(() -> split(twins, Bucket.whole(), null)).isNotNull();
      assertThat(buckets(twins)).containsExactly("*");
      allow(twins, true);
      split(twins, Bucket.whole(), null);
      await("the split")
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(() -> assertThat(buckets(twins)).containsExactly("0", "1"));
      twins.scan(new Scan());
    }
  }

  /** The rest of a scan comes from the daughters. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void orderedScansGoOnInTheDaughters(boolean reversed) throws Exception {
    BucketOptions large = TINY.withMaxSize(BucketOptions.DEFAULT_MAX_SIZE);
    try (BucketedTwins twins = new BucketedTwins(large)) {
      twins.both(
          t -> {
            for (int i = 0; i < 60; i++) {
              t.put(new Put(Bytes.toBytes("key" + i)).addColumn(D, D, D));
            }
            return true;
          });
      Scan scan = new Scan().setCaching(2).setReversed(reversed);
      List<String> expected;
      try (Table plain = cluster.connection().getTable(twins.plainName())) {
        expected = BucketedTwins.rows(plain.getScanner(scan));
      }
      List<String> found = new ArrayList<>();
      try (ResultScanner rows = twins.bucketed().getScanner(scan)) {
        take(rows, 10, found);
        split(twins, Bucket.whole(), null);
        take(rows, 60, found);
      }
      assertThat(found).isEqualTo(expected);
    }
  }

  /** HBase's client goes on at a read point at which nothing is left of a row. */
  @ParameterizedTest
  @EnumSource(RowOrder.class)
  void rowsThatAreWrittenAgainMeanwhileAreNotMissed(RowOrder order) throws Exception {
    BucketOptions large = TINY.withMaxSize(BucketOptions.DEFAULT_MAX_SIZE);
    try (BucketedTwins twins = new BucketedTwins(large)) {
      TableName name = twins.bucketedName();
      List<Put> puts =
          IntStream.range(0, 60)
              .mapToObj(i -> new Put(Bytes.toBytes("key" + i)).addColumn(D, D, D))
              .toList();
      twins.bucketed().put(puts);
      Regions.flush(cluster, name);
      List<String> found = new ArrayList<>();
      try (ResultScanner rows = twins.bucketed().getScanner(new Scan().setCaching(2), order)) {
        take(rows, 5, found);
        twins.bucketed().put(puts);
        Regions.flush(cluster, name);
        split(twins, Bucket.whole(), null);
        cluster.admin().majorCompact(name);
        await("one HFile in each daughter")
            .atMost(Duration.ofSeconds(60))
            .until(
                () -> cluster.regions(name).get(0).getStoreFileList(new byte[][] {D}).size() == 1);
        take(rows, 60, found);
      }
      assertThat(found).hasSize(60).doesNotHaveDuplicates();
    }
  }

  private static void take(ResultScanner rows, int many, List<String> into) throws IOException {
    for (Result row : rows.next(many)) {
      into.add(BucketedTwins.text(row));
    }
  }

  private void allow(BucketedTwins twins, boolean splits) throws IOException {
    cluster
        .admin()
        .modifyTable(
            TableDescriptorBuilder.newBuilder(cluster.admin().getDescriptor(twins.bucketedName()))
                .setSplitEnabled(splits)
                .build());
  }

  private void split(BucketedTwins twins, Bucket bucket, byte[] row) throws Exception {
    RegionInfo region =
        cluster.regions(twins.bucketedName()).stream()
            .map(r -> r.getRegionInfo())
            .filter(r -> Bytes.equals(r.getStartKey(), bucket.start()))
            .findFirst()
            .orElseThrow();
    cluster.admin().splitRegionAsync(region.getRegionName(), row).get();
  }
}
