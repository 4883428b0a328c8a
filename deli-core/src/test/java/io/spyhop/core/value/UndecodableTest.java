package io.spyhop.core.value;

import static org.apache.hadoop.hbase.util.Order.DESCENDING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.spyhop.core.value.StoredValues.Cell;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Arrays;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.OrderedBytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Cells hold anything; bytes of another shape are undecodable, and nothing worse happens. */
class UndecodableTest {
  @Provide
  Arbitrary<Cell> junk() {
    return StoredValues.junk();
  }

  @Provide
  Arbitrary<Cell> cells() {
    return StoredValues.cells();
  }

  @Property(tries = 30_000)
  void junkIsEitherAValueOrUndecodableEverywhere(
      @ForAll("junk") Cell cell, @ForAll("cells") Cell other) {
    assertConsistent(cell);
    byte[] b = cell.bytes();
    Operand operand = other.type().codec().operandFromStored(other.bytes());
    boolean undecodable = operand.compareStored(b, 0, b.length) == Operand.UNDECODABLE;
    assertThat(undecodable).isEqualTo(!other.type().codec().isDecodable(b, 0, b.length));
  }

  private static void assertConsistent(Cell cell) {
    ValueCodec codec = cell.type().codec();
    byte[] b = cell.bytes();
    boolean decodable = codec.isDecodable(b, 0, b.length);
    assertThat(codec.key(b, 0, b.length) != null).isEqualTo(decodable);
    assertThat(codec.decode(b, 0, b.length) != null).isEqualTo(decodable);
    assertThat(codec.display(b, 0, b.length).startsWith("undecodable '")).isEqualTo(!decodable);
    if (!decodable) {
      assertThatThrownBy(() -> codec.operandFromStored(b))
          .isInstanceOf(InvalidValueException.class)
          .hasMessageContaining("is not a value of type " + cell.type());
    }
  }

  @ParameterizedTest
  @EnumSource(ValueType.class)
  void emptyBytesAreAValueOfTextAndBytesOnly(ValueType type) {
    boolean expected = type == ValueType.STRING || type == ValueType.BYTES;
    assertThat(type.codec().isDecodable(new byte[0], 0, 0)).isEqualTo(expected);
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource({
    "STRING, \\xC0\\x80, overlong",
    "STRING, \\xE0\\x9F\\xBF, overlong",
    "STRING, \\xED\\xA0\\x80, surrogate",
    "STRING, \\xF4\\x90\\x80\\x80, above U+10FFFF",
    "STRING, abc\\xE2\\x82, truncated",
    "STRING, \\x80, continuation alone",
    "INT, 123, three bytes",
    "INT, 12345678, eight bytes",
    "LONG, 1234, four bytes",
    "FLOAT, 12345678, eight bytes",
    "DOUBLE, 1234, four bytes",
    "DECIMAL, 1234, scale only",
    "BOOLEAN, 12, two bytes",
    "TIMESTAMP, 1234, four bytes",
    "DATE, 1997-02-29, no leap year",
    "DATE, 1900-02-29, no leap year either",
    "DATE, 1997-13-01, month 13",
    "DATE, 1997-00-01, month 0",
    "DATE, 1997-01-00, day 0",
    "DATE, 1997-04-31, day 31",
    "DATE, 1997-3-1, short",
    "DATE, 1997-03-10\\x20, trimmed by nobody",
    "DATE, 1997/03/10, slashes",
    "DATE, -997-03-10, negative year",
    "TEXT_LONG, -, no digits",
    "TEXT_LONG, +1, plus",
    "TEXT_LONG, 1.0, point",
    "TEXT_LONG, 0x10, hexadecimal",
    "TEXT_LONG, 9223372036854775808, too great",
    "TEXT_LONG, -9223372036854775809, too small",
    "TEXT_LONG, 99999999999999999999999, far too great",
    "TEXT_DOUBLE, ., no digits",
    "TEXT_DOUBLE, 1e, no exponent",
    "TEXT_DOUBLE, 1e+, no exponent",
    "TEXT_DOUBLE, e5, no digits",
    "TEXT_DOUBLE, 1d, suffix",
    "TEXT_DOUBLE, 0x1p3, hexadecimal",
    "TEXT_DOUBLE, NaN, not a number",
    "TEXT_DOUBLE, Infinity, not a number",
    "TEXT_DOUBLE, 1e999, beyond the greatest double",
    "TEXT_DOUBLE, 1 000, space",
    "ORDERED_INT8, )\\x80\\x00, trailing byte",
    "ORDERED_INT64, \\x2C\\x80, truncated",
    "ORDERED_INT64, \\x2B\\x80\\x00\\x00\\x00, an int32",
    "ORDERED_FLOAT64, 1\\x80, truncated",
    "ORDERED_STRING, 4abc, no terminator",
    "ORDERED_STRING, 4a\\x00b\\x00, terminator within",
    "ORDERED_STRING, 4\\xFF\\x00, malformed UTF-8",
    "ORDERED_BLOB, 7, header only",
    "ORDERED_BLOB, 7\\x80, no last group",
    "ORDERED_BLOB, 7\\x40, seven bits are no byte",
    "ORDERED_BLOB, 7\\x80\\x01, fill bits set",
    "ORDERED_BLOB, 7\\x80\\x80\\x80\\x80\\x80\\x80\\x80\\x80\\x00, a group without content",
    "ORDERED_BLOB, 7\\x80\\x00\\x00, bytes after the last group",
    "ORDERED_NUMERIC, \\x05, null",
    "ORDERED_NUMERIC, \\x07, -infinity",
    "ORDERED_NUMERIC, #, infinity",
    "ORDERED_NUMERIC, &, NaN",
    "ORDERED_NUMERIC, \\x15\\x15, two zeros",
    "ORDERED_NUMERIC, \\x18, no digits",
    "ORDERED_NUMERIC, \\x18\\x03, no last digit",
    "ORDERED_NUMERIC, \\x18\\x02\\x02, digits after the last",
    "ORDERED_NUMERIC, \\x18\\x00, leading zero",
    "ORDERED_NUMERIC, \\x18\\xC8, a pair of digits above 99",
    "ORDERED_NUMERIC, \"\\xFF\\x01, truncated exponent",
    "ORDERED_NUMERIC, \"\\xFB\\xFF\\xFF\\xFF\\xFF\\x02, absurd exponent"
  })
  void isUndecodable(ValueType type, String bytes, String why) {
    byte[] b = Bytes.toBytesBinary(bytes);
    assertThat(type.codec().isDecodable(b, 0, b.length)).as(why).isFalse();
    assertConsistent(new Cell(type, b));
  }

  @Test
  void descendingValuesAreUndecodable() {
    byte[] int32 = StoredValues.ordered(r -> OrderedBytes.encodeInt32(r, 7, DESCENDING));
    byte[] text = StoredValues.ordered(r -> OrderedBytes.encodeString(r, "x", DESCENDING));
    byte[] number = StoredValues.ordered(r -> OrderedBytes.encodeNumeric(r, 7, DESCENDING));
    assertThat(ValueType.ORDERED_INT32.codec().isDecodable(int32, 0, int32.length)).isFalse();
    assertThat(ValueType.ORDERED_STRING.codec().isDecodable(text, 0, text.length)).isFalse();
    assertThat(ValueType.ORDERED_NUMERIC.codec().isDecodable(number, 0, number.length)).isFalse();
  }

  @Test
  void longTextOfADoubleIsUndecodable() {
    byte[] longest =
        StoredValues.utf8("1" + ".0".repeat(1) + "0".repeat(TextDouble.MAX_LENGTH - 3));
    assertThat(ValueType.TEXT_DOUBLE.codec().isDecodable(longest, 0, longest.length)).isTrue();
    byte[] longer = Arrays.copyOf(longest, longest.length + 1);
    longer[longest.length] = '0';
    assertThat(ValueType.TEXT_DOUBLE.codec().isDecodable(longer, 0, longer.length)).isFalse();
  }

  @Test
  void decimalsHaveABoundedNumberOfDigits() {
    int bits = PlainDecimal.MAX_UNSCALED_BYTES * Byte.SIZE - 1;
    BigInteger greatest = BigInteger.ONE.shiftLeft(bits).subtract(BigInteger.ONE);
    byte[] fits = Bytes.toBytes(new BigDecimal(greatest));
    byte[] exceeds = Bytes.toBytes(new BigDecimal(greatest.add(BigInteger.ONE)));
    assertThat(ValueType.DECIMAL.codec().isDecodable(fits, 0, fits.length)).isTrue();
    assertThat(ValueType.DECIMAL.codec().isDecodable(exceeds, 0, exceeds.length)).isFalse();
  }

  @Test
  void absurdScalesTakeNoTime() {
    ValueCodec codec = ValueType.DECIMAL.codec();
    BigInteger many = BigInteger.TEN.pow(2000).add(BigInteger.ONE);
    byte[] huge = Bytes.toBytes(new BigDecimal(many, Integer.MIN_VALUE));
    byte[] tiny = Bytes.toBytes(new BigDecimal(many.negate(), Integer.MAX_VALUE));
    byte[] zero = Bytes.toBytes(new BigDecimal(BigInteger.ZERO, Integer.MIN_VALUE));
    assertTimeoutPreemptively(
        Duration.ofSeconds(10),
        () -> {
          assertThat(codec.operandFromStored(huge).compareStored(tiny, 0, tiny.length))
              .isNegative();
          assertThat(codec.operandFromStored(tiny).compareStored(zero, 0, zero.length))
              .isPositive();
          assertThat(codec.operand(0).compareStored(zero, 0, zero.length)).isZero();
          assertThat(codec.key(huge, 0, huge.length)).isSameAs(ValueKey.UNKEYABLE);
          assertThat(codec.key(tiny, 0, tiny.length)).isSameAs(ValueKey.UNKEYABLE);
          assertThat(codec.key(zero, 0, zero.length)).isEqualTo(codec.operand(0).key());
          assertThat(codec.display(huge, 0, huge.length)).contains("E+");
        });
  }

  @Test
  void largeExponentsOfOrderedNumericsTakeNoTime() {
    ValueCodec codec = ValueType.ORDERED_NUMERIC.codec();
    byte[] large = StoredValues.orderedNumeric(new BigDecimal("1E+900000000"));
    byte[] larger = StoredValues.orderedNumeric(new BigDecimal("1E+900000001"));
    assertTimeoutPreemptively(
        Duration.ofSeconds(10),
        () -> {
          assertThat(codec.operandFromStored(large).compareStored(larger, 0, larger.length))
              .isPositive();
          assertThat(codec.key(large, 0, large.length)).isSameAs(ValueKey.UNKEYABLE);
          assertThat(codec.display(large, 0, large.length)).isEqualTo("1E+900000000");
        });
  }
}
