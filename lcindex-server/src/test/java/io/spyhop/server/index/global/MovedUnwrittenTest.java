package io.spyhop.server.index.global;

import static io.spyhop.server.testing.GlobalFixture.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spyhop.core.global.Entry;
import io.spyhop.server.testing.GlobalFixture;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/**
 * A region that was opened after a crash and moved before it was written: the number that its
 * server says it moved with is less than the one it was opened with, and HBase's asynchronous
 * client takes that for old news.
 */
class MovedUnwrittenTest {
  private static final TestCluster CLUSTER = TestCluster.get();
  private static final long DEADLINE = 1_000;
  private static final byte[] FIRST_ENTRY = {0x01};

  private static void move(RegionInfo region, ServerName to) throws IOException {
    CLUSTER.admin().move(region.getEncodedNameAsBytes(), to);
    await("the move")
        .atMost(Duration.ofSeconds(30))
        .ignoreExceptions()
        .until(() -> CLUSTER.admin().getRegions(to).contains(region));
  }

  /** Where a log was replayed, what was flushed then counts, not what the region opened with. */
  private static void moveAsAfterCrash(GlobalFixture t, RegionInfo region, ServerName to)
      throws Exception {
    HRegion open = CLUSTER.regions(t.indexName()).get(0);
    Field flushed = HRegion.class.getDeclaredField("maxFlushedSeqId");
    flushed.setAccessible(true);
    flushed.setLong(open, open.getOpenSeqNum() - 1);
    move(region, to);
  }

  private static Put entry(GlobalFixture t, long value) {
    byte[] key = t.definition().type().codec().key(Bytes.toBytes(value), 0, Long.BYTES).bytes();
    return new Entry(key, Bytes.toBytes("r"), 1).put(false);
  }

  @Test
  void isFoundAgain() throws Exception {
    Admin admin = CLUSTER.admin();
    try (GlobalFixture t = new GlobalFixture();
        IndexWriter writer =
            new IndexWriter(
                CLUSTER.util().getConfiguration(),
                User.getCurrent(),
                DEADLINE,
                new LocalIndexRegions(r -> false, r -> {}),
                new GlobalMetrics(
                    MetricRegistries.global()
                        .create(
                            new MetricRegistryInfo("moved", "moved", "moved", "moved", false))));
        IndexReader reader =
            new IndexReader(CLUSTER.util().getConfiguration(), User.getCurrent())) {
      t.write(put("a", 1));
      t.awaitBuilt();
      RegionInfo region = admin.getRegions(t.indexName()).get(0);
      List<ServerName> servers = List.copyOf(admin.getRegionServers());
      move(region, servers.get(0));
      assertThat(reader.read(t.indexName(), ControlRows.scan())).isNotEmpty();
      moveAsAfterCrash(t, region, servers.get(1));
      int value = 7;
      await("a write")
          .atMost(Duration.ofSeconds(20))
          .ignoreExceptions()
          .until(
              () -> {
                writer.add(t.indexName(), List.of(entry(t, value)), null);
                return true;
              });
      writer.write(t.indexName(), List.of(entry(t, value + 1)));
      assertThat(t.entries()).hasSize(3);
    }
  }

  /** Both servers say of a region that is gone that it went to the other. */
  @Test
  void isFoundAgainWhenItWasMadeAnew() throws Exception {
    Admin admin = CLUSTER.admin();
    try (GlobalFixture t = new GlobalFixture();
        IndexReader reader =
            new IndexReader(CLUSTER.util().getConfiguration(), User.getCurrent())) {
      t.write(put("a", 1));
      t.awaitBuilt();
      RegionInfo region = admin.getRegions(t.indexName()).get(0);
      List<ServerName> servers = List.copyOf(admin.getRegionServers());
      move(region, servers.get(0));
      move(region, servers.get(1));
      List<Entry> entries = reader.page(t.indexName(), FIRST_ENTRY, 10);
      assertThat(reader.exist(t.indexName(), entries)).containsExactly(true);
      move(region, servers.get(0));
      admin.disableTable(t.name());
      admin.truncateTable(t.name(), false);
      assertThat(reader.exist(t.indexName(), entries)).containsExactly(false);
      assertThat(reader.page(t.indexName(), FIRST_ENTRY, 10)).isEmpty();
    }
  }
}
