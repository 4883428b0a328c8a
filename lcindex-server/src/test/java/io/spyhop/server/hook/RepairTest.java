package io.spyhop.server.hook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spyhop.core.protocol.EntryList;
import io.spyhop.core.schema.Maintenance;
import io.spyhop.core.schema.Repair;
import io.spyhop.server.hook.RepairedTable.Options;
import io.spyhop.server.index.global.repair.EntryDeletionGate;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Exactly those entries go whose cells are gone, whatever happens in between. */
class RepairTest {
  private static final TestCluster CLUSTER = TestCluster.get();

  @Test
  void aFlushRepairsWhatItDrops() throws Exception {
    try (RepairedTable t = new RepairedTable(new Options())) {
      t.put("r", "a", 1);
      t.put("r", "b", 2);
      t.put("r", "a", 3);
      t.put("s", "a", 1);
      RepairObserver.LISTS_BEFORE_COMMIT.clear();
      t.flush();
      assertThat(RepairObserver.LISTS_BEFORE_COMMIT).containsExactly(1);
      t.drain();
      assertThat(t.entries()).containsExactlyInAnyOrder(t.text("r", "a", 3), t.text("s", "a", 1));
      assertThat(RepairObserver.lists(t.region())).isEmpty();
      assertThat(RepairedTable.repair(t.region()).repairedUpTo()).isEqualTo(t.clock.get());
    }
  }

  @Test
  void nothingObsoleteMakesNoList() throws Exception {
    try (RepairedTable t = new RepairedTable(new Options())) {
      t.put("r", "a", 1);
      t.flush();
      t.put("s", "a", 1);
      t.flush();
      RepairObserver.LISTS_BEFORE_COMMIT.clear();
      t.compact(true);
      assertThat(RepairObserver.LISTS_BEFORE_COMMIT).containsExactly(0);
      assertThat(t.metrics.found.getCount()).isZero();
    }
  }

  @Test
  void aCompactionRepairsWhatItDrops() throws Exception {
    try (RepairedTable t = new RepairedTable(new Options())) {
      t.droppedByCompaction();
      RepairObserver.LISTS_BEFORE_COMMIT.clear();
      t.compact(true);
      assertThat(RepairObserver.LISTS_BEFORE_COMMIT).containsExactly(1);
      t.drain();
      assertThat(t.entries()).containsExactly(t.text("r", "b", 2));
    }
  }

  @Test
  void withoutRepairEntriesStay() throws Exception {
    try (RepairedTable t = new RepairedTable(new Options().index(i -> i.repair(Repair.OFF)))) {
      t.droppedByCompaction();
      t.compact(true);
      t.drain();
      assertThat(t.entries()).hasSize(3);
    }
  }

  /** What another observer has wrapped cannot be tapped: read again, or lost and counted. */
  @Test
  void wrappedScanners() throws Exception {
    try (RepairedTable t =
        new RepairedTable(new Options().observers(WrappingObserver.class, RepairObserver.class))) {
      t.droppedByCompaction();
      assertThat(t.metrics.lost.getCount()).isEqualTo(2);
      t.compact(true);
      t.drain();
      assertThat(t.entries()).containsExactly(t.text("r", "b", 2));
    }
  }

  /** Rule 13: with m = 1 Algorithm 3 would delete the entries of versions that are kept. */
  @Test
  void whatIsKeptKeepsItsEntry() throws Exception {
    List<Options> keeping =
        List.of(
            new Options().family(f -> f.setMaxVersions(3)),
            new Options().family(f -> f.setKeepDeletedCells(KeepDeletedCells.TRUE)));
    for (Options o : keeping) {
      try (RepairedTable t = new RepairedTable(o)) {
        t.put("s", "a", 1);
        t.flush();
        t.table().delete(new Delete(Bytes.toBytes("s"), 1));
        t.flush();
        t.put("r", "a", 1);
        t.flush();
        t.put("r", "b", 2);
        t.flush();
        t.hint(t.entry("r", "a", 1), t.entry("s", "a", 1), t.entry("r", "b", 2));
        t.drain();
        assertThat(t.entries()).hasSize(3).containsAll(t.needed());
        t.compact(true);
        t.drain();
        assertThat(t.entries()).isEqualTo(t.needed()).isNotEmpty();
      }
    }
    try (RepairedTable t = new RepairedTable(keeping.get(0))) {
      t.put("r", "a", 1);
      t.put("r", "b", 2);
      t.put("r", "c", 3);
      t.put("r", "d", 4);
      t.flush();
      t.drain();
      assertThat(t.entries())
          .containsExactlyInAnyOrder(t.text("r", "b", 2), t.text("r", "c", 3), t.text("r", "d", 4));
    }
  }

  /** Rule 14: value and timestamp; equal timestamps are found although raw scans hide them. */
  @Test
  void valueAndTimestampAreCompared() throws Exception {
    try (RepairedTable t = new RepairedTable(new Options())) {
      t.put("r", "a", 1);
      t.flush();
      t.put("r", "b", 1);
      t.putEntry("r", "a", 2);
      t.hint(t.entry("r", "a", 1), t.entry("r", "b", 1), t.entry("r", "a", 2));
      t.drain();
      assertThat(t.entries()).containsExactlyInAnyOrder(t.text("r", "a", 1), t.text("r", "b", 1));
      t.flush();
      t.compact(true);
      t.drain();
      assertThat(t.entries()).containsExactly(t.text("r", "b", 1));
    }
  }

  @Test
  void ofSyncIndexesWhatCannotBeSeenAgainGoesEarly() throws Exception {
    try (RepairedTable t =
        new RepairedTable(new Options().index(i -> i.maintenance(Maintenance.SYNC)))) {
      t.put("r", "a", 1);
      t.flush();
      t.put("r", "b", 2);
      t.put("s", "a", 1);
      t.put("q", "a", 1);
      t.table().delete(new Delete(Bytes.toBytes("s")));
      t.hint(
          t.entry("r", "a", 1), t.entry("r", "b", 2), t.entry("s", "a", 1), t.entry("q", "a", 1));
      t.drain();
      assertThat(t.entries()).containsExactlyInAnyOrder(t.text("r", "b", 2), t.text("q", "a", 1));
    }
  }

  /** While HFiles are loaded nobody knows which entries have cells, and which will be seen. */
  @Test
  void whileHeldEntriesStay() throws Exception {
    try (RepairedTable t =
        new RepairedTable(new Options().index(i -> i.maintenance(Maintenance.SYNC)))) {
      EntryDeletionGate removals = RepairedTable.repair(t.region()).removals();
      t.put("r", "a", 1);
      t.flush();
      t.put("r", "b", 2);
      t.putEntry("r", "c", 3);
      EntryDeletionGate.Hold one = removals.hold(List.of("i"), t);
      EntryDeletionGate.Hold two = removals.hold(List.of("i"), t);
      removals.hold(List.of("other"), t);
      one.release();
      t.hint(t.entry("r", "a", 1), t.entry("r", "c", 3));
      t.drain();
      assertThat(t.entries()).hasSize(3);
      two.release();
      t.clock.addAndGet(1_000);
      t.drain();
      assertThat(t.entries()).containsExactly(t.text("r", "b", 2));
    }
  }

  /** Rule 11: a write that failed, its repair, and the same write again. */
  @Test
  void theSameTimestampAgainAfterARepair() throws Exception {
    for (int flushes = 0; flushes < 3; flushes++) {
      try (RepairedTable t = new RepairedTable(new Options())) {
        t.putEntry("r", "a", 5);
        flushIndex(t, flushes > 0);
        t.hint(t.entry("r", "a", 5));
        t.drain();
        assertThat(t.entries()).isEmpty();
        flushIndex(t, flushes > 0);
        t.put("r", "a", 5);
        assertThat(t.entries()).containsExactly(t.text("r", "a", 5));
        flushIndex(t, flushes > 0);
        if (flushes > 1) {
          Regions.compact(CLUSTER, t.indexName(), false);
        }
        assertThat(t.entries()).containsExactly(t.text("r", "a", 5));
      }
    }
  }

  private static void flushIndex(RepairedTable t, boolean really) throws IOException {
    if (really) {
      Regions.flush(CLUSTER, t.indexName());
    }
  }

  /** The list is written, the flush has committed, and the server goes before it is sent. */
  @Test
  void listsAreTakenUpWhenTheRegionOpens() throws Exception {
    try (RepairedTable t = new RepairedTable(new Options())) {
      t.put("r", "a", 1);
      t.put("r", "b", 2);
      t.deleter =
          (region, table, entries) -> {
            throw new IOException("the index server is away");
          };
      t.flush();
      t.drain();
      assertThat(t.metrics.retries.getCount()).isPositive();
      assertThat(RepairObserver.lists(t.region())).hasSize(1);
      t.deleter = t::delete;
      t.newServer(1_000);
      Regions.move(CLUSTER, t.name());
      t.drain();
      assertThat(t.entries()).hasSize(2);
      t.clock.addAndGet(1_000);
      t.drain();
      assertThat(t.entries()).containsExactly(t.text("r", "b", 2));
      assertThat(RepairObserver.lists(t.region())).isEmpty();
    }
  }

  /** The server before was taken for dead, and did what it had begun (model check seed 206). */
  @Test
  void listsThatAreGoneAreDone() throws Exception {
    try (RepairedTable t = new RepairedTable(new Options())) {
      t.put("r", "a", 1);
      t.put("r", "b", 2);
      t.deleter =
          (region, table, entries) -> {
            throw new IOException("the index server is away");
          };
      t.flush();
      Path list = RepairObserver.lists(t.region()).get(0);
      t.newServer(1_000);
      Regions.move(CLUSTER, t.name());
      t.drain();
      assertThat(t.queue().unfinished()).isEqualTo(1);
      final long retries = t.metrics.retries.getCount();
      t.region().getRegionFileSystem().getFileSystem().delete(list, false);
      t.clock.addAndGet(1_000);
      t.drain();
      assertThat(t.queue().unfinished()).isZero();
      assertThat(t.metrics.retries.getCount()).isEqualTo(retries);
    }
  }

  /** The flush of a closing region drops versions, too. */
  @Test
  void aClosingRegionLeavesItsList() throws Exception {
    try (RepairedTable t = new RepairedTable(new Options())) {
      t.put("r", "a", 1);
      t.put("r", "b", 2);
      t.newServer(0);
      Regions.move(CLUSTER, t.name());
      t.drain();
      assertThat(t.entries()).containsExactly(t.text("r", "b", 2));
    }
  }

  /** Lists of a region that was split away, one of them cut by a crash. */
  @Test
  void listsOfRegionsThatAreGone() throws Exception {
    String gone = "00000000000000000000000000000000";
    try (RepairedTable t = new RepairedTable(new Options().splits("m"))) {
      t.putEntry("a", "x", 1);
      t.putEntry("z", "x", 1);
      t.put("z", "y", 2);
      HRegion any = t.region();
      FileSystem fs = any.getRegionFileSystem().getFileSystem();
      Path lists = new Path(any.getRegionFileSystem().getTableDir(), ".spyhop-repair");
      byte[] frame =
          new EntryList(
                  t.index.name(),
                  t.index.incarnation(),
                  List.of(t.entry("a", "x", 1), t.entry("z", "x", 1), t.entry("z", "y", 2)))
              .encode();
      for (int i = 1; i <= 4; i++) {
        try (FSDataOutputStream out = fs.create(new Path(lists, gone + "-" + i))) {
          out.writeInt(frame.length);
          out.write(frame);
          out.writeInt(frame.length);
          out.write(frame, 0, 20);
        }
      }
      t.gone = gone::equals;
      t.newServer(0);
      t.looks.set(0);
      CLUSTER.admin().disableTable(t.name());
      CLUSTER.admin().enableTable(t.name());
      await("both regions to have repaired what the lists say, one after the other")
          .atMost(Duration.ofSeconds(60))
          .until(
              () -> {
                t.drain();
                t.clock.addAndGet(60_000);
                return RepairObserver.lists(t.region()).isEmpty();
              });
      assertThat(t.entries()).containsExactly(t.text("z", "y", 2));
      assertThat(t.metrics.forwarded.getCount()).isPositive();
      assertThat(t.looks).as("looks at the table's regions").hasValueBetween(1, 2);
    }
  }

  @Test
  void failedWritesAreTriedAgainLater() throws Exception {
    try (RepairedTable t = new RepairedTable(new Options())) {
      AtomicInteger calls = new AtomicInteger();
      t.deleter =
          (region, table, entries) -> {
            if (calls.incrementAndGet() < 3) {
              throw new IOException("not yet");
            }
            t.delete(region, table, entries);
          };
      t.put("r", "a", 1);
      t.put("r", "b", 2);
      t.flush();
      for (int i = 0; i < 3; i++) {
        t.drain();
        t.clock.addAndGet(60_000);
      }
      assertThat(calls).hasValue(3);
      assertThat(t.entries()).containsExactly(t.text("r", "b", 2));
    }
  }

  @Test
  void tablesWithListsAreTruncatedAndDeleted() throws Exception {
    try (RepairedTable t = new RepairedTable(new Options())) {
      t.put("r", "a", 1);
      t.put("r", "b", 2);
      t.deleter =
          (region, table, entries) -> {
            throw new IOException("never");
          };
      t.flush();
      HRegion region = t.region();
      assertThat(RepairObserver.lists(region)).hasSize(1);
      CLUSTER.admin().disableTable(t.name());
      CLUSTER.admin().truncateTable(t.name(), true);
      assertThat(RepairObserver.lists(t.region())).isEmpty();
      t.put("r", "a", 1);
      t.put("r", "b", 2);
      t.flush();
      assertThat(RepairObserver.lists(t.region())).hasSize(1);
      CLUSTER.admin().disableTable(t.name());
      CLUSTER.admin().deleteTable(t.name());
      assertThat(CLUSTER.admin().tableExists(t.name())).isFalse();
      Path directory = region.getRegionFileSystem().getTableDir();
      assertThat(region.getRegionFileSystem().getFileSystem().exists(directory)).isFalse();
    }
  }
}
