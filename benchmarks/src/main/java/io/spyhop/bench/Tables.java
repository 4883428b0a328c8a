package io.spyhop.bench;

import java.io.IOException;
import java.util.List;
import java.util.function.LongFunction;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;

/** Cuts, flushes and drops tables. Stateless. */
public final class Tables {
  private Tables() {}

  /**
   * Cuts numbers below a limit into regions of as many.
   *
   * @param key of a number
   * @return where regions begin, the first left out
   */
  public static byte[][] splits(long limit, int regions, LongFunction<byte[]> key) {
    byte[][] splits = new byte[regions - 1][];
    for (int i = 1; i < regions; i++) {
      splits[i - 1] = key.apply(limit * i / regions);
    }
    return splits;
  }

  /** Writes memstores into HFiles. */
  public static void flush(Connection connection, TableName... tables) throws IOException {
    flush(connection, List.of(tables));
  }

  /** Writes memstores into HFiles. */
  public static void flush(Connection connection, List<TableName> tables) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      for (TableName table : tables) {
        admin.flush(table);
      }
    }
  }

  /** Removes tables and all that is in them. */
  public static void drop(Connection connection, TableName... tables) throws IOException {
    drop(connection, List.of(tables));
  }

  /** Removes tables and all that is in them. */
  public static void drop(Connection connection, List<TableName> tables) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      for (TableName table : tables) {
        admin.disableTable(table);
        admin.deleteTable(table);
      }
    }
  }
}
