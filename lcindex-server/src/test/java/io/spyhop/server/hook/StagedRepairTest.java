package io.spyhop.server.hook;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.schema.Repair;
import io.spyhop.server.hook.RepairedTable.Options;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.util.HFileArchiveUtil;
import org.junit.jupiter.api.Test;

/** Repairs for which a compaction's inputs are read again are owed until they are done. */
class StagedRepairTest {
  private static final TestCluster CLUSTER = TestCluster.get();

  @Test
  void stagedRepairReadsTheInputsAgain() throws Exception {
    try (RepairedTable t = new RepairedTable(new Options().index(i -> i.repair(Repair.STAGED)))) {
      t.droppedByCompaction();
      t.compact(true);
      t.drain();
      assertThat(t.entries()).containsExactly(t.text("r", "b", 2));
      assertThat(t.metrics.lost.getCount()).isZero();
    }
  }

  /** Rule 30: the read is owed from before the commit, and survives the region's close. */
  @Test
  void stagedRepairIsOwedUntilItIsDone() throws Exception {
    for (boolean archived : List.of(true, false)) {
      try (RepairedTable t = new RepairedTable(new Options().index(i -> i.repair(Repair.STAGED)))) {
        t.droppedByCompaction();
        final long before = t.clock.get();
        t.clock.addAndGet(1_000);
        t.compact(true);
        assertThat(RepairedTable.repair(t.region()).waiting()).isEqualTo(1);
        assertThat(RepairedTable.repair(t.region()).repairedUpTo()).isBetween(before, before + 999);
        if (!archived) {
          removeArchive(t);
        }
        t.newServer(1_000);
        Regions.move(CLUSTER, t.name());
        t.drain();
        assertThat(t.entries()).hasSize(3);
        assertThat(RepairedTable.repair(t.region()).waiting()).isEqualTo(1);
        t.clock.addAndGet(60_000);
        t.drain();
        assertThat(t.entries()).containsExactly(t.text("r", "b", 2));
        assertThat(RepairObserver.lists(t.region())).isEmpty();
        assertThat(RepairedTable.repair(t.region()).repairedUpTo()).isEqualTo(t.clock.get());
      }
    }
  }

  /**
   * The region's server before was not dead: the new one sees the note, and when it reads it there
   * is a list instead, which came after the look at the directory.
   */
  @Test
  void notesThatAreGoneWereMadeLists() throws Exception {
    try (RepairedTable t = new RepairedTable(new Options().index(i -> i.repair(Repair.STAGED)))) {
      t.droppedByCompaction();
      t.compact(true);
      FileSystem fs = t.region().getRegionFileSystem().getFileSystem();
      Path note = RepairObserver.lists(t.region()).get(0);
      final Path noteAside = note.getParent().getParent().suffix("-note");
      FileUtil.copy(fs, note, fs, noteAside, false, fs.getConf());
      t.deleter =
          (region, table, entries) -> {
            throw new IOException("the index server is away");
          };
      t.drain();
      Path list = RepairObserver.lists(t.region()).get(0);
      final Path listAside = note.getParent().getParent().suffix("-list");
      assertThat(fs.rename(list, listAside)).isTrue();
      assertThat(fs.rename(noteAside, note)).isTrue();
      fs.create(new Path(note.getParent(), "0-before-all-others")).close();
      t.gone =
          other -> {
            try {
              fs.rename(listAside, list);
              fs.delete(note, false);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
            return false;
          };
      t.deleter = t::delete;
      t.newServer(1_000);
      Regions.move(CLUSTER, t.name());
      t.drain();
      assertThat(t.entries()).hasSize(3);
      assertThat(RepairedTable.repair(t.region()).waiting()).isEqualTo(1);
      t.clock.addAndGet(1_000);
      t.drain();
      assertThat(t.entries()).containsExactly(t.text("r", "b", 2));
    }
  }

  private static void removeArchive(RepairedTable t) throws IOException {
    Path archive =
        HFileArchiveUtil.getTableArchivePath(
            CLUSTER.util().getConfiguration(), t.region().getTableDescriptor().getTableName());
    assertThat(t.region().getRegionFileSystem().getFileSystem().delete(archive, true)).isTrue();
  }
}
