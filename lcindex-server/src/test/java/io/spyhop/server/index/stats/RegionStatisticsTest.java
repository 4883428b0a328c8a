package io.spyhop.server.index.stats;

import static io.spyhop.core.predicate.Predicates.column;
import static io.spyhop.core.prune.ScanState.NR;
import static io.spyhop.core.prune.ScanState.RS;
import static io.spyhop.core.prune.ScanState.RSM;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spyhop.core.predicate.KeyRanges;
import io.spyhop.core.predicate.Predicate;
import io.spyhop.core.protocol.DigestAnswer;
import io.spyhop.core.protocol.DigestRequest;
import io.spyhop.core.protocol.SummaryAnswer;
import io.spyhop.core.schema.BloomSize;
import io.spyhop.core.schema.IndexSchema;
import io.spyhop.core.stats.RegionSummary;
import io.spyhop.server.index.memstore.LogMemory;
import io.spyhop.server.memory.MemoryBudget;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.common.util.concurrent.Uninterruptibles;
import org.junit.jupiter.api.Test;

/** A region's word about itself, and what follows for queries. */
class RegionStatisticsTest {
  private static final TestCluster CLUSTER = TestCluster.get();
  private static final Predicate A5 = column("a").eq(5);
  private static final Predicate A_ABOVE_100 = column("a").gt(100);

  @Test
  void everyStateOfTableOne() throws IOException {
    try (StatisticsTable t = new StatisticsTable()) {
      assertThat(t.decide(A5)).isEqualTo(NR);
      t.write("r1", 5, 1);
      assertThat(t.decide(A5)).isEqualTo(RSM);
      assertThat(t.decide(A_ABOVE_100)).isEqualTo(NR);
      t.flush();
      assertThat(t.decide(A5)).isEqualTo(RS);
      assertThat(t.decide(A_ABOVE_100)).isEqualTo(NR);
      t.write("r2", 7, 1);
      assertThat(t.decide(A5)).isEqualTo(RSM);
      assertThat(t.decide(column("a").eq(6))).isEqualTo(NR);
      assertThat(t.decide(column("b").eq(6))).isEqualTo(NR);
      t.write("r3", 101, 1);
      assertThat(t.decide(A_ABOVE_100)).isEqualTo(RSM);
    }
  }

  /** Rule 18: neither the HFile nor the memstore can match alone, as the paper's case (4) asks. */
  @Test
  void partialUpdates() throws IOException {
    try (StatisticsTable t = new StatisticsTable()) {
      t.write("r", 5, 0);
      t.flush();
      t.write("r", "b", 1);
      Predicate both = A5.and(column("b").eq(1));
      RegionSummary s = t.summary();
      assertThat(io.spyhop.core.prune.Pruner.mightMatch(t.bind(both), s.files(), true)).isFalse();
      assertThat(io.spyhop.core.prune.Pruner.mightMatch(t.bind(both), s.memstore(), true))
          .isFalse();
      assertThat(t.decide(both)).isEqualTo(RSM);
      assertThat(t.rows(both)).containsExactly("r");
      t.flush();
      assertThat(t.decide(both)).isEqualTo(RS);
    }
  }

  /** What nobody tells of, as hooks would, is seen by the next answer. */
  @Test
  void otherFilesAreSeenByTheNextAnswer() throws IOException {
    try (StatisticsTable t = new StatisticsTable()) {
      RegionStatistics statistics = besideHooks(t.region());
      long before = statistics.digest();
      assertThat(statistics.digest()).isEqualTo(before);
      t.write("r", 5, 1);
      t.flush();
      assertThat(statistics.digest()).isNotEqualTo(before);
      assertThat(statistics.summary().unknown()).isEqualTo("HFiles of family 'f' are not read yet");
      statistics.reconcile();
      assertThat(statistics.summary().isKnown()).isTrue();
      statistics.lost();
      assertThat(statistics.summary().unknown())
          .isEqualTo("the memstore of family 'f' is not read yet");
    }
  }

  /** Statistics of a region that its hooks tell nothing. */
  private static RegionStatistics besideHooks(HRegion region) throws IOException {
    return new RegionStatistics(
        region,
        IndexSchema.of(region.getTableDescriptor()),
        () -> false,
        new LogMemory(new MemoryBudget(0), () -> {}),
        new StatisticsMemory(new MemoryBudget(1 << 20), () -> {}));
  }

  /** Rule 27: a region that has closed has empty lists of HFiles, which is no answer. */
  @Test
  void closedRegionSaysNothing() throws IOException {
    try (StatisticsTable t = new StatisticsTable()) {
      t.write("r", 5, 1);
      t.flush();
      assertThat(t.decide(A5)).isEqualTo(RS);
      HRegion region = CLUSTER.regions(t.name()).get(0);
      RegionStatistics statistics = besideHooks(region);
      statistics.reconcile();
      assertThat(statistics.summary().isKnown()).isTrue();
      CLUSTER.admin().disableTable(t.name());
      assertThat(region.getStores()).allMatch(s -> s.getStorefilesCount() == 0);
      RegionSummary closed = statistics.summary();
      assertThat(closed.unknown()).isEqualTo("the region closes");
      RowSpan all = new RowSpan(new byte[0], new byte[0]);
      assertThat(statistics.spans(t.bind(A5), all)).isEmpty();
      CLUSTER.admin().enableTable(t.name());
    }
  }

  /** A long list of values takes its time, which is the reader's own. */
  @Test
  void nobodyWaitsForAReader() throws Exception {
    try (StatisticsTable t = new StatisticsTable()) {
      t.write("r1", 5, 1);
      t.flush();
      HRegion region = CLUSTER.regions(t.name()).get(0);
      RegionStatistics statistics = besideHooks(region);
      statistics.reconcile();
      CountDownLatch looks = new CountDownLatch(1);
      CountDownLatch held = new CountDownLatch(1);
      RowSpan all = new RowSpan(new byte[0], new byte[0]);
      Segments.Condition slow =
          (source, nullsTold) -> {
            looks.countDown();
            Uninterruptibles.awaitUninterruptibly(held);
            return false;
          };
      CompletableFuture<Optional<List<RowSpan>>> reader =
          CompletableFuture.supplyAsync(() -> statistics.spans(slow, all));
      looks.await();
      try {
        CompletableFuture<RegionSummary> others =
            CompletableFuture.supplyAsync(() -> writeFlushAndAnswer(statistics));
        assertThat(others).succeedsWithin(Duration.ofSeconds(30));
        assertThat(t.decide(column("a").eq(7), others.join()).state()).isEqualTo(RSM);
        assertThat(reader).isNotDone();
      } finally {
        held.countDown();
      }
      assertThat(reader.join()).as("nothing matches").contains(List.of());
    }
  }

  /** What is answered after a write of a = 7 and a flush that fails. */
  private static RegionSummary writeFlushAndAnswer(RegionStatistics statistics) {
    Cell cell = StatisticsTable.put("r2", "a", 7).get(StatisticsTable.F, A).get(0);
    statistics.write(StatisticsTable.F, List.of(cell), false);
    statistics.flushing();
    statistics.flushed();
    return statistics.summary();
  }

  /** Rule 20. */
  @Test
  void nulls() throws IOException {
    Predicate isNull = column("a").isNull();
    try (StatisticsTable t = new StatisticsTable()) {
      t.write("r1", 5, 1);
      assertThat(t.decide(isNull)).isEqualTo(NR);
      t.flush();
      assertThat(t.decide(isNull)).isEqualTo(NR);
      t.table().delete(new Delete(Bytes.toBytes("r1")).addColumns(StatisticsTable.F, A));
      assertThat(t.decide(isNull)).isEqualTo(RSM);
      assertThat(t.rows(isNull)).containsExactly("r1");
      t.flush();
      assertThat(t.decide(isNull)).isEqualTo(RS);
    }
    try (StatisticsTable t = new StatisticsTable()) {
      t.write("r1", "b", 1);
      assertThat(t.decide(isNull)).isEqualTo(RSM);
      t.flush();
      assertThat(t.decide(isNull)).isEqualTo(RS);
    }
    try (StatisticsTable t = new StatisticsTable()) {
      Put withTtl = StatisticsTable.put("r1", "a", 5);
      t.table().put(withTtl.setTTL(3_600_000));
      assertThat(t.decide(isNull)).isEqualTo(RSM);
      t.flush();
      assertThat(t.summary().files().cellTtl()).isTrue();
      assertThat(t.decide(isNull)).isEqualTo(RS);
    }
    try (StatisticsTable t = new StatisticsTable(CLUSTER, f -> f.setTimeToLive(86_400), o -> o)) {
      t.write("r1", 5, 1);
      assertThat(t.decide(isNull)).isEqualTo(RSM);
    }
    byte[] g = Bytes.toBytes("g");
    try (StatisticsTable t =
        new StatisticsTable(
            CLUSTER, f -> f, o -> o.setColumnFamily(ColumnFamilyDescriptorBuilder.of(g)))) {
      t.write("r1", 5, 1);
      t.table().put(StatisticsTable.put("r2").addColumn(g, A, A));
      assertThat(t.decide(isNull)).isEqualTo(RSM);
      assertThat(t.rows(isNull)).containsExactly("r2");
    }
  }

  private static final byte[] A = Bytes.toBytes("a");

  /** An older version comes to light when the newer one is deleted; all versions count. */
  @Test
  void deletedVersions() throws IOException {
    try (StatisticsTable t = new StatisticsTable(CLUSTER, f -> f.setMaxVersions(3), o -> o)) {
      t.table()
          .put(StatisticsTable.put("r").addColumn(StatisticsTable.F, A, 100, Bytes.toBytes(5L)));
      t.table()
          .put(StatisticsTable.put("r").addColumn(StatisticsTable.F, A, 200, Bytes.toBytes(9L)));
      t.flush();
      assertThat(t.decide(A5)).isEqualTo(RS);
      t.table().delete(new Delete(Bytes.toBytes("r")).addColumn(StatisticsTable.F, A, 200));
      assertThat(t.rows(A5)).containsExactly("r");
      assertThat(t.decide(A5)).isEqualTo(RSM);
      t.flush();
      Regions.compact(CLUSTER, t.name(), true);
      assertThat(t.decide(A5)).isEqualTo(RS);
      assertThat(t.decide(column("a").eq(9))).isEqualTo(NR);
    }
  }

  @Test
  void incrementsAppendsAndBrokenValues() throws IOException {
    try (StatisticsTable t = new StatisticsTable()) {
      t.write("r", 50, 1);
      t.table().increment(new Increment(Bytes.toBytes("r")).addColumn(StatisticsTable.F, A, 60));
      assertThat(t.decide(A_ABOVE_100)).isEqualTo(RSM);
      assertThat(t.rows(A_ABOVE_100)).containsExactly("r");
      byte[] b = Bytes.toBytes("b");
      t.table()
          .append(
              new Append(Bytes.toBytes("n")).addColumn(StatisticsTable.F, b, Bytes.toBytes(77L)));
      assertThat(t.decide(column("b").eq(77))).isEqualTo(RSM);
      assertThat(
              t.summary()
                  .memstore()
                  .columns()
                  .get(t.bind(A5).columns().get(0).name())
                  .might(KeyRanges.NONE, false, true))
          .isFalse();
      t.table().put(StatisticsTable.put("x").addColumn(StatisticsTable.F, A, A));
      assertThat(
              t.summary()
                  .memstore()
                  .columns()
                  .get(t.bind(A5).columns().get(0).name())
                  .might(KeyRanges.NONE, false, true))
          .isTrue();
      t.table().put(StatisticsTable.put("s", "b", 99).setDurability(Durability.SKIP_WAL));
      assertThat(t.decide(column("b").eq(99))).isEqualTo(RSM);
    }
  }

  /** The log tells what is new, and what it tells adds up to what the region says whole. */
  @Test
  void onlyWhatIsNewIsSent() throws IOException {
    try (StatisticsTable t = new StatisticsTable()) {
      t.write("r1", 5, 1);
      RegionSummary has = t.summary();
      assertThat(t.ask("r1", StatisticsTable.since(has)).changes()).isEmpty();
      t.write("r2", 5, 1);
      assertThat(t.ask("r1", StatisticsTable.since(has)).changes()).isEmpty();
      t.write("r2", 8, 1);
      SummaryAnswer answer = t.ask("r1", StatisticsTable.since(has));
      assertThat(answer.whole()).isEmpty();
      assertThat(answer.changes()).hasSize(1);
      assertThat(StatisticsTable.after(has, answer)).isEqualTo(t.summary());
      t.flush();
      assertThat(t.ask("r1", StatisticsTable.since(has)).whole()).isPresent();
      RegionSummary flushed = t.summary();
      for (int i = 0; i < 5000; i++) {
        t.region().put(StatisticsTable.put("s", "a", i * 10L));
      }
      assertThat(t.ask("r1", StatisticsTable.since(flushed)).whole()).isPresent();
    }
  }

  /** A digest says of each region what the region says itself, and then what has changed. */
  @Test
  void digestsTellOfEveryChange() throws IOException {
    try (StatisticsTable t = new StatisticsTable(CLUSTER, f -> f, o -> o, "m")) {
      gather(t);
      t.write("a", 5, 1);
      DigestAnswer all = t.digest(DigestRequest.first());
      assertThat(all.all()).isTrue();
      assertThat(states(all)).isEqualTo(states(t.summaries()));
      DigestAnswer none = t.digest(new DigestRequest(all.life(), all.version()));
      assertThat(none)
          .isEqualTo(new DigestAnswer(all.life(), all.version(), false, new long[0], new long[0]));
      t.write("b", 5, 1);
      assertThat(t.digest(new DigestRequest(all.life(), all.version()))).isEqualTo(none);
      t.write("n", 6, 1);
      DigestAnswer one = t.digest(new DigestRequest(all.life(), all.version()));
      assertThat(one.all()).isFalse();
      assertThat(one.regions()).hasSize(1);
      assertThat(states(t.summaries())).containsAllEntriesOf(states(one));
      t.flush();
      DigestAnswer flushed = t.digest(new DigestRequest(one.life(), one.version()));
      assertThat(states(flushed)).isEqualTo(states(t.summaries()));
      t.write("a", 7, 1);
      t.flush();
      Regions.compact(CLUSTER, t.name(), true);
      t.awaitKnown();
      DigestAnswer compacted = t.digest(new DigestRequest(flushed.life(), flushed.version()));
      assertThat(compacted.regions()).isNotEmpty();
      assertThat(states(t.summaries())).containsAllEntriesOf(states(compacted));
      CLUSTER.admin().disableTable(t.name());
      CLUSTER.admin().enableTable(t.name());
      gather(t);
      DigestAnswer moved = t.digest(new DigestRequest(flushed.life(), flushed.version()));
      assertThat(moved.life()).isNotEqualTo(flushed.life());
      assertThat(moved.all()).isTrue();
      assertThat(states(moved)).isEqualTo(states(t.summaries()));
      t.change(d -> IndexSchema.withIndex(d, StatisticsTable.definition("c", BloomSize.OFF)));
      t.awaitKnown(3);
      DigestAnswer declared = t.digest(new DigestRequest(moved.life(), moved.version()));
      assertThat(states(declared)).isEqualTo(states(t.summaries()));
    }
  }

  /** Has the server of the first region take all. */
  private static void gather(StatisticsTable t) throws IOException {
    ServerName home = CLUSTER.serverOf(CLUSTER.regions(t.name()).get(0));
    for (HRegion region : CLUSTER.regions(t.name())) {
      if (!CLUSTER.serverOf(region).equals(home)) {
        CLUSTER.admin().move(region.getRegionInfo().getEncodedNameAsBytes(), home);
      }
    }
    await("all regions to be on " + home)
        .until(
            () -> {
              List<HRegion> regions = CLUSTER.regions(t.name());
              return regions.size() == 2
                  && regions.stream().allMatch(r -> CLUSTER.serverOf(r).equals(home));
            });
    t.awaitKnown();
  }

  private static Map<Long, Long> states(DigestAnswer answer) {
    Map<Long, Long> states = new HashMap<>();
    for (int i = 0; i < answer.regions().length; i++) {
      states.put(answer.regions()[i], answer.states()[i]);
    }
    return states;
  }

  private static Map<Long, Long> states(List<RegionSummary> summaries) {
    Map<Long, Long> states = new HashMap<>();
    for (RegionSummary s : summaries) {
      states.put(DigestAnswer.region(s.region()), DigestAnswer.state(s.epoch(), s.version()));
    }
    return states;
  }

  /** A log that is longer than everything is of no use. */
  @Test
  void theShorterIsSent() throws IOException {
    try (StatisticsTable t = new StatisticsTable()) {
      RegionSummary has = t.summary();
      for (int i = 0; i < 200; i++) {
        t.write("s", i * 10L, 1);
      }
      SummaryAnswer answer = t.ask("r1", StatisticsTable.since(has));
      assertThat(answer.whole()).isPresent();
      assertThat(answer.encode()).hasSizeLessThan(1_000);
    }
  }

  @Test
  void compactionsForgetWhatIsGone() throws IOException {
    try (StatisticsTable t = new StatisticsTable()) {
      t.write("r", 5, 1);
      t.flush();
      t.write("r", 6, 1);
      t.flush();
      assertThat(t.decide(A5)).isEqualTo(RS);
      Regions.compact(CLUSTER, t.name(), true);
      assertThat(t.summary().isKnown()).isTrue();
      assertThat(t.decide(A5)).isEqualTo(NR);
      assertThat(t.decide(column("a").eq(6))).isEqualTo(RS);
    }
  }

  /** What is declared late is read in the background, HFiles and memstore. */
  @Test
  void declaredLater() throws IOException {
    try (StatisticsTable t = new StatisticsTable(CLUSTER, f -> f, o -> o, false)) {
      t.write("r1", 5, 1);
      t.flush();
      t.write("r2", 7, 1);
      t.change(d -> IndexSchema.withIndex(d, StatisticsTable.definition("a", BloomSize.DEFAULT)));
      assertThat(t.decide(column("a").eq(7))).isEqualTo(RSM);
      t.awaitKnown(1);
      assertThat(t.decide(A5)).isEqualTo(RSM);
      assertThat(t.decide(column("a").eq(7))).isEqualTo(RSM);
      assertThat(t.decide(column("a").eq(6))).isEqualTo(NR);
      assertThat(t.decide(column("b").eq(6))).isEqualTo(RSM);
      t.change(d -> IndexSchema.withIndex(d, StatisticsTable.definition("b", BloomSize.OFF)));
      t.awaitKnown(2);
      assertThat(t.decide(column("b").eq(6))).isEqualTo(NR);
      assertThat(t.decide(column("b").eq(1))).isEqualTo(RSM);
      t.change(d -> IndexSchema.withoutIndex(d, "a"));
      t.awaitKnown(1);
      assertThat(t.decide(column("a").eq(6))).isEqualTo(RSM);
      t.change(d -> IndexSchema.withoutIndex(d, "b"));
      assertThat(t.summary().isKnown()).isFalse();
    }
  }

  @Test
  void bloomFiltersFollowTheirDefinition() throws IOException {
    try (StatisticsTable t = new StatisticsTable(CLUSTER, f -> f, o -> o, false)) {
      t.change(
          d -> IndexSchema.withIndex(d, StatisticsTable.definition("a", BloomSize.SIZED_TO_DATA)));
      t.awaitKnown(1);
      List<Put> puts = new java.util.ArrayList<>();
      for (int i = 0; i < 3000; i++) {
        puts.add(StatisticsTable.put("r" + i, "a", i * 2L));
      }
      t.table().put(puts);
      t.flush();
      assertThat(t.summary().files().columns().values().iterator().next().bloom().bits())
          .isBetween(16384, 65536);
      long pruned = 0;
      for (int i = 0; i < 100; i++) {
        pruned += t.decide(column("a").eq(i * 2L + 1)) == NR ? 1 : 0;
      }
      assertThat(pruned).isGreaterThan(90);
    }
  }
}
