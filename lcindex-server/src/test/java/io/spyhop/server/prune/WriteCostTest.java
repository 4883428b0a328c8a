package io.spyhop.server.prune;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.server.testing.TestCluster;
import java.io.IOException;
import java.util.Locale;
import java.util.Random;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What recording statistics costs writes, measured within the server, where nothing else hides it.
 * The bound is wide, as a machine that runs tests is no place to measure; the figure is logged.
 */
class WriteCostTest {
  private static final Logger LOG = LoggerFactory.getLogger(WriteCostTest.class);
  private static final int BATCHES = 200;
  private static final int ROWS = 200;
  private static final int ROUNDS = 6;

  @Test
  void puts() throws IOException {
    TestCluster cluster = TestCluster.get();
    try (StatisticsTable on = new StatisticsTable(cluster, f -> f, o -> o, true);
        StatisticsTable off = new StatisticsTable(cluster, f -> f, o -> o, false)) {
      long with = Long.MAX_VALUE;
      long without = Long.MAX_VALUE;
      for (int i = 0; i < ROUNDS; i++) {
        without = Math.min(without, write(off.region()));
        with = Math.min(with, write(on.region()));
      }
      String ratio = String.format(Locale.ROOT, "%.3f", (double) with / without);
      int rows = BATCHES * ROWS;
      LOG.warn("Put of {} rows: {} us, recorded {} us, x{}", rows, without, with, ratio);
      assertThat(with).as("%s times as long", ratio).isLessThan(without * 3 / 2);
    }
  }

  private static long write(HRegion region) throws IOException {
    Random random = new Random(1);
    long micros = 0;
    for (int b = 0; b < BATCHES; b++) {
      Mutation[] batch = new Mutation[ROWS];
      for (int i = 0; i < ROWS; i++) {
        batch[i] = row(random);
      }
      long start = System.nanoTime();
      region.batchMutate(batch);
      micros += (System.nanoTime() - start) / 1_000;
    }
    region.flush(true);
    return micros;
  }

  private static Put row(Random random) {
    Put put = StatisticsTable.put(String.format("row%09d", random.nextInt(1_000_000_000)));
    put.addColumn(StatisticsTable.F, Bytes.toBytes("a"), Bytes.toBytes(random.nextLong()));
    put.addColumn(
        StatisticsTable.F, Bytes.toBytes("b"), Bytes.toBytes((long) random.nextInt(1000)));
    for (int c = 0; c < 8; c++) {
      put.addColumn(StatisticsTable.F, Bytes.toBytes("c" + c), new byte[20]);
    }
    return put;
  }
}
