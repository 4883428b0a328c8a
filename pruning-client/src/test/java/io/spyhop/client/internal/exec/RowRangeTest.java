package io.spyhop.client.internal.exec;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RowRangeTest {
  static RowRange range(String start, String stop) {
    return new RowRange(Bytes.toBytes(start), Bytes.toBytes(stop));
  }

  private static String cut(RowRange range, String... keys) {
    return range.cut(keys(keys)).toString();
  }

  /** Keys in their order. */
  static NavigableSet<byte[]> keys(String... keys) {
    NavigableSet<byte[]> all = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    Arrays.stream(keys).map(Bytes::toBytes).forEach(all::add);
    return all;
  }

  @Test
  void cutsAtRegionStarts() {
    assertThat(cut(RowRange.ALL, "", "g", "p")).isEqualTo("[[, g), [g, p), [p, )]");
  }

  @Test
  void coversEverythingWhateverIsListed() {
    assertThat(cut(RowRange.ALL)).isEqualTo("[[, )]");
    assertThat(cut(RowRange.ALL, "p", "g", "")).isEqualTo("[[, g), [g, p), [p, )]");
  }

  @Test
  void keepsToItsBounds() {
    assertThat(cut(range("c", "k"), "", "g", "p")).isEqualTo("[[c, g), [g, k)]");
    assertThat(cut(range("g", "p"), "", "g", "p")).isEqualTo("[[g, p)]");
    assertThat(cut(range("q", ""), "", "g", "p")).isEqualTo("[[q, )]");
    assertThat(cut(range("p", ""), "", "g", "p")).isEqualTo("[[p, )]");
    assertThat(cut(range("g", "g\0"), "g", "g\0")).hasToString("[[g, g\\x00)]");
  }

  @Test
  void nothingOfAnEmptyRange() {
    assertThat(cut(range("k", "k"), "", "g")).isEqualTo("[]");
    assertThat(cut(range("k", "c"), "", "g")).isEqualTo("[]");
    assertThat(cut(range("", "\0"), "", "g")).isEqualTo("[]");
    assertThat(range("", "\0").isOneRow()).isFalse();
    assertThat(range("a", "a\0").isOneRow()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "'', '', a, b, true",
    "a, b, b, c, false",
    "b, c, a, b, false",
    "a, c, b, d, true",
    "b, '', '', b, false",
    "b, '', '', c, true",
    "b, b, a, c, false",
    "c, b, a, d, false",
  })
  void overlaps(String start, String stop, String otherStart, String otherStop, boolean expected) {
    RowRange one = range(start, stop);
    RowRange other = range(otherStart, otherStop);
    assertThat(one.overlaps(other)).isEqualTo(expected);
    assertThat(other.overlaps(one)).isEqualTo(expected);
  }
}
