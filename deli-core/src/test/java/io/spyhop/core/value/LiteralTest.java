package io.spyhop.core.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Date;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Literals and the values they mean, the text of operands, and the words of refusals. */
class LiteralTest {
  static Stream<Arguments> accepted() {
    return Stream.of(
        arguments(ValueType.STRING, "O'Hara", "'O''Hara'"),
        arguments(ValueType.STRING, "", "''"),
        arguments(ValueType.STRING, "\0 \ud83d\udc0b", "'\0 \ud83d\udc0b'"),
        arguments(ValueType.BYTES, new byte[] {0, 'a', -1}, "'\\x00a\\xFF'"),
        arguments(ValueType.BYTES, "\\x00a\\xff\\n", "'\\x00a\\xFF\\x5Cn'"),
        arguments(ValueType.INT, 42, "42"),
        arguments(ValueType.INT, 42L, "42"),
        arguments(ValueType.INT, 42.0, "42"),
        arguments(ValueType.INT, new BigDecimal("42.00"), "42"),
        arguments(ValueType.INT, BigInteger.valueOf(-42), "-42"),
        arguments(ValueType.INT, new AtomicLong(42), "42"),
        arguments(ValueType.INT, "42", "42"),
        arguments(ValueType.INT, "4.2e1", "42"),
        arguments(ValueType.LONG, "9223372036854775807", "9223372036854775807"),
        arguments(ValueType.LONG, Long.MIN_VALUE, "-9223372036854775808"),
        arguments(ValueType.FLOAT, 0.1, "0.1"),
        arguments(ValueType.FLOAT, "0.1", "0.1"),
        arguments(ValueType.FLOAT, "NaN", "NaN"),
        arguments(ValueType.DOUBLE, 0.1f, "0.1"),
        arguments(ValueType.DOUBLE, 20000, "20000"),
        arguments(ValueType.DOUBLE, "2e4", "20000"),
        arguments(ValueType.DOUBLE, new BigDecimal("0.10"), "0.1"),
        arguments(ValueType.DOUBLE, -0.0, "0"),
        arguments(ValueType.DOUBLE, 1e300, "1E+300"),
        arguments(ValueType.DOUBLE, Float.NEGATIVE_INFINITY, "-Infinity"),
        arguments(ValueType.DECIMAL, "1.50", "1.50"),
        arguments(ValueType.DECIMAL, 0.1, "0.1"),
        arguments(ValueType.DECIMAL, new BigDecimal("1E+2000000000"), "1E+2000000000"),
        arguments(ValueType.BOOLEAN, true, "true"),
        arguments(ValueType.BOOLEAN, "False", "false"),
        arguments(ValueType.TIMESTAMP, 0L, "1970-01-01T00:00:00Z"),
        arguments(ValueType.TIMESTAMP, "857995200000", "1997-03-10T12:00:00Z"),
        arguments(
            ValueType.TIMESTAMP,
            Date.from(Instant.ofEpochMilli(857995200000L)),
            "1997-03-10T12:00:00Z"),
        arguments(
            ValueType.TIMESTAMP, Instant.parse("1997-03-10T12:00:00Z"), "1997-03-10T12:00:00Z"),
        arguments(ValueType.TIMESTAMP, "1997-03-10T12:00:00Z", "1997-03-10T12:00:00Z"),
        arguments(ValueType.TIMESTAMP, "1997-03-10 12:00:00", "1997-03-10T12:00:00Z"),
        arguments(ValueType.TIMESTAMP, "1997-03-10 12:00:00.25", "1997-03-10T12:00:00.250Z"),
        arguments(ValueType.TIMESTAMP, "1997-03-10T14:00:00+02:00", "1997-03-10T12:00:00Z"),
        arguments(ValueType.DATE, LocalDate.of(1997, 3, 10), "1997-03-10"),
        arguments(ValueType.DATE, "0000-02-29", "0000-02-29"),
        arguments(ValueType.DATE, "9999-12-31", "9999-12-31"),
        arguments(ValueType.TEXT_LONG, "007", "7"),
        arguments(ValueType.TEXT_DOUBLE, "-.5", "-0.5"),
        arguments(ValueType.ORDERED_INT8, -128, "-128"),
        arguments(ValueType.ORDERED_INT16, 32767, "32767"),
        arguments(ValueType.ORDERED_INT32, "1", "1"),
        arguments(ValueType.ORDERED_INT64, 1, "1"),
        arguments(ValueType.ORDERED_FLOAT32, 0.1, "0.1"),
        arguments(ValueType.ORDERED_FLOAT64, 0.1, "0.1"),
        arguments(ValueType.ORDERED_NUMERIC, "12.30", "12.30"),
        arguments(ValueType.ORDERED_NUMERIC, "0", "0"),
        arguments(ValueType.ORDERED_STRING, "a", "'a'"),
        arguments(ValueType.ORDERED_BLOB, "\\x00", "'\\x00'"));
  }

  @ParameterizedTest
  @MethodSource("accepted")
  void isAValue(ValueType type, Object literal, String shown) {
    Operand operand = type.codec().operand(literal);
    assertThat(operand).hasToString(shown);
    assertThat(operand.type()).isSameAs(type);
    byte[] stored = operand.stored();
    assertThat(operand.compareStored(stored, 0, stored.length)).isZero();
    assertThat(type.codec().operandFromStored(stored)).isEqualTo(operand);
  }

  @ParameterizedTest
  @MethodSource("accepted")
  void itsKeyShowsIt(ValueType type, Object literal, String shown) {
    ValueKey key = type.codec().operand(literal).key();
    String text = type.codec().displayKey(key.bytes());
    if (key.isUnkeyable()) {
      assertThat(text).isEqualTo("a value without a key");
    } else if (type == ValueType.DECIMAL || type == ValueType.ORDERED_NUMERIC) {
      assertThat(new BigDecimal(text)).isEqualByComparingTo(shown);
    } else {
      assertThat(text).isEqualTo(shown);
    }
  }

  static Stream<Arguments> refused() {
    String whole32 = "a whole number between -2147483648 and 2147483647";
    String whole64 = "a whole number between -9223372036854775808 and 9223372036854775807";
    String time =
        "milliseconds since 1970, or a time such as '1997-03-10 12:00:00' (UTC) or"
            + " '1997-03-10T12:00:00Z', in whole milliseconds";
    String date = "a date such as '1997-03-10', between 0000-01-01 and 9999-12-31";
    return Stream.of(
        arguments(ValueType.LONG, "abc", "'abc'", "a whole number"),
        arguments(ValueType.LONG, null, "null", "a whole number"),
        arguments(ValueType.LONG, true, "true", "a whole number"),
        arguments(ValueType.LONG, " 1", "' 1'", "a whole number"),
        arguments(ValueType.LONG, "\u0661", "'\u0661'", "a whole number"),
        arguments(ValueType.LONG, Double.NaN, "NaN", "a whole number"),
        arguments(ValueType.LONG, 1.5, "1.5", whole64),
        arguments(ValueType.LONG, "9223372036854775808", "'9223372036854775808'", whole64),
        arguments(ValueType.LONG, new BigDecimal("1E+2147483647"), "1E+2147483647", whole64),
        arguments(ValueType.LONG, new BigDecimal("1E-2147483647"), "1E-2147483647", whole64),
        arguments(ValueType.LONG, "1e99999999999", "'1e99999999999'", "a whole number"),
        arguments(ValueType.INT, 3000000000L, "3000000000", whole32),
        arguments(ValueType.ORDERED_INT8, 128, "128", "a whole number between -128 and 127"),
        arguments(
            ValueType.ORDERED_INT16, -40000, "-40000", "a whole number between -32768 and 32767"),
        arguments(ValueType.DOUBLE, "1d", "'1d'", "a number"),
        arguments(ValueType.DOUBLE, "1e400", "'1e400'", "a number within its range"),
        arguments(ValueType.FLOAT, 1e300, "1.0E300", "a number within its range"),
        arguments(ValueType.TEXT_DOUBLE, "NaN", "'NaN'", "a finite number"),
        arguments(ValueType.DECIMAL, Double.POSITIVE_INFINITY, "Infinity", "a number"),
        arguments(
            ValueType.ORDERED_NUMERIC,
            "1.0000000000000000000000000000001",
            "'1.0000000000000000000000000000001'",
            "a number of at most 31 significant digits, and no nearer to 0 than 10^-1000000000"),
        arguments(ValueType.BOOLEAN, 1, "1", "true or false"),
        arguments(ValueType.BOOLEAN, "yes", "'yes'", "true or false"),
        arguments(ValueType.TIMESTAMP, "yesterday", "'yesterday'", time),
        arguments(ValueType.TIMESTAMP, "1997-02-29 12:00:00", "'1997-02-29 12:00:00'", time),
        arguments(
            ValueType.TIMESTAMP,
            Instant.ofEpochSecond(0, 1),
            "1970-01-01T00:00:00.000000001Z",
            time),
        arguments(ValueType.TIMESTAMP, Instant.MAX, Instant.MAX.toString(), time),
        arguments(ValueType.TIMESTAMP, true, "true", time),
        arguments(ValueType.DATE, "1997-02-29", "'1997-02-29'", date),
        arguments(ValueType.DATE, LocalDate.of(10000, 1, 1), "+10000-01-01", date),
        arguments(ValueType.DATE, 19970310, "19970310", date),
        arguments(ValueType.STRING, 5, "5", "text"),
        arguments(ValueType.STRING, "\ud800", "'\ud800'", "text without unpaired surrogates"),
        arguments(ValueType.ORDERED_STRING, "a\0", "'a\0'", "text without U+0000"),
        arguments(
            ValueType.BYTES, "\\x4", "'\\x4'", "bytes, or ASCII text with other bytes as \\xHH"),
        arguments(ValueType.BYTES, "é", "'é'", "bytes, or ASCII text with other bytes as \\xHH"),
        arguments(ValueType.BYTES, 5, "5", "bytes, or ASCII text with other bytes as \\xHH"));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void isRefused(ValueType type, Object literal, String shown, String expected) {
    assertThatThrownBy(() -> type.codec().operand(literal))
        .isInstanceOf(InvalidValueException.class)
        .hasMessage(shown + " is not a value of type " + type + ": expected " + expected);
  }

  @Test
  void longLiteralsAreCutInMessages() {
    assertThatThrownBy(() -> ValueType.LONG.codec().operand("x".repeat(10_000)))
        .hasMessage(
            "'" + "x".repeat(79) + "... is not a value of type LONG: expected a whole number");
  }

  @Test
  void decimalsBeyondTheStoredFormAreRefused() {
    BigDecimal long2500 = new BigDecimal(BigInteger.TEN.pow(2500));
    assertThatThrownBy(() -> ValueType.DECIMAL.codec().operand(long2500))
        .hasMessageEndingWith("expected a number of digits that fit 1024 bytes");
  }

  @Test
  void longByteLiteralsAreRead() {
    Operand operand = ValueType.BYTES.codec().operand("\\x00a".repeat(100_000));
    assertThat(operand.stored()).hasSize(200_000);
  }

  @Test
  void storedBytesOfAnotherShapeAreRefused() {
    assertThatThrownBy(() -> ValueType.INT.codec().operandFromStored(Bytes.toBytes(1L)))
        .isInstanceOf(InvalidValueException.class)
        .hasMessage(
            "'\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x01' is not a value of type INT: expected bytes"
                + " as a cell of that type has them");
  }

  @Test
  void operandsOfTwoTypesAreNotComparable() {
    Operand i = ValueType.INT.codec().operand(1);
    Operand l = ValueType.LONG.codec().operand(1);
    assertThat(i).isNotEqualTo(l);
    assertThatThrownBy(() -> i.compareTo(l))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("cannot compare a INT with a LONG");
  }

  @Test
  void operandsDoNotShareTheirBytes() {
    byte[] literal = {1, 2};
    Operand operand = ValueType.BYTES.codec().operand(literal);
    literal[0] = 9;
    operand.stored()[0] = 9;
    ((byte[]) operand.value())[0] = 9;
    assertThat(operand).hasToString("'\\x01\\x02'");
  }
}
