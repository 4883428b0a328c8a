package io.spyhop.jdbc;

import io.spyhop.core.schema.ColumnLabels;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.value.ValueCodec;
import io.spyhop.core.value.ValueType;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Result;

/**
 * A column of a table as SQL sees it. Immutable, thread-safe.
 *
 * @param label its name in SQL
 * @param name its name in HBase; null for the row key
 * @param type how its values are stored
 */
record SqlColumn(String label, ColumnName name, ValueType type) {
  static SqlColumn rowKey() {
    return new SqlColumn(ColumnLabels.ROW_KEY, null, ValueType.BYTES);
  }

  boolean isRowKey() {
    return name == null;
  }

  /** Whether its name is the same wherever the client takes names of columns. */
  boolean isPlain() {
    return name != null && ColumnLabels.isPlain(name);
  }

  /** Its name where a column is named: {@code "d:price"}. */
  String quoted() {
    return ColumnLabels.quoted(name);
  }

  /** Its name and type where both are named: {@code CAST("d:price" AS DOUBLE)}. */
  String typed() {
    return "CAST(" + quoted() + " AS " + type + ")";
  }

  /**
   * Its value in a row, as Calcite has it; null if it is absent or does not decode. Values that are
   * equal in conditions are equal here: joins and groups of the client compare objects.
   */
  Object read(Result row) {
    if (isRowKey()) {
      return new ByteString(row.getRow());
    }
    Cell cell = row.getColumnLatestCell(name.family(), name.qualifier());
    if (cell == null) {
      return null;
    }
    ValueCodec codec = type.codec();
    byte[] form =
        codec.canonical(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength());
    return form == null ? null : SqlValues.internal(codec.decode(form, 0, form.length));
  }
}
