package io.spyhop.server.index.global;

import static io.spyhop.server.testing.GlobalFixture.F;
import static io.spyhop.server.testing.GlobalFixture.V;
import static io.spyhop.server.testing.GlobalFixture.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spyhop.client.Spyhop;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.hook.Globals;
import io.spyhop.server.testing.EntriesByHand;
import io.spyhop.server.testing.GlobalFixture;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.hbase.MemoryCompactionPolicy;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.MemStoreCompactions;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A server that is lost takes its memstores away, and its log brings back what they had dropped, or
 * what something that was not logged had replaced: what comes back has its entries.
 */
class LostMemoryTest {
  private static TestCluster cluster;

  @BeforeAll
  static void start() {
    cluster =
        TestCluster.start(
            2,
            conf -> {
              conf.setLong("spyhop.global.grace.ms", 0);
              // The master hears late how far regions are flushed, and lets more be restored.
              conf.setInt("hbase.regionserver.msginterval", 8_000);
            });
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  private static Mutation unlogged(Mutation mutation) {
    return mutation.setDurability(Durability.SKIP_WAL);
  }

  private static Increment increment(String row) {
    return new Increment(Bytes.toBytes(row)).addColumn(F, V, 1);
  }

  private static HRegion region(GlobalFixture t) {
    return cluster.regions(t.name()).get(0);
  }

  private static void loseServer(GlobalFixture t) throws IOException {
    cluster.replace(cluster.serverOf(region(t)));
    await("the regions to be open")
        .atMost(Duration.ofSeconds(60))
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(() -> cluster.regions(t.name()).size() == 1 && t.entries() != null);
    cluster.connection().clearRegionLocationCache();
  }

  @FunctionalInterface
  private interface Writes {
    void run() throws IOException;
  }

  /** Drops the index, has the table written, creates the index anew and loses the server. */
  private static void buildOver(GlobalFixture t, Writes writes) throws Exception {
    try (Spyhop spyhop = Spyhop.connect(cluster.connection())) {
      t.awaitBuilt();
      spyhop.admin().dropIndex(t.name(), "v");
      writes.run();
      spyhop
          .admin()
          .createIndex(
              t.name(),
              IndexDefinition.builder("v")
                  .kind(IndexKind.GLOBAL)
                  .column("f:v")
                  .type(ValueType.LONG)
                  .build());
      spyhop.admin().waitUntilActive(t.name(), Duration.ofSeconds(60));
    }
    loseServer(t);
  }

  /** The log has the first, the memstore the second alone, and so has who builds the index. */
  @Test
  void whatWasReplacedBeforeTheIndexWas() throws Exception {
    try (GlobalFixture t = new GlobalFixture(cluster, f -> f, d -> d)) {
      buildOver(
          t,
          () ->
              region(t)
                  .batchMutate(
                      new Mutation[] {
                        put("a", 1, 100), unlogged(put("a", 2, 100)), put("b", 3, 100)
                      }));
      assertThat(t.expected()).hasSize(2);
      assertThat(t.entries()).containsAll(t.expected());
    }
  }

  @Test
  void whatACompactionInMemoryDroppedBeforeTheIndexWas() throws Exception {
    try (GlobalFixture t =
        new GlobalFixture(
            cluster, f -> f.setInMemoryCompaction(MemoryCompactionPolicy.EAGER), d -> d)) {
      buildOver(
          t,
          () -> {
            region(t).put(put("a", 1, 100));
            region(t).put((Put) unlogged(put("a", 2, 200)));
            compactMemory(t);
          });
      assertThat(t.entries()).containsAll(t.expected());
    }
  }

  private static void compactMemory(GlobalFixture t) {
    HStore store = region(t).getStore(F);
    MemStoreCompactions.start(store);
    await().until(() -> !MemStoreCompactions.isRunning(store));
  }

  @Test
  void versionThatACompactionInMemoryDropped() throws Exception {
    try (GlobalFixture t =
        new GlobalFixture(
            cluster, f -> f.setInMemoryCompaction(MemoryCompactionPolicy.EAGER), d -> d)) {
      t.awaitBuilt();
      HRegion region = region(t);
      region.put(put("a", 1, 100));
      region.put((Put) unlogged(put("a", 2, 200)));
      compactMemory(t);
      assertThat(t.expected()).containsExactly(t.entry("a", 2, 200));
      Globals.drain(cluster);
      verify(t);
      assertThat(t.entries()).as("the log has both").hasSize(2);
      loseServer(t);
      assertThat(t.entries()).containsAll(t.expected());
    }
  }

  @Test
  void versionThatACompactionInMemoryDroppedGoesAfterAFlush() throws Exception {
    try (GlobalFixture t =
        new GlobalFixture(
            cluster, f -> f.setInMemoryCompaction(MemoryCompactionPolicy.EAGER), d -> d)) {
      t.awaitBuilt();
      t.write(put("a", 1, 100));
      t.write(put("a", 2, 200));
      compactMemory(t);
      verify(t);
      assertThat(t.entries()).hasSize(2);
      Regions.flush(cluster, t.name());
      awaitEntriesOfWhatIsStored(t);
    }
  }

  /** Everything that can be found is handed in for repair. */
  private static void verify(GlobalFixture t) throws IOException {
    try (Spyhop spyhop = Spyhop.connect(cluster.connection())) {
      spyhop.admin().verify(t.name(), "v", true);
    }
    Globals.drain(cluster);
  }

  private static void awaitEntriesOfWhatIsStored(GlobalFixture t) {
    await("obsolete entries to go")
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              Globals.drain(cluster);
              return t.entries().equals(t.expected());
            });
  }

  /** The memstore keeps what they replace, as the log does if that was logged. */
  @Test
  void sums() throws Exception {
    try (GlobalFixture t = new GlobalFixture(cluster, f -> f, d -> d)) {
      t.awaitBuilt();
      for (int i = 0; i < 6; i++) {
        writeSums(t, i % 2 == 1);
        verify(t);
      }
      assertThat(t.entries())
          .as("nothing has been flushed")
          .hasSizeGreaterThan(6)
          .isEqualTo(t.expected());
      loseServer(t);
      assertThat(t.expected()).isNotEmpty();
      assertThat(t.entries()).containsAll(t.expected());
      writeSums(t, false);
      Regions.flush(cluster, t.name());
      Regions.compact(cluster, t.name(), true);
      verify(t);
      awaitEntriesOfWhatIsStored(t);
    }
  }

  private static void writeSums(GlobalFixture t, boolean logged) throws IOException {
    Increment sum = increment("a");
    boolean begins = t.table().get(new Get(Bytes.toBytes("b"))).isEmpty();
    byte[] more = begins ? Bytes.toBytes(7L) : new byte[0];
    Append text = new Append(Bytes.toBytes("b")).addColumn(F, V, more);
    for (Mutation m : List.of(sum, text)) {
      region(t).batchMutate(new Mutation[] {logged ? m : unlogged(m)});
    }
  }

  /**
   * The log has what was written before, and the region no files that tell; whether it comes back
   * depends on whether the master has heard of the region's new numbers by then.
   */
  @Test
  @Tag(TestCluster.NEEDS_2_6)
  void whatATruncationDropped() throws Exception {
    truncateAndLoseServer();
  }

  /** Nobody is told of HFiles that are made of a log. */
  @Test
  @Tag(TestCluster.NEEDS_2_6)
  void whatATruncationDroppedComesBackInHFiles() throws Exception {
    splitToHFiles(true);
    try {
      truncateAndLoseServer();
    } finally {
      splitToHFiles(false);
    }
  }

  private static void splitToHFiles(boolean on) {
    cluster
        .util()
        .getMiniHBaseCluster()
        .getLiveRegionServerThreads()
        .forEach(
            t -> t.getRegionServer().getConfiguration().setBoolean("hbase.wal.split.to.hfile", on));
  }

  private static void truncateAndLoseServer() throws Exception {
    try (GlobalFixture t = new GlobalFixture(cluster, f -> f, d -> d)) {
      t.write(put("a", 1, 100), put("b", 2, 100));
      t.awaitBuilt();
      cluster.admin().truncateRegion(region(t).getRegionInfo().getRegionName());
      cluster.connection().clearRegionLocationCache();
      t.awaitBuilt();
      t.write(put("c", 3, 100));
      EntriesByHand.delete(
          cluster,
          t.indexName(),
          List.of(new Delete(t.indexRow("a", 1)), new Delete(t.indexRow("b", 2))));
      loseServer(t);
      t.awaitBuilt();
      assertThat(t.entries()).containsAll(t.expected()).contains(t.entry("c", 3, 100));
    }
  }
}
