package io.spyhop.core.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PrefixRangeTest {
  private static final ValueCodec BYTES = ValueType.BYTES.codec();

  @Provide
  Arbitrary<byte[]> contents() {
    return StoredValues.bytes();
  }

  private static boolean contains(KeyRange range, byte[] value) {
    ValueKey key = BYTES.key(value, 0, value.length);
    return range.lower().compareTo(key) <= 0
        && (range.upper() == null || key.compareTo(range.upper()) <= 0);
  }

  @Property(tries = 5_000)
  void holdsEveryValueWithThePrefix(
      @ForAll("contents") byte[] prefix, @ForAll("contents") byte[] rest) {
    assertThat(contains(BYTES.prefixRange(prefix), Bytes.add(prefix, rest))).isTrue();
    assertThat(contains(BYTES.prefixRange(prefix), prefix)).isTrue();
  }

  @Property(tries = 5_000)
  void holdsHardlyAnyOtherValue(
      @ForAll("contents") byte[] prefix, @ForAll("contents") byte[] value) {
    int cut = Math.min(prefix.length, ValueCodec.MAX_KEYED_BYTES);
    boolean starts = value.length >= cut && Arrays.equals(prefix, 0, cut, value, 0, cut);
    ValueKey upper = BYTES.prefixRange(prefix).upper();
    boolean isUpper = BYTES.key(value, 0, value.length).equals(upper);
    assertThat(contains(BYTES.prefixRange(prefix), value)).isEqualTo(starts || isUpper);
  }

  @Test
  void thePrefixOfNothingHasNoUpperBound() {
    assertThat(BYTES.prefixRange(new byte[0]).upper()).isNull();
    assertThat(BYTES.prefixRange(new byte[] {-1, -1}).upper()).isNull();
    assertThat(BYTES.prefixRange(new byte[] {7, -1}).upper())
        .isEqualTo(BYTES.operand(new byte[] {8}).key());
  }

  @Test
  void v1DoesNotHoldV2ButV10() {
    KeyRange range = ValueType.STRING.codec().prefixRange(StoredValues.utf8("v1"));
    assertThat(contains(range, StoredValues.utf8("v10"))).isTrue();
    assertThat(contains(range, StoredValues.utf8("v0z"))).isFalse();
    assertThat(contains(range, StoredValues.utf8("v20"))).isFalse();
  }

  @ParameterizedTest
  @EnumSource(ValueType.class)
  void onlyVerbatimTypesHavePrefixes(ValueType type) {
    Set<ValueType> verbatim = EnumSet.of(ValueType.STRING, ValueType.BYTES);
    assertThat(type.codec().supportsPrefix()).isEqualTo(verbatim.contains(type));
    if (!verbatim.contains(type)) {
      assertThatThrownBy(() -> type.codec().prefixRange(new byte[] {1}))
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessage("values of type " + type + " have no prefix order");
    }
  }
}
