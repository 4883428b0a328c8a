package io.spyhop.core.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.spyhop.core.protocol.BuiltRanges.Range;
import java.util.Arrays;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** An empty row is the start of the table as a start, and its end as an end. */
class BuiltRangesTest {
  private static byte[] b(String s) {
    return Bytes.toBytes(s);
  }

  /** Pairs of start and end. */
  private static BuiltRanges of(String... bounds) {
    Range[] ranges = new Range[bounds.length / 2];
    for (int i = 0; i < ranges.length; i++) {
      ranges[i] = new Range(b(bounds[2 * i]), b(bounds[2 * i + 1]));
    }
    return new BuiltRanges(Arrays.asList(ranges));
  }

  @Test
  void isCompleteFromStartToEnd() {
    assertThat(of().isComplete()).isFalse();
    assertThat(of("", "").isComplete()).isTrue();
    assertThat(of("m", "", "", "m").isComplete()).isTrue();
    assertThat(of("", "n", "m", "").isComplete()).isTrue();
    assertThat(of("", "m").isComplete()).isFalse();
    assertThat(of("", "m", "n", "").isComplete()).isFalse();
    assertThat(of("m", "").isComplete()).as("the start is not built").isFalse();
  }

  @Test
  void coversWhatIsInOneStretch() {
    BuiltRanges built = of("b", "d", "d", "f", "x", "");
    assertThat(built.covers(b("b"), b("f"))).isTrue();
    assertThat(built.covers(b("c"), b("e"))).isTrue();
    assertThat(built.covers(b("a"), b("c"))).isFalse();
    assertThat(built.covers(b("e"), b("g"))).isFalse();
    assertThat(built.covers(b("e"), b(""))).isFalse();
    assertThat(built.covers(b("y"), b(""))).isTrue();
    assertThat(built.covers(b(""), b("b"))).isFalse();
  }

  @Test
  void reachesToTheFirstRowThatIsNotBuilt() {
    BuiltRanges built = of("b", "d", "c", "f");
    assertThat(built.reach(b("b"))).isEqualTo(b("f"));
    assertThat(built.reach(b("a"))).isEqualTo(b("a"));
    assertThat(built.reach(b("f"))).isEqualTo(b("f"));
    assertThat(of("m", "").reach(b("q"))).isEmpty();
  }

  @Test
  void travels() throws Exception {
    assertThat(BuiltRanges.decode(of("a", "b", "m", "").encode()).ranges())
        .hasToString(of("a", "b", "m", "").ranges().toString());
  }
}
