package io.spyhop.bench.deli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.spyhop.bench.Tables;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class SliceTest {
  @Test
  void slicesOfEachRowOnceCoverAllRowsTogether() {
    int rows = 101;
    int[] all = new int[0];
    for (int first = 0; first < 6; first++) {
      Slice slice = Slice.eachOnce(rows, first, 6, 50, new SplittableRandom(first));
      int remainder = first;
      assertThat(Arrays.stream(slice.keys())).allMatch(k -> k % 6 == remainder);
      all = IntStream.concat(Arrays.stream(all), Arrays.stream(slice.keys())).toArray();
    }
    Arrays.sort(all);
    assertThat(all).isEqualTo(IntStream.range(0, rows).toArray());
  }

  @Test
  void valuesAreInTheirDomain() {
    Zipf zipf = new Zipf(10, 0.99, 1);
    Slice slice = Slice.updates(1_000, zipf, 5, new SplittableRandom(1));
    assertThat(slice.size()).isEqualTo(1_000);
    assertThat(Arrays.stream(slice.values())).allMatch(v -> v >= 0 && v < 5);
    assertThat(Arrays.stream(slice.keys())).allMatch(k -> k >= 0 && k < 10);
  }

  @Test
  void keysAndValuesGoTogether() {
    assertThatIllegalArgumentException().isThrownBy(() -> new Slice(new int[1], new long[2]));
  }

  @Test
  void everyRegionGetsAsManyRows() {
    byte[][] splits = Tables.splits(1_000, 4, DeliTable::row);
    assertThat(splits).hasDimensions(3, Long.BYTES);
    assertThat(Bytes.toLong(splits[0])).isEqualTo(250);
    assertThat(Bytes.toLong(splits[2])).isEqualTo(750);
    assertThat(new Settings(1, 1, 4, 1, 1, 0).valueSplits(1_000)).containsExactly(250, 500, 750);
  }

  @Test
  void aRowIsUpdatedAboutFiftyTimes() {
    Settings settings = new Settings(240_000, 1, 4, 1, 1, 0);
    assertThat(settings.keys()).isEqualTo(4_800);
    assertThat(settings.values()).isEqualTo(9_600);
  }
}
