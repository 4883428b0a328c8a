package io.spyhop.server.fuzz;

import java.lang.reflect.Field;
import java.util.Set;
import org.apache.hadoop.hbase.TableName;

/**
 * HBase keeps every table name that was ever made, in a list that it copies for each new one;
 * millions of made-up names would measure that.
 */
final class TableNames {
  private TableNames() {}

  static void forget() {
    try {
      Field cache = TableName.class.getDeclaredField("tableCache");
      cache.setAccessible(true);
      ((Set<?>) cache.get(null)).clear();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("HBase keeps table names elsewhere now", e);
    }
  }
}
