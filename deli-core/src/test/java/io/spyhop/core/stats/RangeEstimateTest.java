package io.spyhop.core.stats;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.predicate.KeyRanges;
import io.spyhop.core.schema.IndexDefinition;
import io.spyhop.core.value.KeyRange;
import io.spyhop.core.value.ValueKey;
import io.spyhop.core.value.ValueType;
import java.io.IOException;
import java.util.Random;
import java.util.function.IntToLongFunction;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RangeEstimateTest {
  private static final int ENTRIES = 300_000;

  private enum Data {
    UNIQUE(i -> i * 3L),
    CONSTANT(i -> 7),
    TWO_CLUSTERS(i -> i % 2 == 0 ? i % 1000 : 1L << 40 | i % 50),
    /** The value of rank r is as frequent as 1 / r. */
    ZIPF(i -> (long) Math.pow(ENTRIES, (i + 0.5) / ENTRIES));

    private final long[] values;

    Data(IntToLongFunction value) {
      values = IntStream.range(0, ENTRIES).mapToLong(value).sorted().toArray();
    }

    private long count(KeyRange range) {
      int from = range.lower() == null ? 0 : first(k -> k.compareTo(range.lower()) >= 0);
      int to = range.upper() == null ? ENTRIES : first(k -> k.compareTo(range.upper()) > 0);
      return Math.max(0, to - from);
    }

    /** How many values there are before the first one whose key does something that all do then. */
    private int first(Predicate<ValueKey> does) {
      int low = 0;
      int high = ENTRIES;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (does.test(key(values[middle]))) {
          high = middle;
        } else {
          low = middle + 1;
        }
      }
      return low;
    }
  }

  private static ValueKey key(long v) {
    byte[] b = Bytes.toBytes(v);
    return ValueType.LONG.codec().key(b, 0, b.length);
  }

  private static ColumnStatistics statistics(Data data) {
    IndexDefinition d = IndexDefinition.builder("a").column("f:a").type(ValueType.LONG).build();
    ColumnStatistics.Builder s = ColumnStatistics.builder();
    HistogramBuilder h = HistogramBuilder.of(d, ENTRIES);
    for (long v : data.values) {
      byte[] k = key(v).bytes();
      s.row(true);
      s.entry(false);
      s.key(k, 0, k.length);
      h.add(k, 0, k.length);
    }
    s.histogram(h.build());
    return s.build();
  }

  /** Ranges of all widths that begin at some entry, or anywhere. */
  private static KeyRange range(Data data, Random random) {
    int from = random.nextInt(ENTRIES);
    int width = (int) Math.pow(ENTRIES, random.nextDouble());
    long lower = data.values[from] + (random.nextBoolean() ? 1 : 0);
    long upper = data.values[Math.min(ENTRIES - 1, from + width - 1)];
    return switch (random.nextInt(4)) {
      case 0 -> new KeyRange(key(lower), key(lower));
      case 1 -> new KeyRange(random.nextBoolean() ? null : key(Math.min(lower, upper)), key(upper));
      default -> new KeyRange(key(Math.min(lower, upper)), key(upper));
    };
  }

  @ParameterizedTest
  @EnumSource(Data.class)
  void isWithinAFactorOfTwo(Data data) throws IOException {
    ColumnStatistics statistics = statistics(data);
    Random random = new Random(17);
    for (int i = 0; i < 200; i++) {
      KeyRange range = range(data, random);
      long actual = data.count(range);
      long[] counted = new long[1];
      long estimate =
          RangeEstimate.of(
              statistics,
              KeyRanges.of(range),
              (r, most) -> counted[0] += Math.min(most, data.count(r)));
      assertThat(estimate).as("estimate of %s", range).isBetween((actual + 1) / 2, 2 * actual);
      assertThat(counted[0]).isLessThanOrEqualTo(RangeEstimate.MAX_COUNTED);
    }
  }

  /** As many looks and as many entries as for one range, whatever the number of ranges. */
  @Test
  void ofManyRangesSomeStandForTheOthers() throws IOException {
    ColumnStatistics statistics = statistics(Data.UNIQUE);
    KeyRanges ranges =
        KeyRanges.unionOf(
            IntStream.range(0, 5_000)
                .mapToObj(i -> KeyRanges.of(key(i * 180L), key(i * 180L + 29)))
                .toList());
    int[] looks = new int[1];
    long[] counted = new long[1];
    long estimate =
        RangeEstimate.of(
            statistics,
            ranges,
            (r, most) -> {
              looks[0]++;
              long count = Math.min(most, Data.UNIQUE.count(r));
              counted[0] += count;
              return count;
            });
    assertThat(estimate).isBetween(25_000L, 100_000L);
    assertThat(looks[0]).isLessThanOrEqualTo(RangeEstimate.MAX_LOOKS);
    assertThat(counted[0]).isLessThanOrEqualTo(RangeEstimate.MAX_COUNTED);
  }

  @Test
  void whereNothingIsLeftOpenNothingIsLookedAt() throws IOException {
    for (Data data : Data.values()) {
      ColumnStatistics statistics = statistics(data);
      RangeEstimate.Counter never =
          (r, most) -> {
            throw new IOException("looked");
          };
      assertThat(RangeEstimate.of(statistics, KeyRanges.ALL, never)).isEqualTo(ENTRIES);
      assertThat(RangeEstimate.of(statistics, KeyRanges.NONE, never)).isZero();
      assertThat(RangeEstimate.of(statistics, KeyRanges.of(key(-5), key(-1)), never)).isZero();
    }
    assertThat(
            RangeEstimate.of(
                statistics(Data.CONSTANT),
                KeyRanges.of(key(7), key(7)),
                (r, most) -> {
                  throw new IOException("looked");
                }))
        .isEqualTo(ENTRIES);
  }
}
