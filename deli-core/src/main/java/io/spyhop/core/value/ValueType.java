package io.spyhop.core.value;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The encodings of stored values. Names are persisted in table descriptors and sent over the wire:
 * they do not change.
 *
 * <p>Bytes that do not fit the type are <i>undecodable</i>: no comparison is true of them. Literals
 * of numbers may be any {@link Number} or decimal text; those of text any {@link CharSequence}.
 */
public enum ValueType {
  /** UTF-8 text, in the unsigned order of its bytes; malformed UTF-8 is undecodable. */
  STRING(t -> new BytesCodec(t, VerbatimBytes.UTF8, Content.TEXT)),

  /**
   * Any bytes, in unsigned order. Literals: {@code byte[]}, or ASCII text in which {@code \xHH}
   * stands for a byte.
   */
  BYTES(t -> new BytesCodec(t, VerbatimBytes.ANY, Content.BINARY)),

  /** Four bytes as {@code Bytes.toBytes(int)} writes them. A literal must be whole and fit. */
  INT(t -> new LongCodec(t, PlainLong.INT, WholeNumbers.INT32)),

  /** Eight bytes as {@code Bytes.toBytes(long)} writes them. A literal must be whole and fit. */
  LONG(t -> new LongCodec(t, PlainLong.LONG, WholeNumbers.INT64)),

  /**
   * Four bytes as {@code Bytes.toBytes(float)} writes them; -0.0 equals 0.0, NaN equals NaN and is
   * greatest. A literal is rounded to the nearest float.
   */
  FLOAT(t -> new DoubleCodec(t, PlainDouble.FLOAT, Precision.SINGLE)),

  /**
   * Eight bytes as {@code Bytes.toBytes(double)} writes them; -0.0 equals 0.0, NaN equals NaN and
   * is greatest. A literal is rounded to the nearest double.
   */
  DOUBLE(t -> new DoubleCodec(t, PlainDouble.DOUBLE, Precision.DOUBLE)),

  /**
   * As {@code Bytes.toBytes(BigDecimal)} writes it: a scale of four bytes and an unscaled value of
   * 1 to 1,024 bytes; 1.0 equals 1.00. Keys have 31 significant digits; numbers from {@code
   * 10^1000} on and below {@code 10^-1001} are unkeyable.
   */
  DECIMAL(t -> new DecimalCodec(t, PlainDecimal.INSTANCE)),

  /** One byte: 0 is false, all others are true; false before true. Literals: true and false. */
  BOOLEAN(t -> new LongCodec(t, PlainLong.BOOLEAN, Booleans.INSTANCE)),

  /**
   * Eight bytes: milliseconds since 1970-01-01T00:00Z. Literals: milliseconds, {@code Date}, {@code
   * Instant}, {@code '1997-03-10T12:00:00Z'}, {@code '1997-03-10 12:00:00'} (UTC); no fractions of
   * a millisecond.
   */
  TIMESTAMP(t -> new LongCodec(t, PlainLong.LONG, Timestamps.INSTANCE)),

  /**
   * Ten ASCII bytes {@code yyyy-MM-dd}, a real date of the years 0000 to 9999. Literals: {@code
   * LocalDate}, or such text.
   */
  DATE(t -> new LongCodec(t, IsoDate.INSTANCE, Dates.INSTANCE)),

  /** ASCII text {@code [-] digits} that fits a long; 007 equals 7. A literal must be whole. */
  TEXT_LONG(t -> new LongCodec(t, TextLong.INSTANCE, WholeNumbers.INT64)),

  /**
   * ASCII text {@code [+-] digits [. digits] [e [+-] digits]} of at most 2,048 bytes, read as the
   * nearest double; NaN, infinities and text beyond the greatest double are undecodable.
   */
  TEXT_DOUBLE(t -> new DoubleCodec(t, TextDouble.INSTANCE, Precision.DOUBLE)),

  /** As {@code OrderedBytes.encodeInt8} writes it, ascending. */
  ORDERED_INT8(t -> new LongCodec(t, OrderedLong.INT8, WholeNumbers.INT8)),

  /** As {@code OrderedBytes.encodeInt16} writes it, ascending. */
  ORDERED_INT16(t -> new LongCodec(t, OrderedLong.INT16, WholeNumbers.INT16)),

  /** As {@code OrderedBytes.encodeInt32} writes it, ascending. */
  ORDERED_INT32(t -> new LongCodec(t, OrderedLong.INT32, WholeNumbers.INT32)),

  /** As {@code OrderedBytes.encodeInt64} writes it, ascending. */
  ORDERED_INT64(t -> new LongCodec(t, OrderedLong.INT64, WholeNumbers.INT64)),

  /** As {@code OrderedBytes.encodeFloat32} writes it, ascending; compared as {@link #FLOAT}. */
  ORDERED_FLOAT32(t -> new DoubleCodec(t, OrderedDouble.FLOAT32, Precision.SINGLE)),

  /** As {@code OrderedBytes.encodeFloat64} writes it, ascending; compared as {@link #DOUBLE}. */
  ORDERED_FLOAT64(t -> new DoubleCodec(t, OrderedDouble.FLOAT64, Precision.DOUBLE)),

  /**
   * As {@code OrderedBytes.encodeNumeric} writes it, ascending; null, NaN and infinities are
   * undecodable. A literal has at most 31 significant digits, as a stored value does; keys as with
   * {@link #DECIMAL}.
   */
  ORDERED_NUMERIC(t -> new DecimalCodec(t, OrderedNumeric.INSTANCE)),

  /**
   * As {@code OrderedBytes.encodeString} writes it, ascending; compared as {@link #STRING}. U+0000
   * cannot be stored.
   */
  ORDERED_STRING(t -> new BytesCodec(t, OrderedText.INSTANCE, Content.TEXT)),

  /**
   * As {@code OrderedBytes.encodeBlobVar} writes it, ascending; compared as {@link #BYTES}, which
   * is <i>not</i> the order of the stored bytes.
   */
  ORDERED_BLOB(t -> new BytesCodec(t, OrderedBlob.INSTANCE, Content.BINARY));

  @SuppressWarnings("ImmutableEnumChecker") // codecs have no state
  private final ValueCodec codec;

  ValueType(Function<ValueType, ValueCodec> codec) {
    this.codec = codec.apply(this);
  }

  /** The codec that reads, compares and keys values of this type. */
  public ValueCodec codec() {
    return codec;
  }

  /**
   * The type of that name.
   *
   * @param name case does not matter
   * @throws IllegalArgumentException if there is none; the message lists the known names
   */
  public static ValueType parse(String name) {
    try {
      return valueOf(name.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "unknown value type '" + name + "': expected one of " + names(), e);
    }
  }

  private static String names() {
    return Arrays.stream(values()).map(ValueType::name).collect(Collectors.joining(", "));
  }
}
