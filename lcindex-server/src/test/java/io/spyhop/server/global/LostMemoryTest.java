package io.spyhop.server.global;

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
import io.spyhop.server.testing.GlobalFixture;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import org.apache.hadoop.hbase.MemoryCompactionPolicy;
import org.apache.hadoop.hbase.client.Append;
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
import org.junit.jupiter.api.Test;

/**
 * A server that is lost takes its memstores away, and its log brings back what they had dropped, or
 * what something that was not logged had replaced: what comes back has its entries.
 */
class LostMemoryTest {
  private static TestCluster cluster;

  @BeforeAll
  static void start() {
    cluster = TestCluster.start(2, conf -> conf.setLong("spyhop.global.grace.ms", 0));
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

  /** Drops the index, has the table written, creates the index anew and loses the server. */
  private static void buildOver(GlobalFixture t, Mutation[]... batches) throws Exception {
    try (Spyhop spyhop = Spyhop.connect(cluster.connection())) {
      t.awaitBuilt();
      spyhop.admin().dropIndex(t.name(), "v");
      for (Mutation[] batch : batches) {
        region(t).batchMutate(batch);
      }
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
          new Mutation[] {put("a", 1, 100), unlogged(put("a", 2, 100))},
          new Mutation[] {put("b", 3, 100)});
      assertThat(t.expected()).hasSize(2);
      assertThat(t.entries()).containsAll(t.expected());
    }
  }

  /** An increment takes older versions out of the memstore where one is kept. */
  @Test
  void sumsBeforeTheIndexWas() throws Exception {
    try (GlobalFixture t = new GlobalFixture(cluster, f -> f, d -> d)) {
      buildOver(
          t,
          new Mutation[] {increment("a")},
          new Mutation[] {unlogged(increment("a"))},
          new Mutation[] {unlogged(increment("a"))},
          new Mutation[] {unlogged(increment("a"))});
      assertThat(t.entries()).containsAll(t.expected());
    }
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
      HStore store = region.getStore(F);
      MemStoreCompactions.start(store);
      await().until(() -> !MemStoreCompactions.isRunning(store));
      assertThat(t.expected()).containsExactly(t.entry("a", 2, 200));
      Globals.drain(cluster);
      verify(t);
      loseServer(t);
      assertThat(t.expected()).containsExactly(t.entry("a", 1, 100));
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
      HStore store = region(t).getStore(F);
      MemStoreCompactions.start(store);
      await().until(() -> !MemStoreCompactions.isRunning(store));
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

  private static byte[] value(GlobalFixture t, String row) throws IOException {
    return t.table().get(new Get(Bytes.toBytes(row))).getValue(F, V);
  }

  /** What is not to be logged is, as it takes the version before it out of the memstore. */
  @Test
  void sums() throws Exception {
    try (GlobalFixture t = new GlobalFixture(cluster, f -> f, d -> d)) {
      t.awaitBuilt();
      for (int i = 0; i < 4; i++) {
        region(t).batchMutate(new Mutation[] {i == 0 ? increment("a") : unlogged(increment("a"))});
      }
      Append text = new Append(Bytes.toBytes("b")).addColumn(F, V, Bytes.toBytes(7));
      region(t).batchMutate(new Mutation[] {text});
      region(t).batchMutate(new Mutation[] {unlogged(new Append(text))});
      verify(t);
      loseServer(t);
      assertThat(value(t, "a")).isEqualTo(Bytes.toBytes(4L));
      assertThat(value(t, "b")).hasSize(2 * Integer.BYTES);
      assertThat(t.expected()).isNotEmpty();
      assertThat(t.entries()).containsAll(t.expected());
      Regions.flush(cluster, t.name());
      Regions.compact(cluster, t.name(), true);
      awaitEntriesOfWhatIsStored(t);
    }
  }

  /** Of a column that is written all the time, too. */
  @Test
  void whatSumsReplacedGoesAfterAFlush() throws Exception {
    try (GlobalFixture t = new GlobalFixture(cluster, f -> f, d -> d)) {
      t.awaitBuilt();
      t.write(put("a", 10, 200), put("a", 20, 100));
      for (int i = 0; i < 5; i++) {
        t.table().increment(increment("a"));
        Globals.drain(cluster);
      }
      assertThat(t.entries()).hasSize(7);
      Regions.flush(cluster, t.name());
      t.table().increment(increment("a"));
      t.table().increment(increment("a"));
      await("obsolete entries to go")
          .atMost(Duration.ofSeconds(60))
          .until(
              () -> {
                Globals.drain(cluster);
                return t.entries().size() <= 3;
              });
      assertThat(t.entries()).containsAll(t.expected());
      Regions.flush(cluster, t.name());
      Regions.compact(cluster, t.name(), true);
      awaitEntriesOfWhatIsStored(t);
    }
  }
}
