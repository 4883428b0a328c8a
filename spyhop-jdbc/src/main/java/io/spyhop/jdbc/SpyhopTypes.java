package io.spyhop.jdbc;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeSystemImpl;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * The type rules of Spyhop's SQL, where the standard leaves them open: as PostgreSQL, sums do not
 * overflow because the column is narrow. Stateless, thread-safe.
 */
public final class SpyhopTypes extends RelDataTypeSystemImpl {
  static final int DECIMAL_DIGITS = 76;
  static final int DECIMAL_SCALE = 18;

  /** Of results: the common type of DECIMAL(76, 18) and (76, 0) has as many digits behind. */
  private static final int MOST_DIGITS = 2 * DECIMAL_DIGITS;

  /** As Calcite makes it, by its name. */
  public SpyhopTypes() {}

  @Override
  public int getMaxPrecision(SqlTypeName type) {
    return type == SqlTypeName.DECIMAL ? MOST_DIGITS : super.getMaxPrecision(type);
  }

  @Override
  public int getMaxScale(SqlTypeName type) {
    return type == SqlTypeName.DECIMAL ? DECIMAL_DIGITS : super.getMaxScale(type);
  }

  @Override
  public RelDataType deriveSumType(RelDataTypeFactory types, RelDataType argument) {
    RelDataType sum =
        switch (argument.getSqlTypeName()) {
          case TINYINT, SMALLINT, INTEGER -> types.createSqlType(SqlTypeName.BIGINT);
          case BIGINT -> types.createSqlType(SqlTypeName.DECIMAL, DECIMAL_DIGITS, 0);
          case DECIMAL ->
              types.createSqlType(SqlTypeName.DECIMAL, DECIMAL_DIGITS, argument.getScale());
          case REAL, FLOAT -> types.createSqlType(SqlTypeName.DOUBLE);
          default -> argument;
        };
    return types.createTypeWithNullability(sum, argument.isNullable());
  }

  @Override
  public RelDataType deriveAvgAggType(RelDataTypeFactory types, RelDataType argument) {
    if (!SqlTypeUtil.isNumeric(argument)) {
      return argument;
    }
    RelDataType average =
        SqlTypeUtil.isExactNumeric(argument)
            ? types.createSqlType(SqlTypeName.DECIMAL, DECIMAL_DIGITS, DECIMAL_SCALE)
            : types.createSqlType(SqlTypeName.DOUBLE);
    return types.createTypeWithNullability(average, argument.isNullable());
  }

  /** Text of a list is not filled up with blanks to the longest: {@code IN ('a', 'abc')}. */
  @Override
  public boolean shouldConvertRaggedUnionTypesToVarying() {
    return true;
  }
}
