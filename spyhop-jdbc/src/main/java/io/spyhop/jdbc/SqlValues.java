package io.spyhop.jdbc;

import io.spyhop.core.value.ValueType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.sql.Date;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * Spyhop's types and values as SQL has them. Calcite's values are: milliseconds for a TIMESTAMP,
 * days for a DATE, {@link ByteString} for bytes. Stateless.
 */
final class SqlValues {
  /** Before the point, or zeros behind it. */
  private static final int MOST_DIGITS = 1_000;

  private SqlValues() {}

  /** The SQL type of a column, which may be absent. */
  static RelDataType type(ValueType type, RelDataTypeFactory types) {
    RelDataType sql =
        switch (type) {
          case DECIMAL, ORDERED_NUMERIC ->
              types.createSqlType(
                  SqlTypeName.DECIMAL, SpyhopTypes.DECIMAL_DIGITS, SpyhopTypes.DECIMAL_SCALE);
          case TIMESTAMP -> types.createSqlType(SqlTypeName.TIMESTAMP, 3);
          default -> types.createSqlType(name(type));
        };
    return types.createTypeWithNullability(sql, true);
  }

  private static SqlTypeName name(ValueType type) {
    return switch (type) {
      case STRING, ORDERED_STRING -> SqlTypeName.VARCHAR;
      case BYTES, ORDERED_BLOB -> SqlTypeName.VARBINARY;
      case INT, ORDERED_INT8, ORDERED_INT16, ORDERED_INT32 -> SqlTypeName.INTEGER;
      case LONG, TEXT_LONG, ORDERED_INT64 -> SqlTypeName.BIGINT;
      case FLOAT, ORDERED_FLOAT32 -> SqlTypeName.REAL;
      case DOUBLE, TEXT_DOUBLE, ORDERED_FLOAT64 -> SqlTypeName.DOUBLE;
      case BOOLEAN -> SqlTypeName.BOOLEAN;
      case DATE -> SqlTypeName.DATE;
      case DECIMAL, ORDERED_NUMERIC -> SqlTypeName.DECIMAL;
      case TIMESTAMP -> SqlTypeName.TIMESTAMP;
    };
  }

  /**
   * The encoding of an undeclared column that a statement gives a type.
   *
   * @throws RefusedException if values of that type are stored in no usual way
   */
  static ValueType encoding(String column, RelDataType type) {
    return switch (type.getSqlTypeName()) {
      case CHAR, VARCHAR -> ValueType.STRING;
      case BINARY, VARBINARY -> ValueType.BYTES;
      case INTEGER -> ValueType.INT;
      case BIGINT -> ValueType.LONG;
      case REAL -> ValueType.FLOAT;
      case FLOAT, DOUBLE -> ValueType.DOUBLE;
      case DECIMAL -> ValueType.DECIMAL;
      case BOOLEAN -> ValueType.BOOLEAN;
      case TIMESTAMP -> ValueType.TIMESTAMP;
      case DATE -> ValueType.DATE;
      default ->
          throw new RefusedException(
              "column '"
                  + column
                  + "' cannot be read as "
                  + type
                  + ": take VARCHAR, VARBINARY, INTEGER, BIGINT, REAL, DOUBLE, DECIMAL, BOOLEAN,"
                  + " TIMESTAMP or DATE, or declare the column by an index");
    };
  }

  /** A value in the form that all equal ones have, as Calcite has it; null for null. */
  static Object internal(Object value) {
    if (value instanceof BigDecimal number) {
      return scaled(number, SpyhopTypes.DECIMAL_SCALE);
    }
    if (value instanceof byte[] bytes) {
      return new ByteString(bytes);
    }
    if (value instanceof LocalDate date) {
      return (int) date.toEpochDay();
    }
    return value;
  }

  /** An average, rounded to the digits of its type. */
  static Object average(Object value, RelDataType type) {
    return value instanceof BigDecimal number && isShort(number)
        ? number.setScale(type.getScale(), RoundingMode.HALF_UP)
        : value;
  }

  /**
   * Numbers of a type have so many digits behind the point; more, and very great ones, have none.
   */
  private static BigDecimal scaled(BigDecimal number, int scale) {
    BigDecimal least = isShort(number) ? number.stripTrailingZeros() : number;
    return isShort(number) && least.scale() <= scale ? least.setScale(scale) : least;
  }

  /** Whether it can be written down; an exponent may have ten digits. */
  private static boolean isShort(BigDecimal number) {
    return Math.abs((long) number.precision() - number.scale()) <= MOST_DIGITS;
  }

  /**
   * The value of a parameter, as {@link io.spyhop.core.predicate.Predicates} takes it.
   *
   * @param value as JDBC was given it, not null; of dates an Integer of days, of timestamps a Long
   *     of milliseconds
   * @throws RefusedException if it is a timestamp, and the column a DATE
   */
  static Object literal(Object value, ValueType type) {
    if (value instanceof ByteString bytes) {
      return bytes.getBytes();
    }
    if (value instanceof Timestamp timestamp) {
      return timestamp.toLocalDateTime().toInstant(ZoneOffset.UTC);
    }
    if (value instanceof Date date) {
      return date.toLocalDate();
    }
    if (type == ValueType.DATE && value instanceof Number days) {
      if (days instanceof Long) {
        throw new RefusedException(
            "a DATE is compared with a date, and the parameter is a timestamp: use setDate");
      }
      return LocalDate.ofEpochDay(days.longValue());
    }
    if (type == ValueType.TIMESTAMP && value instanceof Number time) {
      return time instanceof Integer days
          ? LocalDate.ofEpochDay(days).atStartOfDay().toInstant(ZoneOffset.UTC)
          : Instant.ofEpochMilli(time.longValue());
    }
    return value;
  }

  /**
   * A figure of an aggregate, as Calcite has values of its type.
   *
   * @throws ArithmeticException if a sum does not fit
   */
  static Object figure(Object value, RelDataType type) {
    if (value instanceof BigInteger sum) {
      return type.getSqlTypeName() == SqlTypeName.BIGINT
          ? (Object) sum.longValueExact()
          : new BigDecimal(sum);
    }
    return value instanceof BigDecimal number ? scaled(number, type.getScale()) : internal(value);
  }
}
