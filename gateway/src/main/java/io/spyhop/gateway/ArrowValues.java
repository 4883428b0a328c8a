package io.spyhop.gateway;

import io.spyhop.core.value.ValueType;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.Decimal256Vector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedWidthVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.TimeStampMilliTZVector;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;

/**
 * Spyhop's types and values as Arrow has them, the same as in SQL (docs/python.md). Stateless,
 * thread-safe.
 */
final class ArrowValues {
  private static final int DECIMAL_DIGITS = 76;
  private static final int DECIMAL_SCALE = 18;
  private static final int DECIMAL_BITS = 256;

  /** Bytes of a place in a vector of texts, where it begins. */
  private static final int OFFSET = 4;

  /** Puts a value that is not null into a place of a vector that has room for it. */
  @FunctionalInterface
  private interface Setter {
    void set(FieldVector vector, int place, Object value);
  }

  private static final ArrowValues TEXT =
      new ArrowValues(ArrowType.Utf8.INSTANCE, OFFSET, ArrowValues::setBytes);
  private static final ArrowValues BYTES =
      new ArrowValues(ArrowType.Binary.INSTANCE, OFFSET, ArrowValues::setBytes);
  private static final ArrowValues INT =
      new ArrowValues(
          new ArrowType.Int(Integer.SIZE, true),
          Integer.BYTES,
          (vector, i, value) -> ((IntVector) vector).set(i, (Integer) value));
  private static final ArrowValues LONG =
      new ArrowValues(
          new ArrowType.Int(Long.SIZE, true),
          Long.BYTES,
          (vector, i, value) -> ((BigIntVector) vector).set(i, (Long) value));
  private static final ArrowValues FLOAT =
      new ArrowValues(
          new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE),
          Float.BYTES,
          (vector, i, value) -> ((Float4Vector) vector).set(i, (Float) value));
  private static final ArrowValues DOUBLE =
      new ArrowValues(
          new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE),
          Double.BYTES,
          (vector, i, value) -> ((Float8Vector) vector).set(i, (Double) value));
  private static final ArrowValues DECIMAL =
      new ArrowValues(
          new ArrowType.Decimal(DECIMAL_DIGITS, DECIMAL_SCALE, DECIMAL_BITS),
          DECIMAL_BITS / Byte.SIZE,
          (vector, i, value) -> ((Decimal256Vector) vector).set(i, scaled((BigDecimal) value)));
  private static final ArrowValues BOOLEAN =
      new ArrowValues(
          ArrowType.Bool.INSTANCE,
          1,
          (vector, i, value) -> ((BitVector) vector).set(i, (Boolean) value ? 1 : 0));
  private static final ArrowValues DATE =
      new ArrowValues(
          new ArrowType.Date(DateUnit.DAY),
          Integer.BYTES,
          (vector, i, value) ->
              ((DateDayVector) vector).set(i, (int) ((LocalDate) value).toEpochDay()));
  private static final ArrowValues TIMESTAMP =
      new ArrowValues(
          new ArrowType.Timestamp(TimeUnit.MILLISECOND, "UTC"),
          Long.BYTES,
          (vector, i, value) -> ((TimeStampMilliTZVector) vector).set(i, (Long) value));

  private final ArrowType type;
  private final int width;
  private final Setter setter;

  private ArrowValues(ArrowType type, int width, Setter setter) {
    this.type = type;
    this.width = width;
    this.setter = setter;
  }

  /** Those of stored values. */
  static ArrowValues of(ValueType type) {
    return switch (type) {
      case STRING, ORDERED_STRING -> TEXT;
      case BYTES, ORDERED_BLOB -> BYTES;
      case INT, ORDERED_INT8, ORDERED_INT16, ORDERED_INT32 -> INT;
      case LONG, TEXT_LONG, ORDERED_INT64 -> LONG;
      case FLOAT, ORDERED_FLOAT32 -> FLOAT;
      case DOUBLE, TEXT_DOUBLE, ORDERED_FLOAT64 -> DOUBLE;
      case DECIMAL, ORDERED_NUMERIC -> DECIMAL;
      case BOOLEAN -> BOOLEAN;
      case DATE -> DATE;
      case TIMESTAMP -> TIMESTAMP;
    };
  }

  ArrowType type() {
    return type;
  }

  /** Bytes that a place takes at least, whatever is in it. */
  int width() {
    return width;
  }

  /**
   * Fills a vector, in exactly the room that the values take.
   *
   * @param values of its places, null for none; texts are replaced by their bytes
   * @throws UnrepresentableValueException if the type has no such value
   */
  void fill(FieldVector vector, Object[] values) {
    if (vector instanceof BaseVariableWidthVector texts) {
      texts.allocateNew(toBytes(values), values.length);
    } else {
      ((FixedWidthVector) vector).allocateNew(values.length);
    }
    for (int i = 0; i < values.length; i++) {
      if (values[i] != null) {
        setter.set(vector, i, values[i]);
      }
    }
    vector.setValueCount(values.length);
  }

  /** Returns the bytes of all. */
  private static long toBytes(Object[] values) {
    long total = 0;
    for (int i = 0; i < values.length; i++) {
      if (values[i] instanceof String text) {
        values[i] = text.getBytes(StandardCharsets.UTF_8);
      }
      total += values[i] == null ? 0 : ((byte[]) values[i]).length;
    }
    return total;
  }

  private static void setBytes(FieldVector vector, int place, Object value) {
    ((BaseVariableWidthVector) vector).set(place, (byte[]) value);
  }

  private static BigDecimal scaled(BigDecimal value) {
    BigDecimal least = value.stripTrailingZeros();
    long whole = (long) least.precision() - least.scale();
    if (least.scale() > DECIMAL_SCALE || whole > DECIMAL_DIGITS - DECIMAL_SCALE) {
      throw new UnrepresentableValueException(
          "has more than "
              + (DECIMAL_DIGITS - DECIMAL_SCALE)
              + " digits before the point or "
              + DECIMAL_SCALE
              + " behind it, which Arrow's decimals do not have here");
    }
    return least.setScale(DECIMAL_SCALE);
  }
}
