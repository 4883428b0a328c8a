package io.spyhop.server.index.global;

import static io.spyhop.server.testing.GlobalFixture.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spyhop.client.IndexStatus;
import io.spyhop.client.Spyhop;
import io.spyhop.core.global.Entry;
import io.spyhop.core.protocol.EntryList;
import io.spyhop.core.protocol.Question;
import io.spyhop.core.protocol.ServerCalls;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.schema.IndexKind;
import io.spyhop.core.value.ValueType;
import io.spyhop.server.ddl.GlobalIndexDdl;
import io.spyhop.server.testing.GlobalFixture;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Builds of hours keep nothing waiting that must not wait for hours, nor does a rest of a day. */
class BuildsApartTest {
  private static final TableName BIG = TableName.valueOf("takes_hours");
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static TestCluster cluster;

  @BeforeAll
  static void start() {
    cluster =
        TestCluster.start(
            1,
            conf -> {
              conf.setLong("spyhop.global.grace.ms", 0);
              conf.setLong("spyhop.global.look.ms", Duration.ofDays(1).toMillis());
            });
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  /** Nobody asks for the index's status, which would have regions look, too. */
  @Test
  void regionsLookWhenTheMasterTellsThatAnIndexIsUnbuilt() throws Exception {
    try (GlobalFixture t = new GlobalFixture(cluster, f -> f, d -> d);
        GlobalIndexDdl ddl =
            new GlobalIndexDdl(cluster.util().getMiniHBaseCluster().getMaster(), step -> {})) {
      t.write(put("a", 1, 100));
      t.awaitBuilt();
      ddl.life().afterTruncate(cluster.regions(t.indexName()).get(0).getRegionInfo());
      await("the index to be built again").atMost(PATIENCE).until(() -> t.built().isComplete());
    }
  }

  @Test
  void marksAndRepairsGoOn() throws Exception {
    try (Spyhop spyhop = Spyhop.connect(cluster.connection());
        GlobalFixture t = new GlobalFixture(cluster, f -> f, d -> d)) {
      t.write(put("a", 1, 100));
      t.awaitBuilt();
      List<HeldRegions.Held> builds = startBuilds(spyhop);

      RegionInfo region = cluster.regions(t.name()).get(0).getRegionInfo();
      cluster.admin().unassign(region.getRegionName());
      cluster.admin().assign(region.getRegionName());
      await("the region's new opening to be noted")
          .atMost(PATIENCE)
          .ignoreExceptionsInstanceOf(IOException.class)
          .until(() -> t.built().isComplete());
      leaveEntry(t);
      await("the entry to be repaired")
          .atMost(PATIENCE)
          .until(() -> t.entries().equals(t.expected()));

      assertThat(spyhop.admin().status(BIG).get(0).state()).isEqualTo(IndexStatus.State.BUILDING);
      builds.forEach(HeldRegions.Held::release);
      spyhop.admin().waitUntilActive(BIG, Duration.ofSeconds(60));
    }
  }

  /** An entry that nothing is behind, and a report of it. */
  private static void leaveEntry(GlobalFixture t) throws IOException {
    byte[] key = t.definition().type().codec().key(Bytes.toBytes(2L), 0, Long.BYTES).bytes();
    Entry entry = new Entry(key, Bytes.toBytes("a"), 50);
    try (Table index = cluster.connection().getTable(t.indexName())) {
      index.put(entry.put(false));
    }
    assertThat(t.entries()).hasSize(2);
    ServerCalls.ask(
        t.table().coprocessorService(entry.row()),
        Question.REPAIR,
        new EntryList("v", t.definition().incarnation(), List.of(entry)).encode());
  }

  /** More builds than there are threads, which cannot go on. */
  private static List<HeldRegions.Held> startBuilds(Spyhop spyhop) throws Exception {
    byte[][] splits = {
      Bytes.toBytes("b"),
      Bytes.toBytes("c"),
      Bytes.toBytes("d"),
      Bytes.toBytes("e"),
      Bytes.toBytes("f"),
      Bytes.toBytes("g")
    };
    cluster
        .admin()
        .createTable(
            TableDescriptorBuilder.newBuilder(BIG)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(GlobalFixture.F))
                .build(),
            splits);
    List<Put> puts = new ArrayList<>(List.of(put("a", 1)));
    for (byte[] row : splits) {
      puts.add(put(Bytes.toString(row), 1));
    }
    try (Table table = cluster.connection().getTable(BIG)) {
      table.put(puts);
    }
    List<HeldRegions.Held> held = new ArrayList<>();
    for (HRegion r : cluster.regions(BIG)) {
      held.add(HeldRegions.flush(r));
    }
    spyhop
        .admin()
        .createIndex(
            BIG,
            IndexDefinition.builder("v")
                .kind(IndexKind.GLOBAL)
                .column("f:v")
                .type(ValueType.LONG)
                .build());
    await("builds to have begun")
        .atMost(PATIENCE)
        .until(() -> held.stream().filter(HeldRegions.Held::hasArrived).count() > 1);
    return held;
  }
}
