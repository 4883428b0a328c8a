package io.spyhop.core.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spyhop.core.schema.BloomSize;
import io.spyhop.core.value.ValueType;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class BloomBitsTest {
  private static BloomBits of(int bits, int from, int to) {
    BloomBits bloom = BloomBits.empty(bits);
    for (int i = from; i < to; i++) {
      bloom = bloom.with(Bytes.toBytes(i));
    }
    return bloom;
  }

  private static boolean hasAll(BloomBits bloom, int from, int to) {
    return IntStream.range(from, to).allMatch(i -> bloom.mightContain(Bytes.toBytes(i)));
  }

  @Test
  void findsAllKeysAndFewOthers() {
    BloomBits bloom = of(1024, 0, 100);
    assertThat(hasAll(bloom, 0, 100)).isTrue();
    long wrong =
        IntStream.range(1000, 11000).filter(i -> bloom.mightContain(Bytes.toBytes(i))).count();
    assertThat(wrong).isLessThan(300);
  }

  @Test
  void unionOfDifferentSizesLosesNothing() {
    BloomBits both = of(64, 0, 5).union(of(1024, 5, 50));
    assertThat(both.bits()).isEqualTo(1024);
    assertThat(hasAll(both, 0, 50)).isTrue();
    assertThat(both).isEqualTo(of(1024, 5, 50).union(of(64, 0, 5)));
  }

  @Test
  void foldingLosesNothing() {
    BloomBits folded = of(4096, 0, 50).folded();
    assertThat(folded).isEqualTo(of(2048, 0, 50));
    assertThat(hasAll(folded, 0, 50)).isTrue();
  }

  @Test
  void sizeFollowsTheData() {
    assertThat(automatic(3).bits()).isEqualTo(64);
    assertThat(automatic(1000).bits()).isBetween(4096, 32768);
    assertThat(automatic(1_000_000).bits()).isEqualTo(BloomSize.MAX_AUTO_BITS);
  }

  private static BloomBits automatic(int values) {
    ColumnSummary.Builder b = ColumnSummary.builder(ValueType.INT, BloomSize.SIZED_TO_DATA);
    for (int i = 0; i < values; i++) {
      b.add(Bytes.toBytes(i), 0, 4);
    }
    return b.build().bloom();
  }

  @Test
  void sizesAreRead() {
    assertThat(BloomSize.parse("off")).isEqualTo(BloomSize.OFF);
    assertThat(BloomSize.parse("AUTO")).isEqualTo(BloomSize.SIZED_TO_DATA);
    assertThat(BloomSize.parse("1024")).isEqualTo(BloomSize.DEFAULT).hasToString("1024");
    assertThatThrownBy(() -> BloomSize.parse("1000")).hasMessageContaining("bloom=1000");
    assertThatThrownBy(() -> BloomSize.parse("-1")).hasMessageContaining("bloom=-1");
    assertThatThrownBy(() -> BloomSize.parse("0")).hasMessageContaining("bloom=0");
    assertThatThrownBy(() -> BloomSize.parse("many")).hasMessageContaining("bloom=many");
  }

  /** Regions have one for each column that never has a value. */
  @Test
  void thoseWithoutKeysAreShared() {
    for (int bits = BloomSize.MIN_BITS; bits <= BloomSize.MAX_BITS; bits *= 2) {
      assertThat(BloomBits.empty(bits)).isSameAs(BloomBits.empty(bits));
      assertThat(BloomBits.empty(bits).bits()).isEqualTo(bits);
      assertThat(BloomBits.empty(bits).used()).isZero();
      assertThat(BloomBits.empty(bits).with(new byte[] {1}).used()).isPositive();
      assertThat(BloomBits.empty(bits).used()).isZero();
    }
  }
}
