package io.spyhop.server.hook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.spyhop.core.schema.Repair;
import io.spyhop.server.hook.RepairedTable.Options;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.SortedSet;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.MemoryCompactionPolicy;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.MemStoreCompactions;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/**
 * The same random writes to a table that is watched and to its twin that is not: flushes and
 * compactions leave the same cells. The entries of what they dropped go, all others stay.
 */
class CellTapTest {
  private static final long DAY = 86_400_000;
  private static final byte[] F = RepairedTable.F;
  private static final byte[] V = RepairedTable.V;
  private static final byte[] W = Bytes.toBytes("w");

  private static final List<UnaryOperator<ColumnFamilyDescriptorBuilder>> FAMILIES =
      List.of(
          f -> f,
          f -> f.setMaxVersions(3).setDataBlockEncoding(DataBlockEncoding.FAST_DIFF),
          f -> f.setMaxVersions(2).setKeepDeletedCells(KeepDeletedCells.TRUE),
          f -> f.setMaxVersions(3).setNewVersionBehavior(true),
          f -> f.setMaxVersions(3).setMinVersions(1).setTimeToLive(2 * 86_400),
          f -> f.setTimeToLive(2 * 86_400).setKeepDeletedCells(KeepDeletedCells.TTL),
          f -> f.setInMemoryCompaction(MemoryCompactionPolicy.EAGER));

  private final long now = System.currentTimeMillis();

  @Test
  void streaming() throws Exception {
    for (int i = 0; i < FAMILIES.size(); i++) {
      run(i, Repair.STREAMING);
    }
  }

  @Test
  void staged() throws Exception {
    run(1, Repair.STAGED);
  }

  private void run(int family, Repair repair) throws Exception {
    Options watched = new Options().family(FAMILIES.get(family)).index(i -> i.repair(repair));
    Options twin = new Options().family(FAMILIES.get(family)).observers();
    try (RepairedTable a = new RepairedTable(watched);
        RepairedTable b = new RepairedTable(twin)) {
      Random random = new Random(family);
      for (int round = 0; round < 9; round++) {
        for (int i = 0; i < 40; i++) {
          write(a, b, random);
        }
        settle(a, b, round);
        assertThat(a.stored()).as("family %d round %d", family, round).isEqualTo(b.stored());
        a.drain();
        assertThat(a.entries()).as("family %d round %d", family, round).isEqualTo(needed(a));
      }
      assertThat(a.metrics.deleted.getCount()).isPositive();
      assertThat(a.metrics.lost.getCount()).isZero();
    }
  }

  /** Where the base table's family has a lifetime alone, entries expire by themselves. */
  private SortedSet<String> needed(RepairedTable t) throws IOException {
    boolean expire = t.entriesExpire();
    return t.needed(expire ? now - 2 * DAY - 3_600_000L : Long.MIN_VALUE);
  }

  private static void settle(RepairedTable a, RepairedTable b, int round) throws IOException {
    for (RepairedTable t : List.of(a, b)) {
      t.flush();
      if (round % 3 == 2) {
        t.compact(round % 2 == 1);
      }
    }
  }

  private void write(RepairedTable a, RepairedTable b, Random random) throws IOException {
    String row = "r" + random.nextInt(8);
    long time = now - random.nextInt(4) * DAY + random.nextInt(5);
    int what = random.nextInt(14);
    if (what < 8) {
      String value = "v" + random.nextInt(4);
      Put put = RepairedTable.cell(row, value, time);
      if (random.nextInt(3) == 0) {
        put.addColumn(F, W, time, V);
      }
      a.putEntry(row, value, time);
      a.table().put(put);
      b.table().put(put);
    } else {
      Delete delete = delete(new Delete(Bytes.toBytes(row)), what, time);
      a.table().delete(new Delete(delete));
      b.table().delete(new Delete(delete));
    }
  }

  private static Delete delete(Delete d, int what, long time) {
    return switch (what) {
      case 8 -> d.addFamily(F, time);
      case 9 -> d.addFamilyVersion(F, time);
      case 10, 11 -> d.addColumns(F, V, time);
      case 12 -> d.addColumn(F, V, time);
      default -> d.addColumns(F, W, time);
    };
  }

  /** Compactions within the memstore drop versions before any flush sees them. */
  @Test
  void memstoreCompactions() throws Exception {
    try (RepairedTable t = new RepairedTable(new Options().family(FAMILIES.get(6)))) {
      for (int i = 0; i < 5; i++) {
        t.put("r", "v" + i, i + 1);
      }
      HStore store = t.region().getStore(F);
      MemStoreCompactions.start(store);
      await().atMost(Duration.ofSeconds(60)).until(() -> !MemStoreCompactions.isRunning(store));
      t.drain();
      assertThat(t.needed()).hasSize(1);
      assertThat(t.entries()).as("the log has all of them").hasSize(5);
      t.flush();
      t.drain();
      assertThat(t.entries()).containsExactly(t.text("r", "v4", 5));
    }
  }
}
