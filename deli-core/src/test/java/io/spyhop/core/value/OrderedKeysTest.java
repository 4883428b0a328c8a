package io.spyhop.core.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.Arrays;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.OrderedBytes;
import org.apache.hadoop.hbase.util.SimplePositionedMutableByteRange;
import org.junit.jupiter.api.Test;

/** Encoded keys: their bytes, what makes them inexact, and why values are prepared first. */
class OrderedKeysTest {
  @Provide
  Arbitrary<byte[]> contents() {
    return StoredValues.bytes();
  }

  @Test
  void blobVarAloneDoesNotKeepTheOrder() {
    byte[] three = StoredValues.orderedBlob(StoredValues.utf8("3"));
    byte[] two = StoredValues.orderedBlob(StoredValues.utf8("2x"));
    assertThat(Bytes.compareTo(three, two)).as("should be positive").isNegative();
  }

  @Property(tries = 20_000)
  void contentKeysKeepTheOrder(@ForAll("contents") byte[] a, @ForAll("contents") byte[] b) {
    int keys = OrderedKeys.ofContent(a, true).compareTo(OrderedKeys.ofContent(b, true));
    assertThat(Integer.signum(keys)).isEqualTo(Integer.signum(Arrays.compareUnsigned(a, b)));
  }

  @Property
  void contentKeysDecodeToTheContentAndAZero(@ForAll("contents") byte[] content) {
    byte[] key = OrderedKeys.ofContent(content, true).bytes();
    byte[] decoded = OrderedBytes.decodeBlobVar(new SimplePositionedMutableByteRange(key));
    assertThat(decoded).isEqualTo(Arrays.copyOf(content, content.length + 1));
  }

  @Test
  void keysAreTheBytesOfOrderedBytes() {
    assertThat(ValueType.LONG.codec().operand(-4).key())
        .hasToString("\\x2C\\x7F\\xFF\\xFF\\xFF\\xFF\\xFF\\xFF\\xFC".replace("\\x2C", ","));
    assertThat(ValueType.BOOLEAN.codec().operand(true).key()).hasToString(")\\x81");
    assertThat(ValueType.DECIMAL.codec().operand("1.5").key()).hasToString("\\x18\\x03d");
    assertThat(ValueType.DATE.codec().operand("1970-01-02").key())
        .isEqualTo(ValueType.LONG.codec().operand(1).key());
  }

  @Test
  void longContentIsCut() {
    ValueCodec codec = ValueType.STRING.codec();
    String longest = "a".repeat(ValueCodec.MAX_KEYED_BYTES);
    ValueKey whole = codec.operand(longest).key();
    ValueKey cut = codec.operand(longest + "b").key();
    assertThat(whole.isExact()).isTrue();
    assertThat(cut.isExact()).isFalse();
    assertThat(cut).isEqualTo(whole);
    assertThat(cut.toString()).endsWith("~");
    assertThat(whole.bytes()).hasSize(588);
  }

  @Test
  void longDecimalsAreRoundedTowardsZero() {
    String digits = "1234567890123456789012345678901";
    ValueKey exact = key(digits);
    ValueKey rounded = key(digits + ".9");
    assertThat(exact.isExact()).isTrue();
    assertThat(rounded.isExact()).isFalse();
    assertThat(rounded).isEqualTo(exact);
    assertThat(key("-" + digits + ".9")).isEqualTo(key("-" + digits));
    assertThat(key(digits + "0000.000").isExact()).as("zeros do not count").isTrue();
  }

  @Test
  void decimalsJustBelowOneStayBelowOne() {
    String nines = "0." + "9".repeat(40);
    assertThat(key(nines)).isLessThan(key("1")).isGreaterThan(key("0.5"));
    assertThat(key("-" + nines)).isGreaterThan(key("-1")).isLessThan(key("-0.5"));
  }

  @Test
  void extremeDecimalsAreUnkeyable() {
    assertThat(key("9.99E+999").isUnkeyable()).isFalse();
    assertThat(key("1E+1000").isUnkeyable()).isTrue();
    assertThat(key("-1E+1000").isUnkeyable()).isTrue();
    assertThat(key("1E-1001").isUnkeyable()).isFalse();
    assertThat(key("9.9E-1002").isUnkeyable()).isTrue();
    assertThat(key("0E-2000").isUnkeyable()).isFalse();
  }

  @Test
  void unkeyableSortsFirstAndIsRecognised() {
    assertThat(ValueKey.UNKEYABLE.bytes()).containsExactly(1);
    assertThat(ValueKey.UNKEYABLE.isExact()).isFalse();
    assertThat(ValueKey.UNKEYABLE).isLessThan(key("-1E+999"));
    assertThat(ValueKey.of(new byte[] {1}, true)).isSameAs(ValueKey.UNKEYABLE);
  }

  @Test
  void keysAreEqualByTheirBytes() {
    assertThat(ValueKey.of(new byte[] {5, 6}, true))
        .isEqualTo(ValueKey.of(new byte[] {5, 6}, false))
        .hasSameHashCodeAs(ValueKey.of(new byte[] {5, 6}, false))
        .isNotEqualTo(ValueKey.of(new byte[] {5}, true));
  }

  private static ValueKey key(String decimal) {
    return ValueType.DECIMAL.codec().operand(new BigDecimal(decimal)).key();
  }
}
