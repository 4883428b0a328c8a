package io.spyhop.bench.deli;

import io.spyhop.core.schema.Maintenance;
import io.spyhop.core.schema.Repair;
import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.hbase.TableName;

/** What the benchmark asks of the global indexes it measures. Thread-safe. */
public interface Product extends Closeable {
  /**
   * Makes the index on a table's value column and returns when it is active.
   *
   * @param splits where the index table's regions begin, as values, ascending
   */
  void createIndex(TableName table, Maintenance maintenance, Repair repair, long[] splits)
      throws IOException;

  /**
   * The tables that have to be spread over the servers with a table: its index tables, if it has
   * any.
   */
  Iterable<TableName> indexTables(TableName table) throws IOException;

  /** Reads of the tables' rows by value. */
  ValueReader reader(TableName table) throws IOException;

  /** Waits as {@link Quiesce} says; the same result. */
  long quiesce(TableName table) throws IOException;

  /** Looks for obsolete entries in the files of a table as they are, before they are merged. */
  void repairBefore(TableName table) throws IOException;

  @Override
  void close() throws IOException;
}
