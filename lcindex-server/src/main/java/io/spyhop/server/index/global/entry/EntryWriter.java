package io.spyhop.server.index.global.entry;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Mutation;

/** Writes to index tables. */
@FunctionalInterface
public interface EntryWriter {
  /**
   * Returns when all mutations are acknowledged.
   *
   * @throws IOException if one is not, or not in time; any of them may have been made all the same
   */
  void write(TableName indexTable, List<? extends Mutation> mutations) throws IOException;
}
