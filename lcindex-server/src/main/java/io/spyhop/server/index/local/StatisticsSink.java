package io.spyhop.server.index.local;

import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.stats.ColumnStatistics;
import io.spyhop.core.stats.HistogramBuilder;
import io.spyhop.core.value.ValueKey;
import org.apache.hadoop.hbase.util.Bytes;

/** Completes statistics from the keys of an IFile in the making, in order. Not thread-safe. */
final class StatisticsSink {
  private static final byte[] UNKEYABLE = ValueKey.UNKEYABLE.bytes();

  private final ColumnStatistics.Builder statistics;
  private final HistogramBuilder histogram;

  /**
   * @param statistics has the counts of rows and entries already
   */
  StatisticsSink(IndexDefinition definition, ColumnStatistics.Builder statistics) {
    this.statistics = statistics;
    this.histogram = HistogramBuilder.of(definition, statistics.build().counts().entries());
  }

  void key(byte[] b, int off, int len) {
    if (Bytes.equals(b, off, len, UNKEYABLE, 0, UNKEYABLE.length)) {
      statistics.unkeyableEntry();
    } else {
      statistics.key(b, off, len);
      histogram.add(b, off, len);
    }
  }

  ColumnStatistics finish() {
    statistics.histogram(histogram.build());
    return statistics.build();
  }
}
