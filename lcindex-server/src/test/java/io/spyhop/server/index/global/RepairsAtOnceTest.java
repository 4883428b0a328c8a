package io.spyhop.server.index.global;

import static io.spyhop.server.testing.GlobalFixture.F;
import static io.spyhop.server.testing.GlobalFixture.V;
import static io.spyhop.server.testing.GlobalFixture.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spyhop.client.Spyhop;
import io.spyhop.client.VerifyReport;
import io.spyhop.core.global.Entry;
import io.spyhop.core.protocol.Attributes;
import io.spyhop.core.protocol.EntryList;
import io.spyhop.core.protocol.Question;
import io.spyhop.core.protocol.ServerCalls;
import io.spyhop.core.schema.Maintenance;
import io.spyhop.server.hook.Globals;
import io.spyhop.server.testing.BulkFile;
import io.spyhop.server.testing.GlobalFixture;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Entries that look obsolete and are not, where no grace period helps: entries of HFiles that are
 * being loaded, of cells that come back with a lost server, as what has replaced them was not in
 * the log, and of puts that clients are about to make. And what is obsolete after a restore.
 */
class RepairsAtOnceTest {
  private static TestCluster cluster;

  @BeforeAll
  static void start() {
    cluster = TestCluster.start(2, conf -> conf.setLong("spyhop.global.grace.ms", 0));
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  private static Put unlogged(Put put) {
    return put.setDurability(Durability.SKIP_WAL);
  }

  private static void loseServer(GlobalFixture t) throws IOException {
    cluster.replace(cluster.serverOf(cluster.regions(t.name()).get(0)));
    await("the regions to be open")
        .atMost(Duration.ofSeconds(60))
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(() -> cluster.regions(t.name()).size() == 1 && t.entries() != null);
    cluster.connection().clearRegionLocationCache();
  }

  /** A repair that fails on a busy machine is tried again. */
  private static void awaitRepaired(GlobalFixture t, Set<String> entries) {
    await("all entries to be looked at")
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(200))
        .untilAsserted(
            () -> {
              Globals.drain(cluster);
              assertThat(t.entries()).isEqualTo(entries);
            });
  }

  /** The log has the first, the memstore the second. */
  @Test
  void sameRowTwiceInABatch() throws Exception {
    try (GlobalFixture t = new GlobalFixture(cluster, f -> f, d -> d)) {
      t.awaitBuilt();
      HRegion region = cluster.regions(t.name()).get(0);
      region.batchMutate(
          new Mutation[] {
            put("a", 1, 100),
            unlogged(put("a", 2, 100)),
            put("b", 1, 100),
            unlogged(put("b", 2, 100)),
            put("b", 3, 100),
            unlogged(put("c", 1, 100)),
            put("c", 2, 100)
          });
      awaitRepaired(t, t.expected());
      assertThat(t.entries()).hasSize(3);
      loseServer(t);
      assertThat(t.expected()).hasSize(3);
      assertThat(t.entries()).containsAll(t.expected());
    }
  }

  /**
   * HBase forgets a column's marker behind that of a version, where labels are on: rule of 0007.
   */
  @Test
  void columnDeletedThatHasADeletedVersion() throws Exception {
    try (GlobalFixture t =
        new GlobalFixture(cluster, f -> f, d -> d.maintenance(Maintenance.SYNC))) {
      t.awaitBuilt();
      t.write(put("a", 1, 100));
      t.table().delete(new Delete(Bytes.toBytes("a")).addColumn(F, V, 150));
      t.write(put("a", 3, 300));
      awaitRepaired(t, Set.of(t.entry("a", 3, 300)));
      t.table().delete(new Delete(Bytes.toBytes("a")).addColumns(F, V));
      Globals.drain(cluster);
      assertThat(t.entries()).contains(t.entry("a", 1, 100));
    }
  }

  /** A synchronous index lets go of what is hidden for good; this is not. */
  @Test
  void versionHiddenBySomethingUnlogged() throws Exception {
    try (GlobalFixture t =
        new GlobalFixture(cluster, f -> f, d -> d.maintenance(Maintenance.SYNC))) {
      t.awaitBuilt();
      t.write(put("a", 1, 100));
      Regions.flush(cluster, t.name());
      t.write(unlogged(put("a", 2, 200)));
      Globals.drain(cluster);
      loseServer(t);
      assertThat(t.expected()).containsExactly(t.entry("a", 1, 100));
      assertThat(t.entries()).containsAll(t.expected());
    }
  }

  /** What was written after the snapshot has entries, and nothing is behind them. */
  @Test
  void entriesOfTheTimeBeforeARestore() throws Exception {
    try (GlobalFixture t = new GlobalFixture(cluster, f -> f, d -> d, "b");
        Spyhop spyhop = Spyhop.connect(cluster.connection())) {
      t.awaitBuilt();
      t.write(put("a", 1), put("c", 1));
      cluster.admin().snapshot("restored", t.name());
      t.write(IntStream.range(0, 3_000).mapToObj(i -> put("c" + i, i)).toArray(Put[]::new));
      cluster.admin().disableTable(t.name());
      cluster.admin().restoreSnapshot("restored");
      cluster.admin().enableTable(t.name());
      assertThat(t.expected()).hasSize(2);
      awaitRepaired(t, t.expected());
      t.awaitBuilt();
      assertThat(spyhop.admin().verify(t.name(), "v", false).result())
          .isEqualTo(VerifyReport.Result.CLEAN);
      cluster.admin().deleteSnapshot("restored");
    }
  }

  private static List<Pair<byte[], String>> files(long... values) throws IOException {
    List<Pair<byte[], String>> files = new ArrayList<>();
    for (byte[] family : List.of(F, Bytes.toBytes("g"))) {
      List<KeyValue> cells = new ArrayList<>();
      for (long v : values) {
        cells.add(new KeyValue(Bytes.toBytes("r" + v), family, V, 100, Bytes.toBytes(v)));
      }
      Path file = BulkFile.write(cluster, BloomType.ROW, cells);
      files.add(new Pair<>(family, file.toString()));
    }
    return files;
  }

  private static GlobalFixture twoFamilies(Maintenance maintenance) throws IOException {
    GlobalFixture t = new GlobalFixture(cluster, f -> f, d -> d.maintenance(maintenance));
    cluster.admin().addColumnFamily(t.name(), ColumnFamilyDescriptorBuilder.of(Bytes.toBytes("g")));
    t.awaitBuilt();
    return t;
  }

  private static VerifyReport repairAll(GlobalFixture t) throws IOException {
    try (Spyhop spyhop = Spyhop.connect(cluster.connection())) {
      VerifyReport report = spyhop.admin().verify(t.name(), "v", true);
      Globals.drain(cluster);
      return report;
    }
  }

  /** Rule 29: entries come before the files, and everything that repairs comes in between. */
  @ParameterizedTest
  @EnumSource(Maintenance.class)
  void whatIsLoadedKeepsItsEntries(Maintenance maintenance) throws Exception {
    try (GlobalFixture t = twoFamilies(maintenance)) {
      HRegion region = cluster.regions(t.name()).get(0);
      List<Pair<byte[], String>> files = files(1, 2, 3);
      region.getCoprocessorHost().preBulkLoadHFile(files);
      assertThat(t.entries()).hasSize(3);
      hint(t, 1);
      VerifyReport meanwhile = repairAll(t);
      assertThat(meanwhile.dangling()).isZero();
      assertThat(t.entries()).hasSize(3);
      var loaded = region.bulkLoadHFiles(files, true, null);
      region.getCoprocessorHost().postBulkLoadHFile(files, loaded);
      repairAll(t);
      assertThat(t.entries()).isEqualTo(t.expected()).hasSize(3);
    }
  }

  private static void hint(GlobalFixture t, long value) throws IOException {
    Entry entry = entry(t, "r" + value, value);
    ServerCalls.ask(
        t.table().coprocessorService(entry.row()),
        Question.REPAIR,
        new EntryList("v", t.definition().incarnation(), List.of(entry)).encode());
  }

  @Test
  void loadsThatFailHoldNothing() throws Exception {
    try (GlobalFixture t = twoFamilies(Maintenance.DEFERRED)) {
      HRegion region = cluster.regions(t.name()).get(0);
      List<Pair<byte[], String>> files = files(1, 2, 3);
      region.getCoprocessorHost().preBulkLoadHFile(files);
      region.getCoprocessorHost().postBulkLoadHFile(files, null);
      assertThat(repairAll(t).dangling()).isEqualTo(3);
      awaitNoEntries(t);
    }
  }

  /** Whose load it is has gone with this method's frame. */
  private static void begin(List<Pair<byte[], String>> files, GlobalFixture t) throws IOException {
    cluster.regions(t.name()).get(0).getCoprocessorHost().preBulkLoadHFile(files);
    assertThat(repairAll(t).dangling()).isZero();
  }

  /** Another observer may throw before this one is told. */
  @Test
  void loadsOfWhichNoEndIsToldHoldNothing() throws Exception {
    try (GlobalFixture t = twoFamilies(Maintenance.DEFERRED)) {
      begin(files(1, 2, 3), t);
      await("the end of the load to be noticed")
          .atMost(Duration.ofSeconds(60))
          .until(
              () -> {
                System.gc();
                return repairAll(t).dangling() > 0;
              });
      awaitNoEntries(t);
    }
  }

  /** The client's entry is deleted before the put comes: the region adds it again. */
  @Test
  void ticketEndsWithARemoval() throws Exception {
    try (GlobalFixture t = new GlobalFixture(cluster, f -> f, d -> d)) {
      t.awaitBuilt();
      byte[] incarnation = Bytes.toBytes(Long.toString(t.definition().incarnation()));
      byte[] ticket =
          ServerCalls.ask(
              t.table().coprocessorService(Bytes.toBytes("k")), Question.TICKET, incarnation);
      try (Table index = cluster.connection().getTable(t.indexName())) {
        index.put(entry(t, "k", 1).put(false));
      }
      assertThat(repairAll(t).dangling()).isEqualTo(1);
      awaitNoEntries(t);
      t.write(put("k", 1, 100).setAttribute(Attributes.ENTERED, ticket));
      assertThat(t.entries()).isEqualTo(t.expected()).hasSize(1);
    }
  }

  private static Entry entry(GlobalFixture t, String row, long value) {
    byte[] key = t.definition().type().codec().key(Bytes.toBytes(value), 0, Long.BYTES).bytes();
    return new Entry(key, Bytes.toBytes(row), 100);
  }

  private static void awaitNoEntries(GlobalFixture t) {
    await("the entries to be removed")
        .atMost(Duration.ofSeconds(60))
        .until(() -> t.entries().isEmpty());
  }
}
