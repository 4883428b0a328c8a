package io.spyhop.core.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.LocalDate;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The meaning of stored bytes: one example per rule. */
class StoredFormTest {
  private static Object decode(ValueType type, byte[] b) {
    return type.codec().decode(b, 0, b.length);
  }

  /** The sign of stored value a relative to stored value b. */
  private static int compare(ValueType type, byte[] a, byte[] b) {
    return Integer.signum(type.codec().operandFromStored(b).compareStored(a, 0, a.length));
  }

  private static ValueKey key(ValueType type, byte[] b) {
    return type.codec().key(b, 0, b.length);
  }

  @Test
  void decodedValuesHaveTheDocumentedClasses() {
    assertThat(decode(ValueType.STRING, StoredValues.utf8("é"))).isEqualTo("é");
    assertThat(decode(ValueType.BYTES, new byte[] {1})).isEqualTo(new byte[] {1});
    assertThat(decode(ValueType.INT, Bytes.toBytes(-5))).isEqualTo(-5);
    assertThat(decode(ValueType.LONG, Bytes.toBytes(-5L))).isEqualTo(-5L);
    assertThat(decode(ValueType.FLOAT, Bytes.toBytes(0.1f))).isEqualTo(0.1f);
    assertThat(decode(ValueType.DOUBLE, Bytes.toBytes(0.1))).isEqualTo(0.1);
    assertThat(decode(ValueType.DECIMAL, Bytes.toBytes(new BigDecimal("1.50"))))
        .isEqualTo(new BigDecimal("1.50"));
    assertThat(decode(ValueType.BOOLEAN, Bytes.toBytes(true))).isEqualTo(true);
    assertThat(decode(ValueType.TIMESTAMP, Bytes.toBytes(1L))).isEqualTo(1L);
    assertThat(decode(ValueType.DATE, StoredValues.utf8("1997-03-10")))
        .isEqualTo(LocalDate.of(1997, 3, 10));
    assertThat(decode(ValueType.TEXT_LONG, StoredValues.utf8("-007"))).isEqualTo(-7L);
    assertThat(decode(ValueType.TEXT_DOUBLE, StoredValues.utf8("1.5e1"))).isEqualTo(15.0);
    assertThat(decode(ValueType.ORDERED_INT8, new byte[] {0x29, 0x7f})).isEqualTo(-1);
  }

  @Test
  void negativeZeroEqualsZero() {
    assertThat(compare(ValueType.DOUBLE, Bytes.toBytes(-0.0), Bytes.toBytes(0.0))).isZero();
    assertThat(compare(ValueType.FLOAT, Bytes.toBytes(0f), Bytes.toBytes(-0f))).isZero();
    assertThat(key(ValueType.DOUBLE, Bytes.toBytes(-0.0)))
        .isEqualTo(key(ValueType.DOUBLE, Bytes.toBytes(0.0)));
  }

  @Test
  void everyNanIsTheSameAndGreatest() {
    byte[] nan = Bytes.toBytes(Double.NaN);
    byte[] otherNan = Bytes.toBytes(-1L);
    byte[] infinity = Bytes.toBytes(Double.POSITIVE_INFINITY);
    assertThat(compare(ValueType.DOUBLE, nan, otherNan)).isZero();
    assertThat(compare(ValueType.DOUBLE, otherNan, infinity)).isPositive();
    assertThat(compare(ValueType.DOUBLE, infinity, nan)).isNegative();
    assertThat(key(ValueType.DOUBLE, nan)).isEqualTo(key(ValueType.DOUBLE, otherNan));
    assertThat(key(ValueType.DOUBLE, nan)).isGreaterThan(key(ValueType.DOUBLE, infinity));
  }

  @Test
  void anyByteButZeroIsTrue() {
    assertThat(decode(ValueType.BOOLEAN, new byte[] {0})).isEqualTo(false);
    assertThat(decode(ValueType.BOOLEAN, new byte[] {1})).isEqualTo(true);
    assertThat(compare(ValueType.BOOLEAN, new byte[] {1}, new byte[] {-1})).isZero();
    assertThat(compare(ValueType.BOOLEAN, new byte[] {0}, new byte[] {-128})).isNegative();
    assertThat(ValueType.BOOLEAN.codec().operand(true).stored()).isEqualTo(Bytes.toBytes(true));
  }

  @ParameterizedTest
  @CsvSource({"1.0, 1.00, 0", "0, 0E+2147483647, 0", "-1, -2, 1", "9.99, 10, -1", "1E+3, 999, 1"})
  void decimalsCompareByValue(BigDecimal a, BigDecimal b, int expected) {
    assertThat(compare(ValueType.DECIMAL, Bytes.toBytes(a), Bytes.toBytes(b))).isEqualTo(expected);
  }

  @Test
  void decimalsMayHaveSignBytesToSpare() {
    byte[] spare = {0, 0, 0, 1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -15};
    assertThat(decode(ValueType.DECIMAL, spare)).isEqualTo(new BigDecimal("-1.5"));
    byte[] one = {0, 0, 0, 1, -15};
    assertThat(key(ValueType.DECIMAL, spare)).isEqualTo(key(ValueType.DECIMAL, one));
  }

  @ParameterizedTest
  @CsvSource({"007, 7", "-0, 0", "-9223372036854775808, -9223372036854775808", "000, 0"})
  void textOfALong(String stored, long expected) {
    assertThat(decode(ValueType.TEXT_LONG, StoredValues.utf8(stored))).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1",
    "+1.5, 1.5",
    ".5, 0.5",
    "5., 5",
    "-2e-3, -0.002",
    "1E308, 1e308",
    "4.9e-324, 4.9e-324"
  })
  void textOfADouble(String stored, double expected) {
    assertThat(decode(ValueType.TEXT_DOUBLE, StoredValues.utf8(stored))).isEqualTo(expected);
  }

  @Test
  void everyDayOfTheCalendarIsRead() {
    LocalDate last = LocalDate.of(9999, 12, 31);
    for (LocalDate day = LocalDate.of(0, 1, 1); !day.isAfter(last); day = day.plusDays(1)) {
      byte[] stored = StoredValues.utf8(day.toString());
      assertThat(IsoDate.INSTANCE.isDecodable(stored, 0, stored.length)).isTrue();
      assertThat(IsoDate.INSTANCE.read(stored, 0, stored.length)).isEqualTo(day.toEpochDay());
    }
  }

  @Test
  void textOrdersByItsBytesNotByJavaChars() {
    byte[] lastOfPlane0 = StoredValues.utf8("\uffff");
    byte[] firstOfPlane1 = StoredValues.utf8("\ud800\udc00");
    assertThat(compare(ValueType.STRING, lastOfPlane0, firstOfPlane1)).isNegative();
    assertThat("\uffff").isGreaterThan("\ud800\udc00");
  }

  @Test
  void orderedBlobsOrderByTheirContent() {
    byte[] a = StoredValues.orderedBlob(StoredValues.utf8("2x"));
    byte[] b = StoredValues.orderedBlob(StoredValues.utf8("3"));
    assertThat(compare(ValueType.ORDERED_BLOB, a, b)).isNegative();
    assertThat(key(ValueType.ORDERED_BLOB, a)).isLessThan(key(ValueType.ORDERED_BLOB, b));
  }

  @Test
  void undecodableBytesAreShownAsSuch() {
    assertThat(ValueType.INT.codec().display(new byte[] {9, 'a', 9}, 1, 1))
        .isEqualTo("undecodable 'a'");
    assertThat(ValueType.INT.codec().display(Bytes.toBytes(7), 0, 4)).isEqualTo("7");
  }
}
