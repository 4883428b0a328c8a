package io.spyhop.client.internal.exec;

import static io.spyhop.client.internal.exec.RowRangeTest.range;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class RowRangesTest {
  private static final RowRanges SOME =
      new RowRanges(List.of(range("b", "d"), range("f", "h"), range("m", "")));

  private static boolean contains(String key) {
    return SOME.contains(Bytes.toBytes(key));
  }

  @Test
  void keysAreInOneOfThemOrInNone() {
    assertThat(List.of("b", "c", "f", "g", "m", "z")).allMatch(RowRangesTest::contains);
    assertThat(List.of("a", "d", "e", "h", "l")).noneMatch(RowRangesTest::contains);
    assertThat(new RowRanges(List.of()).contains(Bytes.toBytes("a"))).isFalse();
    assertThat(RowRanges.ALL.contains(Bytes.toBytes("a"))).isTrue();
  }

  @Test
  void otherRangesOverlapThemOrNot() {
    assertThat(SOME.overlaps(range("c", "e"))).isTrue();
    assertThat(SOME.overlaps(range("d", "f"))).isFalse();
    assertThat(SOME.overlaps(range("", ""))).isTrue();
  }

  @Test
  void whatIsBehindAKeyIsLeft() {
    assertThat(SOME.after(Bytes.toBytes("g")))
        .isEqualTo(new RowRanges(List.of(range("g\0", "h"), range("m", ""))));
    assertThat(SOME.after(Bytes.toBytes("a"))).isEqualTo(SOME);
    assertThat(SOME.after(Bytes.toBytes("d")).ranges()).hasSize(2);
  }

  @Test
  void eachIsCut() {
    assertThat(SOME.cut(RowRangeTest.keys("c", "e", "p")))
        .containsExactly(
            range("b", "c"), range("c", "d"), range("f", "h"), range("m", "p"), range("p", ""));
  }

  @Test
  void theHullHasAllOfThem() {
    assertThat(SOME.hull()).isEqualTo(range("b", ""));
    assertThat(new RowRanges(List.of()).hull().isEmpty()).isTrue();
  }
}
