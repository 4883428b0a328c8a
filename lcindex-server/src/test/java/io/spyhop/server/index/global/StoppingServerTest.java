package io.spyhop.server.index.global;

import static io.spyhop.server.testing.GlobalFixture.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spyhop.client.Query;
import io.spyhop.client.RowCursor;
import io.spyhop.client.Spyhop;
import io.spyhop.server.testing.GlobalFixture;
import io.spyhop.server.testing.ServerWithoutSpyhop;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/**
 * A server is told to stop while one of its regions moves to a server without Spyhop. That takes
 * writes while the first one still has regions to close, and ZooKeeper lists it (correctness rule
 * 28).
 */
class StoppingServerTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @Test
  void regionThatMovesMeanwhileIsNotBelieved() throws Exception {
    try (TestCluster cluster = TestCluster.start(2, conf -> {});
        ServerWithoutSpyhop without = new ServerWithoutSpyhop(cluster);
        Spyhop spyhop = Spyhop.connect(cluster.connection());
        GlobalFixture t = new GlobalFixture(cluster, f -> f, d -> d, "m")) {
      ServerName index = awayFrom(cluster, without.name(), t);
      ServerName stops = serverOf(cluster, t.name(), 1);
      assertThat(stops).isNotEqualTo(index);
      t.write(put("a", 1), put("n", 1));
      t.awaitBuilt();

      HRegion stays = region(cluster, t, "");
      HRegion moves = region(cluster, t, "m");
      HeldRegions.Held staying = HeldRegions.close(stays);
      HeldRegions.Held moving = HeldRegions.close(moves);
      CompletableFuture<Void> move = move(cluster, moves.getRegionInfo(), without.name());
      await("the region to close").atMost(PATIENCE).until(moving::hasArrived);
      assertThat(t.built().isComplete()).isTrue();
      cluster.util().getMiniHBaseCluster().getRegionServer(stops).stop("it moves away");
      moving.release();
      move.join();
      assertThat(t.built().isComplete()).as("what is written there has no entries").isFalse();
      await("the region to be found where it is")
          .atMost(PATIENCE)
          .ignoreExceptionsInstanceOf(IOException.class)
          .until(
              () -> {
                cluster.connection().clearRegionLocationCache();
                t.write(put("x", 7));
                return true;
              });
      assertThat(t.built().isComplete()).isFalse();
      assertThat(cluster.admin().getRegionServers()).contains(stops);
      staying.release();
      await("the server's end")
          .atMost(PATIENCE)
          .until(() -> !cluster.admin().getRegionServers().contains(stops));
      cluster.connection().clearRegionLocationCache();
      assertThat(rows(spyhop, t, Query.where("v = 7"))).containsExactly("x");
    }
  }

  /** Puts the index table on one server and the base table on another. */
  private static ServerName awayFrom(TestCluster cluster, ServerName without, GlobalFixture t)
      throws IOException {
    List<ServerName> servers = new ArrayList<>(cluster.admin().getRegionServers());
    servers.remove(without);
    ServerName meta = serverOf(cluster, TableName.META_TABLE_NAME, 0);
    if (servers.remove(meta)) {
      servers.add(0, meta);
    }
    for (RegionInfo r : cluster.admin().getRegions(t.indexName())) {
      move(cluster, r, servers.get(0)).join();
    }
    for (RegionInfo r : cluster.admin().getRegions(t.name())) {
      move(cluster, r, servers.get(1)).join();
    }
    cluster.connection().clearRegionLocationCache();
    return servers.get(0);
  }

  private static HRegion region(TestCluster cluster, GlobalFixture t, String start) {
    return cluster.regions(t.name()).stream()
        .filter(r -> Bytes.toString(r.getRegionInfo().getStartKey()).equals(start))
        .findFirst()
        .orElseThrow();
  }

  private static ServerName serverOf(TestCluster cluster, TableName table, int region) {
    return cluster.serverOf(cluster.regions(table).get(region));
  }

  private static CompletableFuture<Void> move(
      TestCluster cluster, RegionInfo region, ServerName to) {
    return CompletableFuture.runAsync(
        () ->
            await("the move")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(500))
                .pollDelay(Duration.ZERO)
                .ignoreExceptions()
                .until(
                    () -> {
                      if (cluster.admin().getRegions(to).contains(region)) {
                        return true;
                      }
                      cluster.admin().move(region.getEncodedNameAsBytes(), to);
                      return false;
                    }));
  }

  private static List<String> rows(Spyhop spyhop, GlobalFixture t, Query query) throws IOException {
    List<String> rows = new ArrayList<>();
    try (RowCursor cursor = spyhop.table(t.name()).query(query)) {
      cursor.forEach(r -> rows.add(Bytes.toString(r.getRow())));
    }
    return rows;
  }
}
