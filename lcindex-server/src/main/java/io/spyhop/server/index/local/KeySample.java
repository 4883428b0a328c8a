package io.spyhop.server.index.local;

import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.stats.ColumnStatistics;
import io.spyhop.core.stats.HistogramBuilder;
import io.spyhop.core.value.ValueKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Completes statistics from keys that come in no order: the smallest and the largest are exact, the
 * counts by interval are those of every n-th key, n times. Not thread-safe.
 */
final class KeySample {
  /** The most keys that are kept. */
  private static final int MOST = 1 << 13;

  private final List<byte[]> kept = new ArrayList<>();
  private long stride = 1;
  private long seen;
  private byte[] min;
  private byte[] max;

  void add(ValueKey key, ColumnStatistics.Builder statistics) {
    if (key.isUnkeyable()) {
      statistics.unkeyableEntry();
      return;
    }
    byte[] bytes = key.bytes();
    min = min == null || Arrays.compareUnsigned(bytes, min) < 0 ? bytes : min;
    max = max == null || Arrays.compareUnsigned(bytes, max) > 0 ? bytes : max;
    if (seen++ % stride == 0) {
      if (kept.size() == MOST) {
        thin();
      }
      kept.add(bytes);
    }
  }

  private void thin() {
    for (int i = 0; i < MOST / 2; i++) {
      kept.set(i, kept.get(2 * i));
    }
    kept.subList(MOST / 2, MOST).clear();
    stride *= 2;
  }

  /**
   * The statistics.
   *
   * @param statistics has the counts of rows and entries already
   */
  ColumnStatistics finish(IndexDefinition definition, ColumnStatistics.Builder statistics) {
    if (min != null) {
      statistics.key(min, 0, min.length);
      statistics.key(max, 0, max.length);
    }
    HistogramBuilder histogram = HistogramBuilder.of(definition, seen);
    kept.sort(Arrays::compareUnsigned);
    kept.forEach(key -> histogram.add(key, 0, key.length, stride));
    statistics.histogram(histogram.build());
    return statistics.build();
  }
}
