package io.spyhop.cli.output;

import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.value.ValueType;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Shows keys and values: columns of a declared type decoded, everything else as the bytes are,
 * those that are not printable as {@code \xNN}. Immutable.
 */
public final class CellText {
  private final Map<ColumnName, ValueType> types;

  /**
   * @param types the columns whose type is known
   */
  public CellText(Map<ColumnName, ValueType> types) {
    this.types = Map.copyOf(types);
  }

  /** A row key. */
  public static String key(byte[] row) {
    return Bytes.toStringBinary(row);
  }

  /** The column, {@code family:qualifier}. */
  public static String column(Cell cell) {
    return name(cell).toString();
  }

  private static ColumnName name(Cell cell) {
    return ColumnName.of(CellUtil.cloneFamily(cell), CellUtil.cloneQualifier(cell));
  }

  /** A number or a Boolean where the value is one, otherwise text. */
  public Object value(Cell cell) {
    ValueType type = types.get(name(cell));
    Object decoded =
        type == null
            ? null
            : type.codec()
                .decode(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength());
    if (decoded == null || decoded instanceof byte[]) {
      return Bytes.toStringBinary(
          cell.getValueArray(), cell.getValueOffset(), cell.getValueLength());
    }
    return decoded instanceof Number || decoded instanceof Boolean ? decoded : decoded.toString();
  }
}
