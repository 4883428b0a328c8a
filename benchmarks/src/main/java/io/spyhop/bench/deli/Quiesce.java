package io.spyhop.bench.deli;

import java.io.IOException;
import org.apache.hadoop.hbase.TableName;

/** Waits for the deletes of obsolete entries. Thread-safe. */
@FunctionalInterface
public interface Quiesce {
  /**
   * Returns when nothing is left of the deletes of obsolete entries that are known: the index's
   * servers have acknowledged all of them.
   *
   * @return the {@code System.nanoTime()} since which nothing has been left
   */
  long await(TableName table) throws IOException;
}
