package io.spyhop.bench.deli;

import io.spyhop.core.schema.Maintenance;
import io.spyhop.core.schema.Repair;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.TableName;

/** The global indexes that are measured. Thread-safe. */
public interface Product extends Closeable {
  /**
   * Makes the index on a column of a table and returns when it is active.
   *
   * @param column of {@link DeliTable#FAMILY}
   * @param splits where the index table's regions begin, as values, ascending
   */
  void createIndex(
      TableName table, String column, Maintenance maintenance, Repair repair, long[] splits)
      throws IOException;

  /**
   * The tables that have to be spread over the servers with a table: its index tables, if it has
   * any.
   */
  List<TableName> indexTables(TableName table) throws IOException;

  /** How many rows have a value now: ReadValue of the DELI paper. */
  int read(TableName table, long value) throws IOException;

  /** How many rows of a table a search finds. */
  int find(TableName table, Search search) throws IOException;

  /**
   * Returns when nothing is left of the deletes of obsolete entries that are known: the index's
   * servers have acknowledged all of them.
   *
   * @return the {@code System.nanoTime()} since which nothing has been left
   */
  long quiesce(TableName table) throws IOException;

  /** Looks for obsolete entries in the files of a table as they are, before they are merged. */
  void repairBefore(TableName table) throws IOException;

  @Override
  void close() throws IOException;
}
