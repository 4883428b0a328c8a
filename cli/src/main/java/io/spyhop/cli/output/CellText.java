package io.spyhop.cli.output;

import io.spyhop.core.schema.ColumnName;
import io.spyhop.core.value.ValueType;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Shows keys and values: columns of a declared type decoded, other values as text if they are text
 * in UTF-8; everything else as the bytes are, those that are not printable as {@code \xNN}.
 * Immutable.
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

  private static String text(byte[] value) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(value)).toString();
      if (text.chars().allMatch(c -> c == '\n' || c == '\r' || c == '\t' || !isControl(c))) {
        return text;
      }
    } catch (CharacterCodingException e) {
      // No text: shown as bytes.
    }
    return Bytes.toStringBinary(value);
  }

  private static boolean isControl(int c) {
    return Character.isISOControl(c);
  }

  /** On one line: line feeds as {@code \n}, other control characters as {@code \xNN}. */
  static String onOneLine(Object value) {
    StringBuilder line = new StringBuilder();
    for (char c : value.toString().toCharArray()) {
      switch (c) {
        case '\n' -> line.append("\\n");
        case '\r' -> line.append("\\r");
        default -> {
          if (isControl(c)) {
            line.append(String.format("\\x%02X", (int) c));
          } else {
            line.append(c);
          }
        }
      }
    }
    return line.toString();
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
      return text(CellUtil.cloneValue(cell));
    }
    return decoded instanceof Number || decoded instanceof Boolean ? decoded : decoded.toString();
  }
}
