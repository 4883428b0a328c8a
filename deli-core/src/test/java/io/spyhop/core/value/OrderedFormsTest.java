package io.spyhop.core.value;

import static org.apache.hadoop.hbase.util.Order.ASCENDING;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.function.ToIntFunction;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.OrderedBytes;
import org.apache.hadoop.hbase.util.PositionedByteRange;
import org.apache.hadoop.hbase.util.SimplePositionedMutableByteRange;
import org.junit.jupiter.api.Test;

/** The readers of {@code ORDERED_*} cells agree with HBase's own on whatever HBase writes. */
class OrderedFormsTest {
  @Provide
  Arbitrary<byte[]> contents() {
    return StoredValues.bytes();
  }

  @Provide
  Arbitrary<byte[]> numerics() {
    return StoredValues.of(ValueType.ORDERED_NUMERIC).filter(OrderedFormsTest::isSmall);
  }

  /** Numerics that the encoder would not write: more digits, unusual exponents. */
  @Provide
  Arbitrary<byte[]> foreignNumerics() {
    Arbitrary<Byte> header = Arbitraries.bytes().between((byte) 0x09, (byte) 0x21);
    Arbitrary<byte[]> pairs =
        Arbitraries.bytes()
            .between((byte) 1, (byte) 99)
            .array(byte[].class)
            .ofMinSize(1)
            .ofMaxSize(24);
    return Combinators.combine(header, Arbitraries.integers().between(0, 255), pairs)
        .as(OrderedFormsTest::numeric);
  }

  private static byte[] numeric(byte header, int exponent, byte[] pairs) {
    boolean negative = header < 0x15;
    boolean small = header == 0x14 || header == 0x16;
    int skip = header == 0x15 ? 0 : small ? 2 : 1;
    if (skip == 0) {
      return new byte[] {header};
    }
    byte[] b = new byte[skip + pairs.length];
    b[0] = header;
    int e = exponent % 100;
    if (small) {
      b[1] = (byte) (negative ? e : ~e);
    }
    for (int i = 0; i < pairs.length; i++) {
      int code = pairs[i] * 2 + (i < pairs.length - 1 ? 1 : 0);
      b[skip + i] = (byte) (negative ? ~code : code);
    }
    return b;
  }

  /** Whether HBase's decoder copes with the exponent. */
  private static boolean isSmall(byte[] stored) {
    BigDecimal value = OrderedNumeric.INSTANCE.read(stored, 0, stored.length);
    return value.signum() == 0 || Math.abs(OrderedKeys.magnitude(value)) < 1000;
  }

  @Property(tries = 5_000)
  void numericsAreReadAsHBaseReadsThem(@ForAll("numerics") byte[] stored) {
    assertThat(OrderedNumeric.INSTANCE.read(stored, 0, stored.length))
        .isEqualByComparingTo(hbase(stored));
  }

  @Property(tries = 5_000)
  void foreignNumericsAreReadAsHBaseReadsThem(@ForAll("foreignNumerics") byte[] stored) {
    assertThat(OrderedNumeric.INSTANCE.read(stored, 0, stored.length))
        .isEqualByComparingTo(hbase(stored));
  }

  @Test
  void exponentsOfAllLengthsAreReadAsHBaseReadsThem() {
    for (int e = -1500; e <= 1500; e += 7) {
      byte[] stored = StoredValues.orderedNumeric(BigDecimal.valueOf(e % 2 == 0 ? 37 : -37, e));
      assertThat(OrderedNumeric.INSTANCE.read(stored, 0, stored.length))
          .isEqualByComparingTo(hbase(stored));
    }
    for (int e : new int[] {4573, 4577, 4579, 135647, 135649, 40_000_000, 999_999_000}) {
      BigDecimal small = BigDecimal.valueOf(37, e);
      BigDecimal large = BigDecimal.valueOf(37, -e);
      assertThat(read(StoredValues.orderedNumeric(small))).isEqualByComparingTo(small);
      assertThat(read(StoredValues.orderedNumeric(large))).isEqualByComparingTo(large);
    }
  }

  @Test
  void whatHBaseMakesOfARoundedUpFractionIsOne() {
    byte[] written = Bytes.toBytesBinary("\\x16\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x02");
    assertThat(hbase(written)).isEqualByComparingTo(BigDecimal.ONE);
    assertThat(read(written)).isEqualByComparingTo(BigDecimal.ONE);
  }

  private static BigDecimal read(byte[] stored) {
    return OrderedNumeric.INSTANCE.read(stored, 0, stored.length);
  }

  private static BigDecimal hbase(byte[] stored) {
    return OrderedBytes.decodeNumericAsBigDecimal(new SimplePositionedMutableByteRange(stored));
  }

  @Property(tries = 5_000)
  void blobsAreReadAsHBaseReadsThem(@ForAll("contents") byte[] content) {
    byte[] stored = StoredValues.orderedBlob(content);
    assertThat(OrderedBlob.INSTANCE.isDecodable(stored, 0, stored.length)).isTrue();
    assertThat(OrderedBlob.INSTANCE.content(stored, 0, stored.length, Integer.MAX_VALUE))
        .isEqualTo(content);
    assertThat(OrderedBlob.INSTANCE.content(stored, 0, stored.length, 3))
        .isEqualTo(Arrays.copyOf(content, Math.min(3, content.length)));
  }

  @Test
  void headersAreThoseOfOrderedBytes() {
    assertThat(header(r -> OrderedBytes.encodeInt8(r, (byte) 0, ASCENDING)))
        .isEqualTo(OrderedFormat.INT8);
    assertThat(header(r -> OrderedBytes.encodeInt16(r, (short) 0, ASCENDING)))
        .isEqualTo(OrderedFormat.INT16);
    assertThat(header(r -> OrderedBytes.encodeInt32(r, 0, ASCENDING)))
        .isEqualTo(OrderedFormat.INT32);
    assertThat(header(r -> OrderedBytes.encodeInt64(r, 0, ASCENDING)))
        .isEqualTo(OrderedFormat.INT64);
    assertThat(header(r -> OrderedBytes.encodeFloat32(r, 0, ASCENDING)))
        .isEqualTo(OrderedFormat.FLOAT32);
    assertThat(header(r -> OrderedBytes.encodeFloat64(r, 0, ASCENDING)))
        .isEqualTo(OrderedFormat.FLOAT64);
    assertThat(header(r -> OrderedBytes.encodeString(r, "", ASCENDING)))
        .isEqualTo(OrderedFormat.TEXT);
    assertThat(header(r -> OrderedBytes.encodeBlobVar(r, new byte[0], ASCENDING)))
        .isEqualTo(OrderedFormat.BLOB_VAR);
  }

  @Test
  void numericHeadersAreThoseOfOrderedBytes() {
    assertThat(StoredValues.orderedNumeric(new BigDecimal("-1E+50"))[0])
        .isEqualTo(OrderedFormat.NEGATIVE_LARGE);
    assertThat(StoredValues.orderedNumeric(new BigDecimal("-1E+19"))[0])
        .isEqualTo(OrderedFormat.NEGATIVE_MEDIUM_MIN);
    assertThat(StoredValues.orderedNumeric(new BigDecimal("-0.5"))[0])
        .isEqualTo(OrderedFormat.NEGATIVE_SMALL);
    assertThat(StoredValues.orderedNumeric(BigDecimal.ZERO)[0]).isEqualTo(OrderedFormat.ZERO);
    assertThat(StoredValues.orderedNumeric(new BigDecimal("0.5"))[0])
        .isEqualTo(OrderedFormat.POSITIVE_SMALL);
    assertThat(StoredValues.orderedNumeric(new BigDecimal("1E+19"))[0])
        .isEqualTo(OrderedFormat.POSITIVE_MEDIUM_MAX);
    assertThat(StoredValues.orderedNumeric(new BigDecimal("1E+50"))[0])
        .isEqualTo(OrderedFormat.POSITIVE_LARGE);
  }

  private static byte header(ToIntFunction<PositionedByteRange> writer) {
    return StoredValues.ordered(writer)[0];
  }
}
