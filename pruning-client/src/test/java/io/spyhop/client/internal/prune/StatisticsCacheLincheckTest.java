package io.spyhop.client.internal.prune;

import io.spyhop.client.internal.prune.StatisticsCache.Known;
import io.spyhop.core.stats.ColumnUse;
import io.spyhop.core.stats.CompactSummary;
import io.spyhop.core.stats.RegionSummary;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.util.Bytes;
import org.jetbrains.kotlinx.lincheck.LinChecker;
import org.jetbrains.kotlinx.lincheck.annotations.Operation;
import org.jetbrains.kotlinx.lincheck.annotations.Param;
import org.jetbrains.kotlinx.lincheck.paramgen.IntGen;
import org.jetbrains.kotlinx.lincheck.strategy.stress.StressOptions;
import org.junit.jupiter.api.Test;

/**
 * The cache is linearizable: answers of several rounds may come in at once, by several threads and
 * in any order, and a reader sees the newest that is in, never an older one afterwards.
 */
@Param(name = "region", gen = IntGen.class, conf = "0:1")
@Param(name = "round", gen = IntGen.class, conf = "1:5")
public class StatisticsCacheLincheckTest {
  private static final TableName TABLE = TableName.valueOf("t");

  private final StatisticsCache cache = new StatisticsCache(1 << 20, () -> 2);

  /** An answer comes in. */
  @Operation
  public void put(@Param(name = "region") int region, @Param(name = "round") int round) {
    byte[] start = Bytes.toBytes(region);
    RegionSummary summary =
        RegionSummary.unknown("r" + region, start, Bytes.toBytes(region + 1), round, "test");
    CompactSummary packed =
        CompactSummary.of(summary, cache::shared, c -> ColumnUse.POINTS, cache.share());
    cache.put(TABLE, start, new Known(packed, round, round, 0));
  }

  /** A query looks. */
  @Operation
  public long get(@Param(name = "region") int region) {
    return cache.get(TABLE, Bytes.toBytes(region)).map(Known::round).orElse(0L);
  }

  @Test
  void isLinearizable() {
    LinChecker.check(
        StatisticsCacheLincheckTest.class,
        new StressOptions()
            .iterations(30)
            .invocationsPerIteration(500)
            .threads(3)
            .actorsPerThread(3)
            .sequentialSpecification(NewestRound.class));
  }

  /** The sequential specification. */
  public static class NewestRound {
    private final long[] newest = new long[2];

    /** As {@link StatisticsCacheLincheckTest#put}. */
    public void put(int region, int round) {
      newest[region] = Math.max(newest[region], round);
    }

    /** As {@link StatisticsCacheLincheckTest#get}. */
    public long get(int region) {
      return newest[region];
    }
  }
}
