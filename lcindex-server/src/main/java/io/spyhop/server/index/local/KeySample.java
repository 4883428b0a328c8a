package io.spyhop.server.index.local;

import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.stats.ColumnStatistics;
import io.spyhop.core.stats.HistogramBuilder;
import io.spyhop.core.value.ValueKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

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
  private long bytes;
  private byte[] min;
  private byte[] max;

  void add(ValueKey key, ColumnStatistics.Builder statistics) {
    if (key.isUnkeyable()) {
      statistics.unkeyableEntry();
      return;
    }
    byte[] found = key.bytes();
    min = min == null || Arrays.compareUnsigned(found, min) < 0 ? found : min;
    max = max == null || Arrays.compareUnsigned(found, max) > 0 ? found : max;
    if (seen++ % stride == 0) {
      if (kept.size() == MOST) {
        thin();
      }
      kept.add(found);
      bytes += found.length;
    }
  }

  /** Bytes of the keys that are kept. */
  long heapSize() {
    return bytes;
  }

  private void thin() {
    for (int i = 0; i < MOST / 2; i++) {
      kept.set(i, kept.get(2 * i));
    }
    kept.subList(MOST / 2, MOST).clear();
    stride *= 2;
    bytes = kept.stream().mapToLong(k -> k.length).sum();
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
    forEachInOrder(key -> histogram.add(key, 0, key.length, stride));
    statistics.histogram(histogram.build());
    return statistics.build();
  }

  /** Shows the keys in ascending order, each for the time of the call. */
  private void forEachInOrder(Consumer<byte[]> keys) {
    int shared = min == null ? -1 : Arrays.mismatch(min, max);
    boolean areNumbers =
        shared >= 0
            && min.length - shared <= Long.BYTES
            && kept.stream().allMatch(k -> k.length == min.length);
    if (areNumbers) {
      forEachNumber(shared, keys);
    } else {
      kept.sort(Arrays::compareUnsigned);
      kept.forEach(keys);
    }
  }

  /** The same for keys that eight bytes behind those that all share tell apart. */
  private void forEachNumber(int shared, Consumer<byte[]> keys) {
    long[] numbers = new long[kept.size()];
    for (int i = 0; i < numbers.length; i++) {
      byte[] key = kept.get(i);
      long number = 0;
      for (int b = shared; b < key.length; b++) {
        number = number << Byte.SIZE | key[b] & 0xff;
      }
      numbers[i] = number ^ Long.MIN_VALUE; // signed numbers in the order of unsigned ones
    }
    Arrays.sort(numbers);
    byte[] key = min.clone();
    for (long sorted : numbers) {
      long number = sorted ^ Long.MIN_VALUE;
      for (int b = key.length - 1; b >= shared; b--) {
        key[b] = (byte) number;
        number >>>= Byte.SIZE;
      }
      keys.accept(key);
    }
  }
}
