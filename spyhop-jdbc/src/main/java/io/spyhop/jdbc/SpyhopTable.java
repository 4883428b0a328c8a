package io.spyhop.jdbc;

import io.spyhop.client.IndexedTable;
import io.spyhop.client.InvalidQueryException;
import io.spyhop.core.schema.ColumnLabels;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.value.ValueType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.schema.ExtensibleTable;
import org.apache.calcite.schema.Table;
import org.apache.calcite.schema.TranslatableTable;
import org.apache.calcite.schema.impl.AbstractTable;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * A table with the columns that it declares: the row key first, then by name. A column is called by
 * its qualifier where that is unambiguous, and {@code family:qualifier} otherwise; columns that are
 * not declared are named by the statement: {@code orders ("d:custkey" BIGINT)}. Immutable,
 * thread-safe.
 */
public final class SpyhopTable extends AbstractTable implements TranslatableTable, ExtensibleTable {
  private final IndexedTable table;
  private final List<SqlColumn> columns;

  private SpyhopTable(IndexedTable table, List<SqlColumn> columns) {
    this.table = table;
    this.columns = List.copyOf(columns);
  }

  static SpyhopTable of(IndexedTable table, Map<ColumnName, ValueType> declared) {
    List<SqlColumn> all = new ArrayList<>();
    all.add(SqlColumn.rowKey());
    ColumnLabels.of(declared.keySet())
        .forEach((label, name) -> all.add(new SqlColumn(label, name, declared.get(name))));
    return new SpyhopTable(table, all);
  }

  List<SqlColumn> columns() {
    return columns;
  }

  @Override
  public RelDataType getRowType(RelDataTypeFactory types) {
    RelDataTypeFactory.Builder row = types.builder();
    for (SqlColumn column : columns) {
      row.add(
          column.label(),
          column.isRowKey()
              ? types.createSqlType(SqlTypeName.VARBINARY)
              : SqlValues.type(column.type(), types));
    }
    return row.build();
  }

  @Override
  public Table extend(List<RelDataTypeField> fields) {
    List<SqlColumn> all = new ArrayList<>(columns);
    for (RelDataTypeField field : fields) {
      String label = field.getName();
      all.add(new SqlColumn(label, named(label), SqlValues.encoding(label, field.getType())));
    }
    return new SpyhopTable(table, all);
  }

  private ColumnName named(String label) {
    if (label.indexOf(':') <= 0) {
      throw new RefusedException(
          "table '"
              + table.name()
              + "' does not declare column '"
              + label
              + "'; write it as \"family:qualifier\", in double quotes");
    }
    try {
      return table.column(label);
    } catch (InvalidQueryException e) {
      throw new RefusedException(e.getMessage());
    } catch (IOException e) {
      throw new UncheckedIOException(
          "the columns of table '" + table.name() + "' cannot be read", e);
    }
  }

  @Override
  public int getExtendedColumnOffset() {
    return columns.size();
  }

  @Override
  public RelNode toRel(RelOptTable.ToRelContext context, RelOptTable relOptTable) {
    return SpyhopScan.of(
        context.getCluster(), PushedQuery.of(table, columns, relOptTable.getRowType()));
  }
}
