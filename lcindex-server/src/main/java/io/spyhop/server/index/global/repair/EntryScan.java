package io.spyhop.server.index.global.repair;

import io.spyhop.core.global.Entry;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.TableName;

/** Reads an index table from one end to the other. */
@FunctionalInterface
public interface EntryScan {
  /**
   * The next entries, in the order of the index table; none at its end. All entries of a row of the
   * index table are on one page.
   *
   * @param from the first row of the index table, inclusive
   * @param rows how many rows of it at most
   */
  List<Entry> page(TableName indexTable, byte[] from, int rows) throws IOException;
}
