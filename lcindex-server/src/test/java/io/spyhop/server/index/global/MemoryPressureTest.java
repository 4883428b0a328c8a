package io.spyhop.server.index.global;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.server.testing.GlobalFixture;
import io.spyhop.server.testing.TestCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.SpyhopAccess;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/**
 * Rule 15: two servers that are always short of memory and index each other's regions. Writes of
 * entries never wait for memory, so that everybody gets on, hbase:meta too.
 */
class MemoryPressureTest {
  private static final int WRITERS = 8;
  private static final int WRITES = 60;
  private static final int MOVES = 4;
  private static final int VALUE_BYTES = 20_000;

  @Test
  void writesAndMetaGetOnWithoutMemory() throws Exception {
    try (TestCluster cluster =
            TestCluster.start(
                2,
                conf -> {
                  conf.setInt("hbase.regionserver.handler.count", 4);
                  conf.setFloat("hbase.regionserver.global.memstore.size", 0.001f);
                  conf.setInt("hbase.client.pause", 20);
                  conf.setInt("hbase.client.retries.number", 60);
                });
        GlobalFixture t = new GlobalFixture(cluster, f -> f, d -> d, "m")) {
      t.awaitBuilt();
      ExecutorService threads = Executors.newFixedThreadPool(WRITERS + 1);
      AtomicBoolean moved = new AtomicBoolean();
      AtomicBoolean pressed = new AtomicBoolean();
      int rows = 0;
      try {
        Future<Void> moves = threads.submit(() -> moveAnother(cluster, moved));
        List<Callable<Integer>> writers = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
          int writer = i;
          writers.add(() -> write(cluster, t, writer, moved, pressed));
        }
        for (Future<Integer> f : threads.invokeAll(writers)) {
          rows += f.get();
        }
        moves.get();
      } finally {
        threads.shutdownNow();
      }
      assertThat(pressed).isTrue();
      assertThat(t.entries()).isEqualTo(t.expected()).hasSize(rows);
    }
  }

  /** Writes rows until another region has been moved often enough; says how many. */
  private static int write(
      TestCluster cluster, GlobalFixture t, int writer, AtomicBoolean moved, AtomicBoolean pressed)
      throws Exception {
    int i = 0;
    try (Table table = cluster.connection().getTable(t.name())) {
      while (i < WRITES || !moved.get()) {
        String row = (i % 2 == 0 ? "a" : "z") + writer + "-" + i;
        Put put = GlobalFixture.put(row, (long) writer * i, 100);
        table.put(put.addColumn(GlobalFixture.F, Bytes.toBytes("p"), 100, new byte[VALUE_BYTES]));
        i++;
        if (isPressed(cluster)) {
          pressed.set(true);
        }
      }
    }
    return i;
  }

  private static boolean isPressed(TestCluster cluster) {
    return cluster.util().getMiniHBaseCluster().getRegionServerThreads().stream()
        .map(s -> s.getRegionServer().getRegionServerAccounting())
        .anyMatch(SpyhopAccess::isShortOfMemory);
  }

  /** Each move updates hbase:meta, on one of the two servers. */
  private static Void moveAnother(TestCluster cluster, AtomicBoolean moved) throws Exception {
    TableName name = TableName.valueOf("wanderer");
    try {
      cluster
          .admin()
          .createTable(
              TableDescriptorBuilder.newBuilder(name)
                  .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                  .build());
      RegionInfo region = cluster.admin().getRegions(name).get(0);
      List<ServerName> servers = new ArrayList<>(cluster.admin().getRegionServers());
      for (int i = 0; i < MOVES; i++) {
        cluster.admin().move(region.getEncodedNameAsBytes(), servers.get(i % 2));
      }
    } finally {
      moved.set(true);
    }
    return null;
  }
}
