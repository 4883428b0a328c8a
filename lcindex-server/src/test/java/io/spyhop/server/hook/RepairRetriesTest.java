package io.spyhop.server.hook;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.global.Entry;
import io.spyhop.core.protocol.EntryList;
import io.spyhop.server.hook.RepairedTable.Options;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Entries of a list that fail do not hold up the rest of it, and nothing for ever. */
class RepairRetriesTest {
  private static final TestCluster CLUSTER = TestCluster.get();

  /** A list that the region's next server takes up, each entry in a frame of its own. */
  private static void leaveList(RepairedTable t, Entry... entries) throws IOException {
    HRegion region = t.region();
    FileSystem fs = region.getRegionFileSystem().getFileSystem();
    Path lists = new Path(region.getRegionFileSystem().getTableDir(), ".spyhop-repair");
    Path list = new Path(lists, region.getRegionInfo().getEncodedName() + "-1");
    try (FSDataOutputStream out = fs.create(list)) {
      for (Entry e : entries) {
        byte[] frame = new EntryList(t.index.name(), t.index.incarnation(), List.of(e)).encode();
        out.writeInt(frame.length);
        out.write(frame);
      }
    }
  }

  private static void open(RepairedTable t) throws Exception {
    t.newServer(0);
    Regions.move(CLUSTER, t.name());
    t.drain();
  }

  /** As older versions may have written it. */
  @Test
  void whatNoCellCanHaveIsPassedOver() throws Exception {
    try (RepairedTable t = new RepairedTable(new Options())) {
      t.put("r", "a", 1);
      t.putEntry("s", "a", 1);
      Entry live = t.entry("r", "a", 1);
      byte[] row = live.indexRow();
      leaveList(
          t,
          t.entry("s", "a", -1),
          new Entry(live.valueKey(), live.row(), Long.MAX_VALUE),
          new Entry(new byte[0], row, 1),
          t.entry("s", "a", 1));
      open(t);
      assertThat(t.entries()).containsExactly(t.text("r", "a", 1));
      assertThat(RepairObserver.lists(t.region())).isEmpty();
      assertThat(t.metrics.unsound.getCount()).isEqualTo(3);
    }
  }

  @Test
  void whatFailsDoesNotHoldUpTheRest() throws Exception {
    try (RepairedTable t = new RepairedTable(new Options())) {
      t.putEntry("q", "a", 1);
      t.putEntry("r", "a", 1);
      t.putEntry("s", "a", 1);
      t.deleter =
          (region, table, entries) -> {
            if (entries.contains(t.entry("q", "a", 1)) || entries.contains(t.entry("r", "a", 1))) {
              throw new IOException("not this one");
            }
            t.delete(region, table, entries);
          };
      leaveList(t, t.entry("q", "a", 1), t.entry("r", "a", 1), t.entry("s", "a", 1));
      open(t);
      for (int i = 0; i < 3; i++) {
        t.clock.addAndGet(10_000);
        t.drain();
      }
      assertThat(t.entries()).containsExactlyInAnyOrder(t.text("q", "a", 1), t.text("r", "a", 1));
      assertThat(RepairObserver.lists(t.region())).hasSize(1);
      t.deleter = t::delete;
      for (int i = 0; i < 3; i++) {
        t.clock.addAndGet(10_000);
        t.drain();
      }
      assertThat(t.entries()).isEmpty();
      assertThat(RepairObserver.lists(t.region())).isEmpty();
    }
  }

  @Test
  void whatFailsForHoursIsGivenUpUntilTheRegionOpens() throws Exception {
    try (RepairedTable t = new RepairedTable(new Options())) {
      t.put("r", "a", 1);
      t.put("r", "b", 2);
      t.deleter =
          (region, table, entries) -> {
            throw new IOException("never");
          };
      t.flush();
      for (int i = 0; i < 30; i++) {
        t.drain();
        t.clock.addAndGet(600_000);
      }
      assertThat(t.metrics.retries.getCount()).isEqualTo(20);
      assertThat(t.givenUp()).isEqualTo(1);
      assertThat(t.queue().unfinished()).isZero();
      assertThat(RepairedTable.repair(t.region()).waiting()).isEqualTo(1);
      assertThat(RepairedTable.repair(t.region()).repairedUpTo()).isLessThan(t.clock.get());
      assertThat(RepairObserver.lists(t.region())).hasSize(1);
      t.deleter = t::delete;
      t.clock.addAndGet(600_000);
      t.drain();
      assertThat(t.entries()).hasSize(2);
      open(t);
      assertThat(t.entries()).containsExactly(t.text("r", "b", 2));
      assertThat(t.givenUp()).isZero();
    }
  }

  /** Nobody's list has them: they are tried a few times, and it is counted that they are lost. */
  @Test
  void hintsThatFailAreGivenUpAndCounted() throws Exception {
    try (RepairedTable t = new RepairedTable(new Options())) {
      t.putEntry("r", "a", 1);
      t.deleter =
          (region, table, entries) -> {
            throw new IOException("never");
          };
      t.hint(t.entry("r", "a", 1));
      for (int i = 0; i < 10; i++) {
        t.drain();
        t.clock.addAndGet(600_000);
      }
      assertThat(t.metrics.retries.getCount()).isEqualTo(5);
      assertThat(t.metrics.dropped.getCount()).isEqualTo(1);
      assertThat(t.queue().unfinished()).isZero();
      assertThat(t.entries()).containsExactly(t.text("r", "a", 1));
    }
  }

  /** As of batches that are refused: what cannot be deleted for long waits for the next flush. */
  @Test
  void whatNothingElseTellsOfIsKeptWhenItIsGivenUp() throws Exception {
    try (RepairedTable t = new RepairedTable(new Options())) {
      t.putEntry("r", "a", 1);
      t.deleter =
          (region, table, entries) -> {
            throw new IOException("never");
          };
      RepairedTable.repair(t.region())
          .contested(
              new EntryList(t.index.name(), t.index.incarnation(), List.of(t.entry("r", "a", 1))));
      for (int i = 0; i < 10; i++) {
        t.drain();
        t.clock.addAndGet(600_000);
      }
      assertThat(t.metrics.dropped.getCount()).isZero();
      t.deleter = t::delete;
      t.put("s", "b", 2);
      t.flush();
      for (int i = 0; i < 3; i++) {
        t.clock.addAndGet(600_000);
        t.drain();
      }
      assertThat(t.entries()).containsExactly(t.text("s", "b", 2));
    }
  }

  /** They are neither looked up nor kept, and counted. */
  @Test
  void reportsOfRowsThatAreElsewhereAreDroppedAtOnce() throws Exception {
    try (RepairedTable t = new RepairedTable(new Options().splits("m"))) {
      HRegion first =
          CLUSTER.regions(t.name()).stream()
              .filter(r -> r.getRegionInfo().getStartKey().length == 0)
              .findFirst()
              .orElseThrow();
      RepairedTable.repair(first)
          .report(
              new EntryList(
                  t.index.name(),
                  t.index.incarnation(),
                  List.of(t.entry("r", "a", 1), t.entry("z", "a", 1))),
              "stranger");
      assertThat(t.metrics.dropped.getCount()).isEqualTo(2);
      assertThat(t.queue().unfinished()).isZero();
    }
  }

  @Test
  void reportsAreBounded() throws Exception {
    try (RepairedTable t = new RepairedTable(new Options())) {
      t.newServer(60_000);
      Regions.move(CLUSTER, t.name());
      byte[] row = Bytes.toBytes("r".repeat(30_000));
      Entry big = new Entry(t.entry("r", "a", 1).valueKey(), row, 1);
      List<Entry> list = List.of(big, big, big, big, big, big, big, big, big, big);
      for (int i = 0; i < 5; i++) {
        for (String user : List.of("loud", "quiet")) {
          if (i < 1 || user.equals("loud")) {
            RepairedTable.repair(t.region())
                .report(new EntryList(t.index.name(), t.index.incarnation(), list), user);
          }
        }
      }
      assertThat(RepairedTable.repair(t.region()).waiting()).isEqualTo(2);
      assertThat(t.metrics.dropped.getCount()).isEqualTo(40);
    }
  }
}
