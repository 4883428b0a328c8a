package io.spyhop.jdbc;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.type.SqlTypeName;

/** Casts that keep values and their order. Stateless. */
final class Widening {
  private static final int LONG_DIGITS = 19;
  private static final int INT_DIGITS = 10;

  private Widening() {}

  static boolean keeps(RelDataType from, RelDataType to) {
    return switch (from.getSqlTypeName()) {
      case INTEGER ->
          is(to, SqlTypeName.INTEGER, SqlTypeName.BIGINT, SqlTypeName.DOUBLE)
              || holds(to, INT_DIGITS);
      case BIGINT -> is(to, SqlTypeName.BIGINT) || holds(to, LONG_DIGITS);
      case REAL -> is(to, SqlTypeName.REAL, SqlTypeName.FLOAT, SqlTypeName.DOUBLE);
      case VARCHAR, VARBINARY, BOOLEAN, DOUBLE, DATE ->
          to.getSqlTypeName() == from.getSqlTypeName() && to.getPrecision() == from.getPrecision();
      default -> false;
    };
  }

  private static boolean is(RelDataType type, SqlTypeName... names) {
    for (SqlTypeName name : names) {
      if (type.getSqlTypeName() == name) {
        return true;
      }
    }
    return false;
  }

  private static boolean holds(RelDataType type, int digits) {
    return is(type, SqlTypeName.DECIMAL) && type.getPrecision() - type.getScale() >= digits;
  }
}
