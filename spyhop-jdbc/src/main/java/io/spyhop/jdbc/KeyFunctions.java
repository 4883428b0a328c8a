package io.spyhop.jdbc;

import io.spyhop.core.value.BinaryText;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.hadoop.hbase.util.Bytes;

/** Functions of SQL for row keys, which are bytes. Stateless. */
public final class KeyFunctions {
  private KeyFunctions() {}

  /**
   * {@code KEY_BYTES('order1')}: the bytes of a text.
   *
   * @param text as HBase's shell takes it: {@code \x00} is a byte, others are UTF-8
   */
  public static ByteString bytes(String text) {
    return text == null ? null : new ByteString(BinaryText.bytes(text));
  }

  /** {@code KEY_TEXT(rowkey)}: bytes as HBase's shell shows them. */
  public static String text(ByteString key) {
    return key == null ? null : Bytes.toStringBinary(key.getBytes());
  }
}
