package io.spyhop.server.hook;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.schema.Repair;
import io.spyhop.server.hook.RepairedTable.Options;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What watching a compaction of inserts costs: measured and logged. */
class RepairCostTest {
  private static final Logger LOG = LoggerFactory.getLogger(RepairCostTest.class);
  private static final int ROWS = 100_000;
  private static final int ROUNDS = 4;

  @Test
  void insertsOnly() throws Exception {
    try (RepairedTable on = table(Repair.STREAMING);
        RepairedTable off = table(Repair.OFF)) {
      fill(on);
      fill(off);
      long with = Long.MAX_VALUE;
      long without = Long.MAX_VALUE;
      for (int i = 0; i < ROUNDS; i++) {
        without = Math.min(without, compact(off));
        with = Math.min(with, compact(on));
      }
      assertThat(on.metrics.found.getCount()).isZero();
      String ratio = String.format(Locale.ROOT, "%.2f", (double) with / without);
      LOG.warn("Compaction of {} rows: {} us, watched {} us, x{}", ROWS, without, with, ratio);
      assertThat(with).as("%s times as long", ratio).isLessThan(3 * without);
    }
  }

  private static RepairedTable table(Repair repair) throws IOException {
    return new RepairedTable(new Options().index(i -> i.repair(repair)));
  }

  private static void fill(RepairedTable t) throws IOException {
    for (int file = 0; file < 2; file++) {
      List<Put> puts = new ArrayList<>();
      for (int i = file; i < ROWS; i += 2) {
        Put put = RepairedTable.cell(String.format("row%08d", i), "value" + i, 1);
        for (int c = 0; c < 4; c++) {
          put.addColumn(RepairedTable.F, Bytes.toBytes("c" + c), 1, Bytes.toBytes("payload" + i));
        }
        puts.add(put);
      }
      t.table().put(puts);
      t.flush();
    }
  }

  private static long compact(RepairedTable t) throws IOException {
    long start = System.nanoTime();
    t.compact(true);
    return (System.nanoTime() - start) / 1_000;
  }
}
