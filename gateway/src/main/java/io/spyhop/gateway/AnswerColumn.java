package io.spyhop.gateway;

import io.spyhop.core.schema.ColumnLabels;
import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.value.ValueType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Result;

/**
 * A column of an answer. Immutable, thread-safe.
 *
 * @param label its name in the answer
 * @param name its name in HBase; null for the row key
 * @param type how its values are stored
 */
record AnswerColumn(String label, ColumnName name, ValueType type) {
  static AnswerColumn rowKey() {
    return new AnswerColumn(ColumnLabels.ROW_KEY, null, ValueType.BYTES);
  }

  Field field() {
    return new Field(label, new FieldType(name != null, arrow().type(), null), null);
  }

  ArrowValues arrow() {
    return ArrowValues.of(type);
  }

  /** Its value in a row; null if it is absent or does not decode. */
  Object read(Result row) {
    if (name == null) {
      return row.getRow();
    }
    Cell cell = row.getColumnLatestCell(name.family(), name.qualifier());
    return cell == null
        ? null
        : type.codec().decode(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength());
  }
}
