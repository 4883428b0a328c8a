package io.spyhop.server.index.global;

import static io.spyhop.server.testing.GlobalFixture.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.core.global.Entry;
import io.spyhop.core.global.ServerTime;
import io.spyhop.core.protocol.EntryRemoval;
import io.spyhop.core.protocol.Question;
import io.spyhop.server.hook.Globals;
import io.spyhop.server.index.global.entry.EntryDeleter;
import io.spyhop.server.index.global.repair.EntryDeletionGate;
import io.spyhop.server.index.global.repair.EntryRemover;
import io.spyhop.server.testing.GlobalFixture;
import io.spyhop.server.testing.Regions;
import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** A delete of an entry that comes late finds that it is too late (correctness rule 26). */
class LateDeleteTest {
  private static final TestCluster CLUSTER = TestCluster.get();

  private static Entry entry(GlobalFixture t, String row, long value, long timestamp) {
    byte[] key = t.definition().type().codec().key(Bytes.toBytes(value), 0, Long.BYTES).bytes();
    return new Entry(key, Bytes.toBytes(row), timestamp);
  }

  private static void enter(GlobalFixture t, Entry entry) throws IOException {
    try (Table index = CLUSTER.connection().getTable(t.indexName())) {
      index.put(entry.put(false));
    }
  }

  /** As the repair of the base region does it. */
  private static EntryRemover.Outcome remove(GlobalFixture t, Entry entry) throws IOException {
    HRegion region = CLUSTER.regions(t.name()).get(0);
    EntryDeleter deleter = Globals.of(CLUSTER, CLUSTER.serverOf(region)).deletes();
    return new EntryRemover(deleter, 10)
        .remove(t.definition(), region, List.of(entry), new EntryDeletionGate());
  }

  private static void part(GlobalFixture t) throws IOException {
    HRegion base = CLUSTER.regions(t.name()).get(0);
    HRegion index = CLUSTER.regions(t.indexName()).get(0);
    if (CLUSTER.serverOf(base).equals(CLUSTER.serverOf(index))) {
      Regions.move(CLUSTER, t.indexName());
    }
  }

  /** The repair has given up and let go of the row; the same put is made again; then it lands. */
  @Test
  void deleteThatTimedOutMasksNothing() throws Exception {
    ExecutorService repairs = Executors.newSingleThreadExecutor();
    try (GlobalFixture t = new GlobalFixture()) {
      t.awaitBuilt();
      CLUSTER
          .admin()
          .modifyTable(
              TableDescriptorBuilder.newBuilder(CLUSTER.admin().getDescriptor(t.indexName()))
                  .setCoprocessor(HoldingObserver.class.getName())
                  .build());
      part(t);
      enter(t, entry(t, "k", 1, 100));
      HoldingObserver.Held held = HoldingObserver.next();
      Future<?> repair = repairs.submit(() -> remove(t, entry(t, "k", 1, 100)));
      assertThat(held.arrived.await(60, TimeUnit.SECONDS)).isTrue();
      t.write(put("k", 1, 100));
      assertThatThrownBy(repair::get).cause().isInstanceOf(IOException.class);
      assertThat(t.entries()).isEqualTo(t.expected()).hasSize(1);
      held.released.countDown();
      assertThat(held.landed.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(t.entries()).isEqualTo(t.expected()).hasSize(1);
    } finally {
      repairs.shutdown();
    }
  }

  /** Who was paused while another server took the region over sends a fence of the past. */
  @Test
  void whatFencesRefuse() throws Exception {
    try (GlobalFixture t = new GlobalFixture()) {
      t.awaitBuilt();
      t.write(put("k", 1, 100));
      Entry entry = entry(t, "k", 1, 100);
      ServerTime now = ServerTime.decode(t.ask(entry.indexRow(), Question.CLOCK, new byte[0]));
      ServerTime late = now.plus(-1);
      ServerTime other = new ServerTime("elsewhere,16020,1", now.nanos()).plus(60_000_000_000L);
      for (ServerTime fence : List.of(late, other)) {
        byte[] removal = new EntryRemoval(fence, List.of(entry)).encode();
        assertThatThrownBy(() -> t.ask(entry.indexRow(), Question.REMOVE, removal))
            .isInstanceOf(DoNotRetryIOException.class)
            .hasMessageContaining("refuses a delete of entries");
      }
      try (Table index = CLUSTER.connection().getTable(t.indexName())) {
        assertThatThrownBy(() -> index.delete(new Delete(entry.indexRow())))
            .isInstanceOf(DoNotRetryIOException.class)
            .hasMessageContaining("without a fence");
      }
      assertThat(t.entries()).isEqualTo(t.expected()).hasSize(1);
      byte[] removal = new EntryRemoval(now.plus(60_000_000_000L), List.of(entry)).encode();
      t.ask(entry.indexRow(), Question.REMOVE, removal);
      assertThat(t.entries()).isEmpty();
    }
  }

  /** HBase would delete the newest version; another cut names the same row of the index table. */
  @Test
  void whatNoCellCanHaveIsRefused() throws Exception {
    try (GlobalFixture t = new GlobalFixture()) {
      t.awaitBuilt();
      t.write(put("k", 1, 100));
      Entry live = entry(t, "k", 1, 100);
      ServerTime fence =
          ServerTime.decode(t.ask(live.indexRow(), Question.CLOCK, new byte[0]))
              .plus(60_000_000_000L);
      for (Entry unsound :
          List.of(
              new Entry(live.valueKey(), live.row(), HConstants.LATEST_TIMESTAMP),
              new Entry(new byte[0], live.indexRow(), 100))) {
        byte[] removal = new EntryRemoval(fence, List.of(unsound)).encode();
        assertThatThrownBy(() -> t.ask(live.indexRow(), Question.REMOVE, removal))
            .isInstanceOf(DoNotRetryIOException.class)
            .hasMessageContaining("no cell can have the entry");
        assertThat(t.entries()).isEqualTo(t.expected()).hasSize(1);
      }
    }
  }

  /** The marker of ownership is no cell of the region's, here or where it moves to. */
  @Test
  void nobodyReadsTheMarkerOfOwnership() throws Exception {
    try (GlobalFixture t = new GlobalFixture()) {
      t.write(put("k", 1, 100));
      HRegion region = CLUSTER.regions(t.name()).get(0);
      Ownership.prove(region);
      Regions.move(CLUSTER, t.name());
      assertThat(t.entries()).isEqualTo(t.expected()).hasSize(1);
    }
  }
}
